import type { INodeParameters } from 'n8n-workflow';

import '../../support/clock';
import { json, scriptedServer } from '../../support/servers/http-server';
import {
	OPERATIONS,
	envelope,
	runExample,
	triggerOn,
	uuid,
	type OperationCase,
	type OperationName,
} from '../../support/operations';
import '../../support/processedData';
import { PLANTED } from '../../support/secrets/secrets';

const { apiKey, cardNumber } = PLANTED;

const given = (name: OperationName, parameters: INodeParameters): OperationCase => ({
	...OPERATIONS[name],
	parameters: { ...OPERATIONS[name].parameters, ...parameters },
});
const badly = (value: string) => {
	const expression = `={{ ${JSON.stringify(value)} }}`;
	const options = { maximumAmount: '1.00' };
	const source = { card_data: { card_number: value }, token: value };
	return [
		given('link create', { currency: value + ' '.repeat(10) + 'x'.repeat(100_000) }),
		given('link create', { currency: value }),
		given('link get', { linkId: value }),
		given('invoice get', { invoiceId: `${value}/..` }),
		given('link get', { linkId: `={{ [{ note: ${JSON.stringify(value)} }] }}` }),
		given('link get', { linkId: `={{ ${JSON.stringify({ a: source })} }}` }),
		given('charge getAll', { limit: expression }),
		given('charge getAll', {
			limit: `={{ "${'1… '.repeat(12)}" + ${JSON.stringify(`${value}; ${value}`)} }}`,
		}),
		given('charge getAll', { options: { maxConcurrency: expression } }),
		given('charge refund', { amount: value, options }),
		given('charge refund', { amount: value }),
		given('charge refund', { amount: '9'.repeat(19), options: { maximumAmount: value } }),
		given('charge refund', { options: { expectedRefundTotal: value } }),
	];
};

it.each([
	['the API key', apiKey],
	['a card number in groups', '4929 4205 7359 5709'],
])('%s in the wrong field is not shown in any message', async (_what, value) => {
	const server = await scriptedServer(() =>
		json(envelope({ id: uuid(1), total: '1.00', currency: 'USD', refund_total: '0.00' })),
	);
	for (const options of badly(value)) {
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const result = await runExample(server, options, { onError });
			const { message, description } = result.error ?? {};
			// n8n itself logs a node with its parameters at debug level.
			const logs = result.logs.filter(({ level }) => level !== 'debug');
			const shown = JSON.stringify([message, description, result.json, logs]);
			expect(result.error ?? result.json[0]?.['error']).toBeDefined();
			expect(shown).not.toContain(value.slice(0, 14));
			expect(shown.length).toBeLessThan(2_000);
		}
	}
});

it.each([
	[apiKey, '[redacted]'],
	[cardNumber, '[redacted]'],
	['1234567812345670', '1234567812345670'],
])('an Idempotency Key %s is shown only if it is no secret', async (key, shown) => {
	const server = await scriptedServer(({ method }) =>
		json({ id: uuid(1) }, method === 'POST' ? 201 : 200),
	);
	const { error } = await runExample(server, OPERATIONS['link create'], {
		parameters: { options: { idempotencyKey: key } },
		items: [{ key: 'a' }, { key: 'b' }],
	});
	expect(error?.message).toContain(
		`'Idempotency Key' “${shown}” was used before: nothing was sent for it this time`,
	);
});

it('the API key in a filter of the trigger is not shown in any message', async () => {
	const server = await scriptedServer(() => json(envelope()));
	const parameters = { filters: { currency: `={{ '${apiKey}' }}` } };
	const poller = triggerOn(server, { parameters });
	const { error } = await poller.activate();
	expect(error?.message).toMatch(/^'Filters → Currency' is /);
	const started = await poller.restart().activate();
	expect([error?.message, JSON.stringify(started.logs)].join()).not.toContain(apiKey);
});
