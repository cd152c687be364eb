import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { createPoller, runRouting } from '../../support/engine';
import { json, scriptedServer, type ScriptedServer } from '../../support/servers/http-server';
import { processedData } from '../../support/processedData';
import { credentialsFor, envelope, runOperation, shownFor, uuid } from '../../support/operations';

/**
 * An expression in place of a whole collection. The editor offers none, yet a workflow's JSON may hold one, and n8n
 * drops it before a node runs: filters would list everybody's rows, a refund would lose its Maximum Amount.
 */

let server: ScriptedServer;
beforeAll(async () => {
	const charge = { id: uuid(1), currency: 'USD', total: '20.00', refund_total: '0.00' };
	server = await scriptedServer(({ method }) =>
		json(method === 'GET' ? envelope(charge) : { id: uuid(1), message: 'Refunded' }),
	);
});
beforeEach(() => {
	server.forget();
	processedData.reset();
});

const EXPRESSION = '={{ $json.given }}';
const ITEM = { name: 'Ticket', amount: '1.00', quantity: 1 };
const LINK = { currency: 'USD', items: { item: [ITEM] } };
const CHARGE_ID = { chargeId: { __rl: true, mode: 'id', value: uuid(1) } };
const CHARGE = { ...CHARGE_ID, amount: '5.00' };

const SINCE = { since: '2025-01-01' };

const CASES: Array<[string, string, string, string, INodeParameters, IDataObject]> = [
	['charge', 'get', 'options', 'Options', CHARGE_ID, { includeSensitiveData: true }],
	['charge', 'getAll', 'filters', 'Filters', {}, { currency: 'USD' }],
	['charge', 'getAll', 'options', 'Options', {}, { page: 2 }],
	['charge', 'getEvents', 'filters', 'Filters', SINCE, { currency: 'USD' }],
	['charge', 'getEvents', 'options', 'Options', SINCE, { watchDays: 2 }],
	['charge', 'refund', 'options', 'Options', CHARGE, { maximumAmount: '1.00' }],
	['charge', 'refundFull', 'options', 'Options', CHARGE_ID, { maximumAmount: '1.00' }],
	['customer', 'getAll', 'filters', 'Filters', {}, { email: 'ada@example.com' }],
	['customer', 'getAll', 'options', 'Options', {}, { page: 2 }],
	['link', 'create', 'additionalFields', 'Additional Fields', LINK, { title: 'x'.repeat(51) }],
	['link', 'create', 'options', 'Options', LINK, { idempotencyKey: 'order 1' }],
	['link', 'update', 'updateFields', 'Update Fields', { linkId: uuid(1) }, { status: 'disabled' }],
];

describe.each(CASES)(
	'%s %s with one expression for %s',
	(resource, operation, name, title, rest, given) => {
		const parameters = { ...rest, [name]: EXPRESSION };
		const refusal = `${title} is one expression as a whole: n8n passes on nothing of what it gives`;

		it('is refused by name, before anything is sent, whatever it gives', async () => {
			for (const value of [given, undefined, 'USD']) {
				const items = [{ given: value } as IDataObject];
				const result = await runOperation(server, { resource, operation, parameters, items });
				expect(result.error?.message).toBe(refusal);
				expect(result.error?.description).toContain('each with an expression of its own');
			}
			await expect(
				runRouting({
					nodeType: new PaymentCollection(),
					credentials: credentialsFor(server),
					parameters: { resource, operation, ...parameters },
					items: [{ given }],
				}),
			).rejects.toThrow(refusal);
			expect(server.calls()).toEqual([]);
		});
	},
);

it('the collection itself is taken, each field with an expression of its own', async () => {
	const { error } = await runOperation(server, {
		resource: 'charge',
		operation: 'getAll',
		parameters: { filters: { currency: EXPRESSION } },
		items: [{ given: 'USD' }],
	});
	expect(error).toBeUndefined();
	expect(server.calls()).toEqual(['GET /v1/charges']);
});

describe.each([
	['filters', { filters: '={{ { "currency": "USD" } }}' }],
	['options', { options: '={{ { "lookbackMinutes": 30 } }}' }],
])('the trigger with one expression for %s', (_name, parameters) => {
	it('is refused by name at activation and when it fetches a test event', async () => {
		const poller = createPoller({
			nodeType: new PaymentCollectionTrigger(),
			credentials: credentialsFor(server),
			parameters,
		});
		for (const outcome of [await poller.activate(), await poller.fetchTestEvent()]) {
			expect(outcome.error?.message).toContain('is one expression as a whole');
		}
		expect(server.calls()).toEqual([]);
	});
});

it('every collection of every operation is tried', () => {
	const collections = new PaymentCollection().description.properties
		.filter(({ type }) => type === 'collection')
		.flatMap((field) => shownFor(field).map((operation) => `${operation} ${field.name}`));
	const tried = CASES.map(([resource, operation, name]) => `${resource} ${operation} ${name}`);
	expect(collections.sort()).toEqual(tried.sort());
});

describe('the trace that such an expression leaves', () => {
	const collections = new PaymentCollection().description.properties
		.filter(({ type }) => type === 'collection')
		.map((field): [string, INodeProperties] => [
			JSON.stringify([field.displayOptions?.show, field.name]),
			field,
		]);

	it.each(collections)('of %s is never offered by the editor', (_title, { options = [] }) => {
		const trace = options.find(({ name }) => name === 'length');
		if (trace === undefined) {
			expect(options.map(({ name }) => name)).toContain('search');
			return;
		}
		const isOffered = (values: INodeParameters) =>
			NodeHelpers.displayParameter(values, trace, null, null);
		expect(isOffered({})).toBe(false);
		expect(isOffered({ title: 'x', page: 2 })).toBe(false);
		expect(isOffered({ length: 3 })).toBe(true);
	});
});
