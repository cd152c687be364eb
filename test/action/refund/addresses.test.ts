import { useFakeClock } from '../../support/clock';
import { failure } from '../../support/servers/http-server';
import { runOperation, uuid } from '../../support/operations';
import { lenientService, refund, type LenientService } from '../../support/refunds';

/** Charges of one ID at two addresses, as of a service and its copy to test with. */

const A = uuid(1);
const PARTIAL = (amount: string) => [{ charge: A, amount }];

/** Both before anything is sent, since starting one forgets what is known of charges. */
async function serviceAndCopy(): Promise<[LenientService, LenientService]> {
	return [await lenientService({ [A]: 10_000 }), await lenientService({ [A]: 10_000 })];
}

beforeEach(() => {
	useFakeClock();
});

it('an unknown refund at one address holds back none at the other', async () => {
	const [service, copy] = await serviceAndCopy();
	service.fates = [{ answer: failure(500, 'down'), executed: false }];
	const first = await refund(service, PARTIAL('40'));
	expect(first.error?.message).toMatch(/^UNKNOWN/);
	expect((await refund(copy, PARTIAL('7'))).json).toMatchObject([{ amount: '7.00' }]);
	const held = await refund(service, PARTIAL('7'));
	expect(held.error?.message).toMatch(/^NOT refunded: it is unknown/);
});

it.each([
	['with a slash and /v1', (url: string) => `${url}/v1/`, 'key'],
	['in capitals', (url: string) => url.replace('http', 'HTTP'), 'key'],
	['with another key', (url: string) => url, 'another-key-of-the-account'],
])('the same address %s is the same service', async (_how, spelled, apiKey) => {
	const [service] = await serviceAndCopy();
	service.fates = [{ answer: failure(500, 'down'), executed: false }];
	await refund(service, PARTIAL('40'));
	const result = await runOperation(service, {
		resource: 'charge',
		operation: 'refund',
		parameters: { chargeId: { __rl: true, mode: 'id', value: A }, amount: '7' },
		credentials: { baseUrl: spelled(service.url), apiKey },
	});
	expect(result.error?.message).toMatch(/^NOT refunded: it is unknown/);
	expect(service.posts()).toHaveLength(1);
});
