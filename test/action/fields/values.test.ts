import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { createPoller, runNode, type RunOptions } from '../../support/engine';
import {
	afterOthers,
	failure,
	json,
	scriptedServer,
	type ScriptedServer,
} from '../../support/servers/http-server';
import { credentialsFor, envelope, uuid } from '../../support/operations';
import { PLANTED } from '../../support/secrets/secrets';

/** Values that expressions can give and nobody meant: each field takes what is its own, and says so of anything else. */

/** Set by a test: called with each request before it is answered. */
let onRequest: (body: string) => void = () => undefined;
let server: ScriptedServer;
beforeAll(async () => {
	server = await scriptedServer(async ({ method, path, query, body }) => {
		const text = JSON.stringify(body ?? '');
		onRequest(text);
		if (text.includes('refused')) return failure(400, 'no');
		if (path === '/v1/customers') return await afterOthers(json(envelope({ id: uuid(1) })));
		const charge = { id: query['id'], currency: 'USD', total: '20.00', refund_total: '0.00' };
		return json(method === 'GET' ? envelope(charge) : { id: uuid(1), message: 'Refunded' });
	});
});
beforeEach(() => {
	server.forget();
	onRequest = () => undefined;
});

const run = async (parameters: INodeParameters, more: Partial<RunOptions> = {}) =>
	await runNode({
		nodeType: new PaymentCollection(),
		credentials: credentialsFor(server),
		parameters,
		...more,
	});

const LINK = {
	resource: 'link',
	operation: 'create',
	currency: 'USD',
	items: { item: [{ name: 'Ticket', amount: '1.00', quantity: 1 }] },
};

const refund = (charge: number, options: INodeParameters, amount = '1.00') => ({
	resource: 'charge',
	operation: 'refund',
	chargeId: { __rl: true, mode: 'id', value: uuid(charge) },
	amount,
	options,
});

const bodies = () =>
	server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

it('of many items that begin together, the one that allows the fewest requests decides', async () => {
	const limits = [...Array.from({ length: 11 }, () => 16), 1];
	await run(
		{
			resource: 'customer',
			operation: 'getAll',
			options: { maxConcurrency: '={{ $json.limit }}' },
		},
		{ items: limits.map((limit) => ({ limit })) },
	);
	expect(Math.max(...server.requests.map(({ inFlight }) => inFlight))).toBe(1);
});

it('a choice is read once, so that just one rule of expiry goes out whatever its expression gives', async () => {
	let reads = 0;
	const choice = { toString: () => (reads++ % 2 === 0 ? 'afterPayments' : 'onDate') };
	await run(
		{
			...LINK,
			expiry: '={{ String($json.choice) }}',
			paymentExpiryLimit: 3,
			expiryDate: '2999-01-31',
		},
		{ items: Array.from({ length: 30 }, () => ({ choice })) },
	);
	const rules = (bodies() as object[]).map(
		(body) => Number('payment_expiry_limit' in body) + Number('expiry_date' in body),
	);
	expect([...new Set(rules)]).toEqual([1]);
});

describe('an object that has a mode and a value, as a tax of the service does, is no locator', () => {
	const items = [
		{ tax: { name: 'VAT', mode: 'percentage', mode_value: '5', value: '12.00' } },
	] satisfies IDataObject[];

	it.each<[string, INodeParameters]>([
		['Maximum Amount', refund(41, { maximumAmount: '={{ $json.tax }}' })],
		['Expected Refund Total', refund(41, { expectedRefundTotal: '={{ $json.tax }}' })],
		['Amount', refund(41, {}, '={{ $json.tax }}')],
		['Title', { ...LINK, additionalFields: { title: '={{ $json.tax }}' } }],
	])('for %s', async (field, parameters) => {
		const { error } = await run(parameters, { items });
		expect(error?.message).toMatch(new RegExp(`^${field} is `));
		expect(bodies()).toEqual([]);
	});
});

it('the API key that was given for a filter is in no message of the trigger', async () => {
	const poller = createPoller({
		nodeType: new PaymentCollectionTrigger(),
		credentials: credentialsFor(server),
		parameters: { filters: { currency: `={{ '${PLANTED.apiKey}' }}` } },
	});
	for (const { error } of [await poller.activate(), await poller.fetchTestEvent()]) {
		expect(error?.message).toMatch(/^Filter Currency is /);
		expect(error?.message).not.toContain(PLANTED.apiKey);
	}
	const started = await poller.restart('init').activate();
	expect(JSON.stringify(started.logs)).not.toContain(PLANTED.apiKey);
});

it.each([
	['Timeout', (broken: string) => ({ timeout: broken })],
	['Batching', (broken: string) => ({ batching: { batch: { batchSize: broken } } })],
])(
	'%s that can’t be read in a later try does not hide what was created',
	async (_name, options) => {
		let isBroken = false;
		const items = [{ name: 'Ticket' }, { name: 'refused' }].map((item) => ({
			...item,
			size: { toString: () => (isBroken ? 'broken' : '1') },
		})) as unknown as IDataObject[];
		onRequest = (body) => (isBroken ||= body.includes('refused'));
		const { error } = await run(
			{
				...LINK,
				items: { item: [{ name: '={{ $json.name }}', amount: '1.00', quantity: 1 }] },
				requestOptions: options(
					"={{ String($json.size) === 'broken' ? $('Nowhere').item.json.x : 1000 }}",
				),
			},
			{ items, retryOnFail: { maxTries: 2 } },
		);
		expect(isBroken).toBe(true);
		expect(error?.description).toContain('item 1: link');
	},
);
