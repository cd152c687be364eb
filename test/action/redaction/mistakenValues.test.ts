import { useFakeClock } from '../../support/clock';
import { json, scriptedServer } from '../../support/servers/http-server';
import { OPERATIONS, credentialsFor, envelope, runOperation, uuid } from '../../support/operations';
import { processedData } from '../../support/processedData';
import { PLANTED } from '../../support/secrets/secrets';

const { apiKey, cardNumber } = PLANTED;

beforeEach(() => {
	useFakeClock();
});

describe('a value that a parameter was given by mistake', () => {
	const badly = (value: string): Array<Parameters<typeof runOperation>[1]> => [
		{
			...OPERATIONS['link create'],
			parameters: { ...OPERATIONS['link create'].parameters, currency: value },
		},
		{ ...OPERATIONS['link get'], parameters: { linkId: value } },
		{ ...OPERATIONS['invoice get'], parameters: { invoiceId: `${value}/..` } },
		{ ...OPERATIONS['charge getAll'], parameters: { limit: `={{ ${JSON.stringify(value)} }}` } },
		{
			...OPERATIONS['charge getAll'],
			parameters: { options: { maxConcurrency: `={{ ${JSON.stringify(value)} }}` } },
		},
		{
			...OPERATIONS['charge refund'],
			parameters: {
				...OPERATIONS['charge refund'].parameters,
				amount: value,
				options: { maximumAmount: '1.00' },
			},
		},
		{
			...OPERATIONS['charge refund'],
			parameters: { ...OPERATIONS['charge refund'].parameters, amount: value },
		},
	];

	it.each([
		['the API key', apiKey],
		['the API key in capitals', apiKey.toUpperCase()],
		['a card number', cardNumber],
		['a card number in groups', '4929 4205 7359 5709'],
	])('is in none of the node’s own messages: %s', async (_what, value) => {
		const server = await scriptedServer(() =>
			json(envelope({ id: uuid(1), total: '1.00', currency: 'USD', refund_total: '0.00' })),
		);
		for (const options of badly(value)) {
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				const result = await runOperation(server, {
					...options,
					items: [{ key: uuid(1) }],
					onError,
				});
				const { message, description } = result.error ?? {};
				// On the debug level n8n itself logs a node with its parameters.
				const logs = result.logs.filter(({ level }) => level !== 'debug');
				const shown = JSON.stringify([message, description, result.json, logs]);
				expect(result.error ?? result.json[0]?.['error']).toBeDefined();
				expect(shown).not.toContain(value);
			}
		}
	});

	it('nor is the beginning of a key that is longer than what is shown of a value', async () => {
		const server = await scriptedServer(() => json({}));
		const key = `live-${'k7'.repeat(40)}`;
		const credentials = { ...credentialsFor(server), apiKey: key };
		for (const linkId of [key, `Bearer ${key}`, key.toUpperCase()]) {
			const { error } = await runOperation(server, {
				...OPERATIONS['link get'],
				parameters: { linkId },
				credentials,
			});
			expect(error?.message).toMatch(/^Payment Link ID is ".*\[redacted\]/);
			expect(error?.message.toLowerCase()).not.toContain('k7');
		}
	});

	it.each([apiKey, cardNumber])(
		'as an Idempotency Key is not repeated by its message: %s',
		async (key) => {
			processedData.reset();
			const server = await scriptedServer(({ method }) =>
				json({ id: uuid(1) }, method === 'POST' ? 201 : 200),
			);
			const options = {
				...OPERATIONS['link create'],
				parameters: { ...OPERATIONS['link create'].parameters, options: { idempotencyKey: key } },
				items: [{ key: 'a' }, { key: 'b' }],
			};
			const { error } = await runOperation(server, options);
			expect(error?.message).toBe(
				'Idempotency Key “[redacted]” was used before: nothing was sent for it this time',
			);
		},
	);
});
