import type { IDataObject, INodeParameters } from 'n8n-workflow';
import '../../support/clock';
import { hintsOf } from '../../support/lists';
import {
	OPERATIONS,
	request,
	runExample,
	runOperation,
	sent,
	uuid,
	type OperationOptions,
} from '../../support/operations';
import {
	empty,
	failure,
	json,
	scriptedServer,
	type ScriptedServer,
} from '../../support/servers/http-server';

let server: ScriptedServer;
beforeEach(async () => {
	server = await scriptedServer(() => json({ id: uuid(1) }));
});

const ITEM = { name: 'Ticket', amount: '12.50', quantity: 1 };
const LEAST = { currency: 'USD', items: { item: [ITEM] } };
const LEAST_SENT = { currency: 'USD', items: [ITEM] };

describe('link create', () => {
	const create = async (parameters: INodeParameters, options: Partial<OperationOptions> = {}) => {
		const operation = { resource: 'link', operation: 'create' };
		return await runOperation(server, { ...operation, parameters, ...options });
	};
	const sendsBody = async (parameters: INodeParameters, body: IDataObject) => {
		expect((await create(parameters)).error).toBeUndefined();
		expect(sent(server)).toEqual([request('POST', '/v1/links', { body })]);
	};

	it('sends each additional field by the name that the service knows', async () => {
		const title = 'Spring workshop';
		const note = 'Bring a\nlaptop – “soon”';
		const [success, failure] = ['https://shop.example/ok?a=1#b', 'http://shop.example'];
		const field = [{ name: 'Size' }];
		const given = {
			...{ title, note, discountPercentage: 0, customFields: { field } },
			...{ successUrl: success, failureUrl: failure },
		};
		const body = {
			...{ title, note, discount_percentage: 0, custom_fields: field },
			...{ success_url: success, failure_url: failure },
		};
		await sendsBody({ ...LEAST, additionalFields: given }, { ...LEAST_SENT, ...body });
	});

	it.each([
		['allowInstallmentA', 'allow_installment_a'],
		['allowInstallmentB', 'allow_installment_b'],
		['allowServiceFee', 'allow_service_fee'],
		['allowTip', 'allow_tip'],
		['shippingAddressRequired', 'shipping_address_required'],
	])('sends %s as %s and no other', async (field, sentAs) => {
		const additionalFields = { [field]: false };
		await sendsBody({ ...LEAST, additionalFields }, { ...LEAST_SENT, [sentAs]: false });
	});

	it('does not send empty fields, or fields whose expression returns nothing', async () => {
		const additionalFields = {
			...{ title: '', note: '', successUrl: '', failureUrl: '={{ $json.missing }}' },
			...{ discountPercentage: '={{ $json.missing }}', allowTip: '={{ $json.missing }}' },
		};
		await sendsBody({ ...LEAST, additionalFields }, LEAST_SENT);
	});

	it('has one hint for each field whose expression returned nothing for an item', async () => {
		const additionalFields = {
			title: '',
			allowTip: '={{ $json.tip }}',
			discountPercentage: '={{ $json.off }}',
		};
		const items = [{ tip: true, off: 10 }, { off: 20 }, {}];
		// n8n drops the hints of a failed attempt.
		const failing = await scriptedServer((_request, count) =>
			count <= items.length ? failure(422, 'no') : json({ id: uuid(1) }),
		);
		const result = await runExample(failing, OPERATIONS['link create'], {
			parameters: { ...LEAST, additionalFields },
			items,
			retryOnFail: { maxTries: 2 },
		});
		expect(hintsOf(result)).toEqual([
			"Item 2 of 3: 'Allow Tip' was not sent because it is empty",
			"Item 3 of 3: 'Discount Percentage' was not sent because it is empty",
		]);
	});

	const fieldsNamed = (...names: string[]) => ({
		customFields: { field: names.map((name) => ({ name })) },
	});

	it('takes five custom fields', async () => {
		const names = ['A', 'B', 'C', 'D', 'E'];
		const parameters = { ...LEAST, additionalFields: fieldsNamed(...names) };
		const custom_fields = names.map((name) => ({ name }));
		await sendsBody(parameters, { ...LEAST_SENT, custom_fields });
	});

	it.each<[INodeParameters, string]>([
		[fieldsNamed('A', 'B', 'C', 'D', 'E', 'F'), "'Custom Fields' has 6 entries: the limit is 5"],
		[fieldsNamed('A', '={{ " " }}'), "'Custom Fields → Field 2 → Name' is empty"],
		[
			{ ...fieldsNamed('Size'), customFieldsJson: '["Delivery"]' },
			"'Custom Fields' is set in two ways: use only one of them",
		],
		[
			{ customFieldsJson: '["A", "B", "C", "D", "E", "F"]' },
			"'Custom Fields' has 6 entries: the limit is 5",
		],
		[{ customFieldsJson: '["A", " "]' }, "'Custom Fields → Field 2 → Name' is empty"],
		[{ customFieldsJson: 'Size' }, '\'Custom Fields\' is "Size": it must be a JSON list'],
	])('refuses the custom fields %j', async (additionalFields, reason) => {
		const { error } = await create({ ...LEAST, additionalFields });
		expect(error?.message).toBe(reason);
		expect(server.requests).toEqual([]);
	});

	const LINES = [
		{ name: 'Ticket', amount: '12.50', quantity: 2 },
		{ name: 'Lunch', amount: 9.9, quantity: '1', sku: 'L-1' },
		{ name: 'Map', amount: '0.10', quantity: 10 },
	];
	const LINES_SENT = [LINES[0], { name: 'Lunch', amount: '9.9', quantity: 1 }, LINES[2]];

	it.each([
		['an expression', '={{ $json.lines }}', LINES_SENT],
		['an expression that returns text', '={{ JSON.stringify($json.lines) }}', LINES_SENT],
		['JSON', `\ufeff${JSON.stringify(LINES)}`, LINES_SENT],
		['one line that is no list, as from XML', '={{ $json.lines[0] }}', LINES_SENT.slice(0, 1)],
	])('takes all lines of an order from %s', async (_form, itemsJson, items) => {
		const parameters = { currency: 'USD', itemsInput: 'json', itemsJson };
		await create(parameters, { items: [{ lines: LINES }] });
		expect(sent(server)).toEqual([
			request('POST', '/v1/links', { body: { currency: 'USD', items } }),
		]);
	});

	it.each<[unknown, RegExp]>([
		['', /^'Items' is "": it must be a JSON list/],
		['Ticket, 12.50', /^'Items' is "Ticket, 12\.50": it must be a JSON list/],
		[[], /^'Items' has 0 entries: at least 1 is required/],
		[undefined, /^'Items' is .*: it must be a JSON list/],
		[[LINES[0], 'Lunch'], /^'Items → Item 2' is "Lunch": it must have name, amount, quantity/],
		[[LINES[0], { ...LINES[1], amount: '9,90' }], /^'Items → Item 2 → Amount' is "9,90"/],
		[
			[{ ...LINES[0], amount: '1.005' }],
			/^'Items → Item 1 → Amount' is "1\.005": it has 3 decimal/,
		],
		[[{ ...LINES[0], quantity: 0 }], /^'Items → Item 1 → Quantity' is 0/],
		[[{ amount: '1', quantity: 1 }], /^'Items → Item 1 → Name' is empty/],
		[{ items: LINES }, /^'Items → Item 1' is \{"items":.*: it must have name, amount, quantity/],
		[[{ Name: 'Ticket', Price: 1 }], /^'Items → Item 1' is \{"Name":.*: it must have name, amount/],
	])('names the place of a line that can’t be sent: %j', async (lines, reason) => {
		const parameters = { currency: 'USD', itemsInput: 'json', itemsJson: '={{ $json.lines }}' };
		const { error } = await create(parameters, { items: [{ lines } as IDataObject] });
		expect(error?.message).toMatch(reason);
		expect(server.requests).toEqual([]);
	});

	it.each<[amounts: unknown[], isPaid: boolean]>([
		[['0'], false],
		[[0, '0.00'], false],
		[['0', '0'], false],
		[[0, '0.01'], true],
	])('needs an amount above 0 in at least one item: %j', async (amounts, isPaid) => {
		const lines = amounts.map((amount) => ({ ...ITEM, amount })) as IDataObject[];
		const ways: INodeParameters[] = [
			{ items: { item: lines as INodeParameters[] } },
			{ itemsInput: 'json', itemsJson: '={{ $json.lines }}' },
		];
		for (const way of ways) {
			// Discount and tip don't matter.
			const additionalFields = { discountPercentage: 100, allowTip: true };
			const parameters = { currency: 'USD', additionalFields, ...way };
			const { error } = await create(parameters, { items: [{ lines }] });
			expect(error?.message).toBe(
				isPaid ? undefined : "'Items' can’t be paid for: every amount is 0",
			);
		}
		expect(server.requests).toHaveLength(isPaid ? 2 : 0);
	});

	it.each<[unknown]>([
		[['Size', 'Delivery']],
		['["Size", {"name": "Delivery"}]'],
		[[{ name: 'Size', is_required: true }, { name: 'Delivery' }]],
	])('takes custom fields as a list: %j', async (given) => {
		const additionalFields = { customFieldsJson: '={{ $json.given }}' };
		await create({ ...LEAST, additionalFields }, { items: [{ given } as IDataObject] });
		const body = { ...LEAST_SENT, custom_fields: [{ name: 'Size' }, { name: 'Delivery' }] };
		expect(sent(server)).toEqual([request('POST', '/v1/links', { body })]);
	});

	it.each<[string, INodeParameters]>([
		['Custom Fields', { customFields: { field: [] } }],
		['Custom Fields (JSON)', { customFieldsJson: '={{ [] }}' }],
		['Custom Fields (JSON)', { customFieldsJson: '={{ " " }}' }],
		['Title', { title: '={{ "" }}' }],
	])('has a hint for an added field that is empty: %s %j', async (title, additionalFields) => {
		const result = await create({ ...LEAST, additionalFields });
		expect(hintsOf(result)).toEqual([`'${title}' was not sent because it is empty`]);
		expect(sent(server)).toEqual([request('POST', '/v1/links', { body: LEAST_SENT })]);
	});

	it.each([
		['never', {}],
		['afterPayments', { payment_expiry_limit: 2 }],
		['onDate', { expiry_date: '2025-02-01' }],
	])('sends only the chosen expiry rule: %s', async (expiry, rule) => {
		// Only its own rule needs a date.
		const expiryDate = expiry === 'onDate' ? '2025-02-01' : '';
		const chosen = { expiry: `={{ "${expiry}" }}`, paymentExpiryLimit: 2, expiryDate };
		await sendsBody({ ...LEAST, ...chosen }, { ...LEAST_SENT, ...rule });
	});
});

it.each([{}, { title: 'A' }, undefined])('link update returns its ID after %j', async (body) => {
	const answering = await scriptedServer(() => (body === undefined ? empty() : json(body)));
	for (const simplify of [true, false]) {
		const result = await runExample(answering, OPERATIONS['link update'], {
			parameters: { updateFields: { title: 'A' }, simplify },
		});
		// The output contains nothing of the request.
		const rest = simplify ? { url: null, title: null, status: null } : {};
		expect(result.json).toEqual([expect.objectContaining({ ...rest, id: uuid(1), ...body })]);
		expect(Object.keys(result.json[0] ?? {}).length === 10).toBe(simplify);
	}
});

it.each<[string, IDataObject, string[]]>([
	['={{ $json.title }}', {}, ["'Title' was not sent because it is empty"]],
	['={{ " " }}', {}, ["'Title' was not sent because it is empty"]],
	['', { title: '' }, []],
])(
	'link update with the title %j removes it only if it was left empty in the editor',
	async (title, sentTitle, warnings) => {
		const result = await runExample(server, OPERATIONS['link update'], {
			parameters: { updateFields: { title, status: 'disabled' } },
			items: [{ key: uuid(1), title: '' }],
		});
		expect(hintsOf(result)).toEqual(warnings);
		const body = { status: 'disabled', ...sentTitle };
		expect(sent(server)).toEqual([request('PATCH', `/v1/links/${uuid(1)}/edit`, { body })]);
	},
);

it.each<[INodeParameters]>([
	[{}],
	[{ title: '={{ $json.missing }}' }],
	[{ title: '={{ null }}', status: '={{ undefined }}' }],
])('link update refuses an update without a change: %p', async (updateFields) => {
	const { error } = await runExample(server, OPERATIONS['link update'], {
		parameters: { updateFields },
	});
	expect(error).toMatchObject({
		message: "There is nothing to update: 'Update Fields' is empty",
		description: "Add 'Title' or 'Status' under 'Update Fields'. Nothing was sent.",
		context: { itemIndex: 0 },
	});
	expect(server.requests).toEqual([]);
});
