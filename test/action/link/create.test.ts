import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ITEM, LINK as LEAST, server } from '../../support/linkService';
import { request, runOperation, sent } from '../../support/operations';

const LEAST_SENT = { currency: 'USD', items: [ITEM] };

describe('link create', () => {
	const sendsBody = async (parameters: INodeParameters, body: IDataObject) => {
		const options = { resource: 'link', operation: 'create', parameters };
		expect((await runOperation(server, options)).error).toBeUndefined();
		expect(sent(server)).toEqual([request('POST', '/v1/links', { body })]);
	};

	it('sends currency and items only, when nothing else is set', async () => {
		await sendsBody(LEAST, LEAST_SENT);
	});

	it.each<[field: string, value: unknown, sentAs: string, sentValue: unknown]>([
		['title', 'Spring workshop', 'title', 'Spring workshop'],
		['note', 'Bring a\nlaptop – “soon”', 'note', 'Bring a\nlaptop – “soon”'],
		['discountPercentage', 0, 'discount_percentage', 0],
		['shippingAddressRequired', true, 'shipping_address_required', true],
		['allowTip', true, 'allow_tip', true],
		['successUrl', 'https://shop.example/ok?a=1#b', 'success_url', 'https://shop.example/ok?a=1#b'],
		['failureUrl', 'http://shop.example', 'failure_url', 'http://shop.example'],
		['allowInstallmentA', false, 'allow_installment_a', false],
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

	it('leaves fields out that were left empty, or whose expression finds nothing', async () => {
		const additionalFields = {
			...{ title: '', note: '', successUrl: '', failureUrl: '={{ $json.missing }}' },
			...{ discountPercentage: '={{ $json.missing }}', allowTip: '={{ $json.missing }}' },
		};
		await sendsBody({ ...LEAST, additionalFields }, LEAST_SENT);
	});

	it.each([
		["DateTime.fromISO('2025-03-01T23:00:00', { zone: 'America/New_York' })", '2025-03-01'],
		['$today.set({ year: 2100, month: 1, day: 1 })', '2100-01-01'],
		["new Date('2025-03-02T01:00:00Z')", '2025-03-01'],
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

	it('takes 5 custom fields, each with a name, and sends none when all were removed again', async () => {
		const create = async (names: string[]) => {
			server.forget();
			const customFields = { field: names.map((name) => ({ name })) };
			const parameters = { ...LEAST, additionalFields: { customFields } };
			return await runOperation(server, { resource: 'link', operation: 'create', parameters });
		};
		expect((await create([])).error).toBeUndefined();
		expect(sent(server)[0]?.body).toEqual(LEAST_SENT);
		expect((await create(['A', 'B', 'C', 'D', 'E'])).error).toBeUndefined();
		expect((await create(['A', 'B', 'C', 'D', 'E', 'F'])).error?.message).toBe(
			'Custom Fields has 6 entries: the limit is 5',
		);
		expect((await create(['A', '={{ " " }}'])).error?.message).toBe(
			'Custom Fields → Field 2 → Name is empty',
		);
		expect(server.requests).toEqual([]);
	});

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
});
