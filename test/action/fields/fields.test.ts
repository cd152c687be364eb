import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useFakeClock } from '../../support/clock';
import { json, scriptedServer, type ScriptedServer } from '../../support/http-server';
import { envelope, request, runOperation, sent, uuid } from '../../support/operations';

/** 15 January 2025, noon in UTC. */
beforeEach(() => void useFakeClock());

const ITEM = { name: 'Ticket', amount: '12.50', quantity: 2 };
const LEAST = { currency: 'USD', items: { item: [ITEM] } };
const LEAST_SENT = { currency: 'USD', items: [ITEM] };

let server: ScriptedServer;
beforeEach(async () => {
	server = await scriptedServer(({ method }) =>
		json(method === 'GET' ? envelope() : { id: uuid(1) }),
	);
});

/** The same parameters with each value behind an expression, and the item that they are read from. */
function asExpressions(parameters: INodeParameters): {
	parameters: INodeParameters;
	item: IDataObject;
} {
	const item: IDataObject = {};
	const hide = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(hide);
		if (typeof value === 'object' && value !== null) {
			return Object.fromEntries(
				Object.entries(value).map(([name, entry]) => [
					name,
					['__rl', 'mode'].includes(name) ? (entry as unknown) : hide(entry),
				]),
			);
		}
		const name = `v${Object.keys(item).length}`;
		item[name] = value as IDataObject[string];
		return `={{ $json.${name} }}`;
	};
	return { parameters: hide(parameters) as INodeParameters, item };
}

/** Runs an operation with literals, then with expressions, and gives what was sent by each. */
async function sentBothWays(
	resource: string,
	operation: string,
	parameters: INodeParameters,
): Promise<ReturnType<typeof sent>[]> {
	const literal = await runOperation(server, { resource, operation, parameters });
	expect(literal.error).toBeUndefined();
	const byLiterals = sent(server);
	server.forget();
	const { parameters: expressions, item } = asExpressions(parameters);
	const result = await runOperation(server, {
		resource,
		operation,
		parameters: expressions,
		items: [item],
	});
	expect(result.error).toBeUndefined();
	return [byLiterals, sent(server)];
}

const twice = <T>(value: T): T[] => [value, value];

describe('link create', () => {
	const sendsBody = async (parameters: INodeParameters, body: IDataObject) => {
		expect(await sentBothWays('link', 'create', parameters)).toEqual(
			twice([request('POST', '/v1/links', { body })]),
		);
	};

	it('sends currency and items only, when nothing else is set', async () => {
		await sendsBody(LEAST, LEAST_SENT);
	});

	it.each<[field: string, value: unknown, sentAs: string, sentValue: unknown]>([
		['title', 'Spring workshop', 'title', 'Spring workshop'],
		['note', 'Bring a\nlaptop – “soon”', 'note', 'Bring a\nlaptop – “soon”'],
		['discountPercentage', 15, 'discount_percentage', 15],
		['discountPercentage', 0, 'discount_percentage', 0],
		['shippingAddressRequired', true, 'shipping_address_required', true],
		['shippingAddressRequired', false, 'shipping_address_required', false],
		['allowTip', true, 'allow_tip', true],
		['allowTip', false, 'allow_tip', false],
		['successUrl', 'https://shop.example/ok?a=1#b', 'success_url', 'https://shop.example/ok?a=1#b'],
		['failureUrl', 'http://shop.example', 'failure_url', 'http://shop.example'],
		['allowInstallmentA', false, 'allow_installment_a', false],
		['allowInstallmentA', true, 'allow_installment_a', true],
		['allowInstallmentB', false, 'allow_installment_b', false],
		['allowServiceFee', false, 'allow_service_fee', false],
		['customFields', { field: [{ name: 'Size' }] }, 'custom_fields', [{ name: 'Size' }]],
	])(
		'sends the additional field %s (%p) as %s and no other',
		async (field, value, sentAs, sentValue) => {
			const parameters = { ...LEAST, additionalFields: { [field]: value } } as INodeParameters;
			await sendsBody(parameters, { ...LEAST_SENT, [sentAs]: sentValue as IDataObject });
		},
	);

	it.each(['title', 'note', 'successUrl', 'failureUrl', 'discountPercentage', 'allowTip'])(
		'leaves %s out when its expression finds nothing',
		async (field) => {
			const parameters = { ...LEAST, additionalFields: { [field]: '={{ $json.missing }}' } };
			const result = await runOperation(server, {
				resource: 'link',
				operation: 'create',
				parameters,
			});
			expect(result.error).toBeUndefined();
			expect(sent(server)).toEqual([request('POST', '/v1/links', { body: LEAST_SENT })]);
		},
	);

	it('leaves text fields out that were added and left empty', async () => {
		const additionalFields = { title: '', note: '', successUrl: '', failureUrl: '' };
		await sendsBody({ ...LEAST, additionalFields }, LEAST_SENT);
	});

	it('sends no expiry for a link that never expires, whatever is left in the hidden fields', async () => {
		await sendsBody(
			{ ...LEAST, expiry: 'never', paymentExpiryLimit: 3, expiryDate: '2025-02-01' },
			LEAST_SENT,
		);
	});

	it('sends a number of payments and no date', async () => {
		await sendsBody(
			{ ...LEAST, expiry: 'afterPayments', paymentExpiryLimit: 3, expiryDate: '2025-02-01' },
			{ ...LEAST_SENT, payment_expiry_limit: 3 },
		);
	});

	it('sends the day alone of a date and time, and no number of payments', async () => {
		await sendsBody(
			{ ...LEAST, expiry: 'onDate', expiryDate: '2025-02-01T00:00:00', paymentExpiryLimit: 3 },
			{ ...LEAST_SENT, expiry_date: '2025-02-01' },
		);
	});

	it.each([
		["DateTime.fromISO('2025-03-01T23:00:00', { zone: 'America/New_York' })", '2025-03-01'],
		['$today.set({ year: 2100, month: 1, day: 1 })', '2100-01-01'],
		["new Date('2025-03-01T10:00:00Z')", '2025-03-01'],
		["'2025-03-01T23:30:00.000-05:00'", '2025-03-01'],
	])('takes the day of what the expression %s gives', async (expression, day) => {
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LEAST, expiry: 'onDate', expiryDate: `={{ ${expression} }}` },
		});
		expect(result.error).toBeUndefined();
		expect(sent(server)).toMatchObject([{ body: { expiry_date: day } }]);
	});

	it('sends every field at once, items and custom fields in their order', async () => {
		const item = [ITEM, { name: 'Lunch', amount: '0.99', quantity: 2_147_483_647 }];
		await sendsBody(
			{
				currency: 'EUR',
				items: { item },
				expiry: 'afterPayments',
				paymentExpiryLimit: 1,
				additionalFields: {
					title: 'T',
					note: 'N',
					discountPercentage: 100,
					shippingAddressRequired: true,
					allowTip: true,
					customFields: { field: [{ name: 'B' }, { name: 'A' }] },
					successUrl: 'https://a.example/',
					failureUrl: 'https://b.example/',
					allowInstallmentA: false,
					allowInstallmentB: true,
					allowServiceFee: false,
				},
			},
			{
				currency: 'EUR',
				items: item,
				payment_expiry_limit: 1,
				title: 'T',
				note: 'N',
				discount_percentage: 100,
				shipping_address_required: true,
				allow_tip: true,
				custom_fields: [{ name: 'B' }, { name: 'A' }],
				success_url: 'https://a.example/',
				failure_url: 'https://b.example/',
				allow_installment_a: false,
				allow_installment_b: true,
				allow_service_fee: false,
			},
		);
	});

	it('sends no keys of an item or a custom field that the service does not know', async () => {
		await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: {
				currency: 'USD',
				items: { item: [{ ...ITEM, sku: 'S-1' }] },
				additionalFields: { customFields: { field: [{ name: 'Size', is_required: true }] } },
			},
		});
		expect(sent(server)).toEqual([
			request('POST', '/v1/links', { body: { ...LEAST_SENT, custom_fields: [{ name: 'Size' }] } }),
		]);
	});

	it.each<[INodeParameters]>([[{}], [{ field: [] }]])(
		'sends no custom fields when all were removed again: %p',
		async (customFields) => {
			await sendsBody({ ...LEAST, additionalFields: { customFields } }, LEAST_SENT);
		},
	);

	it('turns what an expression gives into the type that the service wants', async () => {
		await runOperation(server, {
			resource: 'link',
			operation: 'create',
			items: [{ price: 12.5, pieces: '2', code: ' usd ', off: '10', tip: 'true', title: 2025 }],
			parameters: {
				currency: '={{ $json.code }}',
				items: {
					item: [{ name: 'Ticket', amount: '={{ $json.price }}', quantity: '={{ $json.pieces }}' }],
				},
				additionalFields: {
					discountPercentage: '={{ $json.off }}',
					allowTip: '={{ $json.tip }}',
					title: '={{ $json.title }}',
				},
			},
		});
		expect(sent(server)[0]?.body).toEqual({
			currency: 'USD',
			items: [{ name: 'Ticket', amount: '12.5', quantity: 2 }],
			discount_percentage: 10,
			allow_tip: true,
			title: '2025',
		});
	});

	it('sends a currency that ISO 4217 does not list, when an expression gives it', async () => {
		const parameters = { ...LEAST, currency: "={{ 'ZZZ' }}" };
		await runOperation(server, { resource: 'link', operation: 'create', parameters });
		expect(sent(server)[0]?.body).toEqual({ ...LEAST_SENT, currency: 'ZZZ' });
	});
});

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

describe.each([
	['charge', '/v1/charges', CHARGE_FILTERS],
	['customer', '/v1/customers', CUSTOMER_FILTERS],
] as const)('%s getAll', (resource, path, filters) => {
	const PAGE = { page: '1', page_size: '50' };
	const list = (query: Record<string, string>) => twice([request('GET', path, { query })]);

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

	it.each(filters)('sends the filter %s (%p) and no other', async (filter, value, query) => {
		const parameters = { filters: { [filter]: value } } as INodeParameters;
		expect(await sentBothWays(resource, 'getAll', parameters)).toEqual(list({ ...query, ...PAGE }));
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

	it('asks for one page alone, with the filters, when Page is set', async () => {
		const options = { page: 3, pageSize: 20 };
		const [[filter, value, query]] = filters as [(typeof CHARGE_FILTERS)[number]];
		const parameters = { filters: { [filter]: value }, options } as INodeParameters;
		expect(await sentBothWays(resource, 'getAll', parameters)).toEqual(
			list({ ...query, page: '3', page_size: '20' }),
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
			{ user: { id: uuid(2), first_name: 'Ada', last_name: 'Lovelace' }, note: 'x' },
			{ user_name: 'Ada Lovelace' },
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
