import { PLANTED, findSecrets } from '../support/secrets/secrets';

it('findSecrets finds secrets in every kind of value', () => {
	class Holder {
		#hidden = PLANTED.token;
		get open() {
			return this.#hidden;
		}
	}
	const circular: Record<string, unknown> = {};
	circular['self'] = circular;
	const cause = new Error(`key ${PLANTED.apiKey}`);
	const found = findSecrets({
		circular,
		error: new Error('outer', { cause }),
		map: new Map([[PLANTED.token, 1]]),
		set: new Set([PLANTED.securityCode]),
		bytes: Buffer.from(`{"card":"${PLANTED.cardNumber}"}`),
		grouped: '4929 4205 7359 5709',
		encoded: Buffer.from(PLANTED.apiKey).toString('base64'),
		holder: new Holder(),
		[PLANTED.apiKey]: true,
		clean: { text: 'nothing', count: 4929 },
	});
	expect(found.map(({ path }) => path.replace(PLANTED.apiKey, '<key>'))).toEqual(
		expect.arrayContaining([
			'value.error.cause.message',
			'value.error.cause.stack',
			'value.map.entries()[0][0]',
			'value.set.entries()[0][0]',
			'value.bytes',
			'value.grouped',
			'value.encoded',
			'value.holder.open',
			'value["<key>"] (the name)',
		]),
	);
	expect(found.filter(({ path }) => path.includes('clean'))).toEqual([]);
});
