import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useFakeClock } from '../../support/clock';
import {
	empty,
	json,
	scriptedServer,
	type ScriptedServer,
} from '../../support/servers/http-server';
import { LIST_PATHS, LIST_RESOURCES, type ListResource } from '../../support/lists';
import { envelope, request, runOperation, sent, uuid } from '../../support/operations';
import { asExpressions, bothWays, twice } from './bothWays';

/** 15 January 2025, noon in UTC. */
beforeEach(() => void useFakeClock());

let server: ScriptedServer;

beforeEach(async () => {
	// A record and an empty list in one, whichever is asked for.
	server = await scriptedServer(({ method }) =>
		method === 'DELETE' ? empty() : json({ ...envelope(), id: uuid(1) }),
	);
});

const sentBothWays = async (resource: string, operation: string, parameters: INodeParameters) =>
	await bothWays(server, { resource, operation, parameters });

describe('link update', () => {
	const edit = (body: IDataObject) =>
		twice([request('PATCH', `/v1/links/${uuid(1)}/edit`, { body })]);

	it.each<[IDataObject]>([
		[{ title: 'New name' }],
		[{ status: 'disabled' }],
		[{ status: 'enabled' }],
		[{ title: 'New name', status: 'disabled' }],
		[{ title: '' }],
	])('sends just the fields that were added: %p', async (updateFields) => {
		const parameters = { linkId: uuid(1), updateFields } as INodeParameters;
		expect(await sentBothWays('link', 'update', parameters)).toEqual(edit(updateFields));
	});

	it('leaves a field out when its expression finds nothing', async () => {
		const parameters = {
			linkId: uuid(1),
			updateFields: { title: '={{ $json.missing }}', status: 'disabled' },
		};
		await runOperation(server, { resource: 'link', operation: 'update', parameters });
		expect(sent(server)).toEqual(edit({ status: 'disabled' })[0]);
	});
});

describe.each([
	['link', 'get', 'linkId', 'GET', `/v1/links/${uuid(7)}`],
	['link', 'delete', 'linkId', 'DELETE', `/v1/links/${uuid(7)}/delete`],
	['invoice', 'get', 'invoiceId', 'GET', `/v1/invoices/${uuid(7)}`],
	['checkoutSession', 'get', 'checkoutSessionId', 'GET', `/v1/checkout/${uuid(7)}`],
])('%s %s', (resource, operation, parameter, method, path) => {
	it('sends the identifier in the path, no query and no body', async () => {
		expect(await sentBothWays(resource, operation, { [parameter]: uuid(7) })).toEqual(
			twice([request(method, path)]),
		);
	});

	it('takes an identifier with spaces around it', async () => {
		await runOperation(server, {
			resource,
			operation,
			parameters: { [parameter]: ` ${uuid(7)}\n` },
		});
		expect(sent(server)).toEqual([request(method, path)]);
	});
});

it('checkoutSession get sends an identifier that is no UUID', async () => {
	const expected = twice([request('GET', '/v1/checkout/cs_live-42')]);
	const parameters = { checkoutSessionId: 'cs_live-42' };
	expect(await sentBothWays('checkoutSession', 'get', parameters)).toEqual(expected);
});

const CHARGE_FILTERS: Array<[filter: string, value: unknown, query: Record<string, string>]> = [
	['currency', 'EUR', { currency: 'EUR' }],
	['customerId', { __rl: true, mode: 'id', value: uuid(3) }, { customer_id: uuid(3) }],
	[
		'customerId',
		{ __rl: true, mode: 'list', value: uuid(3), cachedResultName: 'Ann' },
		{ customer_id: uuid(3) },
	],
	['chargeId', uuid(4), { id: uuid(4) }],
	['search', 'Ann & "Bo" + 1/2 €', { search: 'Ann & "Bo" + 1/2 €' }],
	['status', 'authorised', { status: 'authorised' }],
	...['charge', 'checkout', 'creditpayment', 'invoice', 'link'].map(
		(type): [string, unknown, Record<string, string>] => ['type', type, { type }],
	),
];

const CUSTOMER_FILTERS: typeof CHARGE_FILTERS = [
	['businessName', 'Ann & Co', { business_name: 'Ann & Co' }],
	['email', 'ann+shop@example.com', { email: 'ann+shop@example.com' }],
	['firstName', 'Ann', { first_name: 'Ann' }],
	['lastName', "O'Neill", { last_name: "O'Neill" }],
	['customerId', uuid(3), { id: uuid(3) }],
	['search', 'ann', { search: 'ann' }],
];

/** What is asked for when nothing is set. */
const PAGE = { page: '1', page_size: '50' };

const listed = (resource: ListResource, query: Record<string, string>) =>
	twice([request('GET', LIST_PATHS[resource], { query })]);

describe.each(LIST_RESOURCES)('%s getAll', (resource) => {
	const list = (query: Record<string, string>) => listed(resource, query);

	it('asks for the first 50 rows and sends no filter when nothing is set', async () => {
		expect(await sentBothWays(resource, 'getAll', {})).toEqual(list(PAGE));
	});

	it('asks for 100 rows a page with Return All', async () => {
		expect(await sentBothWays(resource, 'getAll', { returnAll: true })).toEqual(
			list({ page: '1', page_size: '100' }),
		);
	});

	it('asks for no more rows than the limit', async () => {
		expect(await sentBothWays(resource, 'getAll', { limit: 7 })).toEqual(
			list({ page: '1', page_size: '7' }),
		);
	});

	it('asks for one page alone when Page is set', async () => {
		const parameters = { options: { page: 3, pageSize: 20 } };
		expect(await sentBothWays(resource, 'getAll', parameters)).toEqual(
			list({ page: '3', page_size: '20' }),
		);
	});

	it('asks for the page size of the options, but for no more than the limit', async () => {
		const parameters = { returnAll: true, options: { pageSize: 250 } };
		expect(await sentBothWays(resource, 'getAll', parameters)).toEqual(
			list({ page: '1', page_size: '250' }),
		);
		server.forget();
		expect(
			await sentBothWays(resource, 'getAll', { limit: 10, options: { pageSize: 250 } }),
		).toEqual(list({ page: '1', page_size: '10' }));
	});

	it('never sends how many requests may be under way, or whether to simplify', async () => {
		const parameters: INodeParameters = { simplify: true, options: { maxConcurrency: 2 } };
		expect(await sentBothWays(resource, 'getAll', parameters)).toEqual(list(PAGE));
	});

	it('gives no items for an empty list', async () => {
		const result = await runOperation(server, { resource, operation: 'getAll' });
		expect(result.status).toBe('success');
		expect(result.items).toEqual([]);
	});
});

describe.each([
	['charge', CHARGE_FILTERS],
	['customer', CUSTOMER_FILTERS],
] as const)('%s getAll', (resource, filters) => {
	const list = (query: Record<string, string>) => listed(resource, query);

	it.each(filters)('sends the filter %s (%p) and no other', async (filter, value, query) => {
		const parameters = { filters: { [filter]: value } } as INodeParameters;
		expect(await sentBothWays(resource, 'getAll', parameters)).toEqual(list({ ...query, ...PAGE }));
	});

	it.each<[string, unknown]>([
		['chosen from the list', { __rl: true, mode: 'list', value: uuid(7), cachedResultName: 'Ana' }],
		['by its ID', { __rl: true, mode: 'id', value: ` ${uuid(7)}\n` }],
		['as plain text', ` ${uuid(7)} `],
	])('takes the one %s', async (_how, value) => {
		const filter = resource === 'charge' ? 'chargeId' : 'customerId';
		const parameters = { filters: { [filter]: value } } as INodeParameters;
		expect(await sentBothWays(resource, 'getAll', parameters)).toEqual(
			list({ id: uuid(7), ...PAGE }),
		);
	});

	it.each<[string, unknown]>([
		['of the ID', { __rl: true, mode: 'id', value: `={{ " ${uuid(7)}" }}` }],
		['that gives plain text', `={{ "${uuid(7)} " }}`],
		['that gives one chosen', `={{ { "mode": "id", "value": "${uuid(7)}" } }}`],
	])('takes the one by an expression %s', async (_how, value) => {
		const filter = resource === 'charge' ? 'chargeId' : 'customerId';
		const parameters = { filters: { [filter]: value } } as INodeParameters;
		await runOperation(server, { resource, operation: 'getAll', parameters });
		expect(server.requests.map(({ query }) => query)).toEqual([{ id: uuid(7), ...PAGE }]);
	});

	it('sends all filters together', async () => {
		const parameters = {
			filters: Object.fromEntries(filters.map(([filter, value]) => [filter, value])),
		} as INodeParameters;
		const query = Object.fromEntries(filters.flatMap(([, , one]) => Object.entries(one)));
		expect(await sentBothWays(resource, 'getAll', parameters)).toEqual(list({ ...query, ...PAGE }));
	});

	it.each(filters.filter(([, value]) => typeof value === 'string'))(
		'refuses the filter %s when its expression finds nothing, rather than list everything',
		async (filter) => {
			const result = await runOperation(server, {
				resource,
				operation: 'getAll',
				parameters: { filters: { [filter]: '={{ $json.missing }}' } },
			});
			expect(result.error?.message).toMatch(/^Filter /);
			expect(server.requests).toEqual([]);
		},
	);

	it.each(['', '  ', '={{ $json.missing }}'])(
		'refuses %p for the one it chooses',
		async (value) => {
			const filter = resource === 'charge' ? 'chargeId' : 'customerId';
			const result = await runOperation(server, {
				resource,
				operation: 'getAll',
				parameters: { filters: { [filter]: { __rl: true, mode: 'list', value } } },
			});
			expect(result.error?.message).toMatch(/^Filter (Charge|Customer) is empty$/);
			expect(server.requests).toEqual([]);
		},
	);

	it('asks for one page alone, with the filters, when Page is set', async () => {
		const options = { page: 3, pageSize: 20 };
		const [[filter, value, query]] = filters as [(typeof CHARGE_FILTERS)[number]];
		const parameters = { filters: { [filter]: value }, options } as INodeParameters;
		expect(await sentBothWays(resource, 'getAll', parameters)).toEqual(
			list({ ...query, page: '3', page_size: '20' }),
		);
	});
});

describe('simplify', () => {
	const whole = { id: uuid(1), created: '2025-01-01T00:00:00Z', unknown_field: 1 };

	it.each([
		[
			'charge',
			{ total: '1.00', net: 0.9, items: [] },
			{ total: '1.00', net: 0.9, user_name: null },
		],
		[
			'charge',
			{ user: { id: uuid(2), first_name: 'Ada', last_name: 'Lovelace' }, note: 'x', tip: '1.00' },
			{ user_name: 'Ada Lovelace', note: 'x' },
		],
		['charge', { user: { first_name: '', last_name: 'Lovelace' } }, { user_name: 'Lovelace' }],
		['charge', { user: { first_name: '', last_name: '' } }, { user_name: null }],
		['charge', { user: 'Ada' }, { user_name: null }],
		['charge', { user: null }, { user_name: null }],
		['customer', { email: 'a@example.com', street: 'x' }, { email: 'a@example.com' }],
	])(
		'keeps the chosen fields of a %s, and none that the service left out',
		async (resource, row, kept) => {
			server.script(() => json(envelope({ ...whole, ...row })));
			const result = await runOperation(server, {
				resource,
				operation: 'getAll',
				parameters: { simplify: true },
			});
			expect(result.json).toEqual([{ id: whole.id, created: whole.created, ...kept }]);
		},
	);
});

describe('charge refund', () => {
	const refunded = (total: string) =>
		envelope({ id: uuid(1), currency: 'USD', total: '40.00', refund_total: total });
	const read = request('GET', '/v1/charges', { query: { id: uuid(1) } });
	const refundOf = (amount: string) =>
		request('POST', `/v1/charges/${uuid(1)}/refund`, { body: { amount } });

	it.each<[shape: string, chargeId: INodeParameters[string]]>([
		['by ID', { __rl: true, mode: 'id', value: uuid(1) }],
		['from the list', { __rl: true, mode: 'list', value: uuid(1), cachedResultName: '#1' }],
	])('reads the charge, then sends its amount only (%s)', async (_shape, chargeId) => {
		let total = 5;
		server.script(({ method }) => {
			if (method === 'GET') return json(refunded(total.toFixed(2)));
			total += 7.5;
			return json({ message: 'Refunded' });
		});
		const refundWith = async (isExpression: boolean) => {
			server.forget();
			const expectedRefundTotal = total.toFixed(2);
			const options = { maximumAmount: '10', expectedRefundTotal, onAlreadyRefunded: 'fail' };
			const parameters = { chargeId, amount: '7.50', options };
			const expressions = asExpressions(parameters);
			const result = await runOperation(server, {
				resource: 'charge',
				operation: 'refund',
				...(isExpression
					? { parameters: expressions.parameters, items: [expressions.item] }
					: { parameters }),
			});
			expect(result.error).toBeUndefined();
			return sent(server);
		};
		expect(await refundWith(false)).toEqual([read, refundOf('7.50')]);
		expect(await refundWith(true)).toEqual([read, refundOf('7.50')]);
	});

	it('takes a plain ID in place of a resource locator, as older workflows and agents give it', async () => {
		server.script(({ method }) =>
			json(method === 'GET' ? refunded('5.00') : { message: 'Refunded' }),
		);
		await runOperation(server, {
			resource: 'charge',
			operation: 'refund',
			items: [{ id: uuid(1) }],
			parameters: { chargeId: '={{ $json.id }}', amount: '7.50' },
		});
		expect(sent(server)).toEqual([read, refundOf('7.50')]);
	});
});
