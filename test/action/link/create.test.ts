import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useFakeClock } from '../../support/clock';
import { json, scriptedServer, type ScriptedServer } from '../../support/servers/http-server';
import { envelope, request, runOperation, sent, uuid } from '../../support/operations';
import { bothWays, twice } from '../fields/bothWays';

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

const sentBothWays = async (resource: string, operation: string, parameters: INodeParameters) =>
	await bothWays(server, { resource, operation, parameters });

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
		["DateTime.fromISO('2025-03-02T01:00:00Z').toUTC()", '2025-03-01'],
		["new Date('2025-03-02T01:00:00Z')", '2025-03-01'],
		["'2025-03-02T01:00:00Z'", '2025-03-01'],
	])('takes the day in New York of what the expression %s gives', async (expression, day) => {
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LEAST, expiry: 'onDate', expiryDate: `={{ ${expression} }}` },
			timeZone: 'America/New_York',
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

	it.each<[INodeParameters, RegExp]>([
		[{ item: [{ amount: '12.50', quantity: 1 }] }, /Parameter "Name" is required/],
		[{ item: [{ ...ITEM, name: '={{ $json.nothing }}' }] }, /^Items → Item 1 → Name is/],
	])('refuses %j, though the editor begins with an item that has a name', async (items, reason) => {
		const parameters = { ...LEAST, items };
		const { error } = await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters,
		});
		expect(error?.message).toMatch(reason);
		expect(server.requests).toEqual([]);
	});

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
