import type { INodeParameters } from 'n8n-workflow';

import { useFakeClock } from '../../support/clock';
import { json, scriptedServer, type ScriptedServer } from '../../support/http-server';
import { envelope, runOperation, sent, uuid } from '../../support/operations';
import { PLANTED, findSecrets } from '../../support/secrets';

/** 15 January 2025, noon in UTC. */
beforeEach(() => void useFakeClock());

let server: ScriptedServer;
beforeAll(async () => {
	server = await scriptedServer(({ method }) =>
		json(method === 'GET' ? envelope() : { id: uuid(1) }),
	);
});
beforeEach(() => server.forget());

interface Limit {
	/** What the message must begin with: the field as the editor names it. */
	field: string;
	resource: string;
	operation: string;
	/** Parameters with a value in the field's place. */
	with: (value: unknown) => unknown;
	/** Values that must be taken. */
	inside: unknown[];
	/** Values that must be refused, and what the message must say about each. */
	outside: Array<[value: unknown, says: RegExp]>;
}

const ITEM = { name: 'Ticket', amount: '12.50', quantity: 1 };
const LINK = { currency: 'USD', items: { item: [ITEM] } };

const ofNewLink = (
	field: string,
	withValue: (value: unknown) => object,
	inside: unknown[],
	outside: Limit['outside'],
): Limit => ({
	field,
	resource: 'link',
	operation: 'create',
	with: (value) => ({ ...LINK, ...withValue(value) }),
	inside,
	outside,
});

const additional =
	(name: string) =>
	(value: unknown): object => ({ additionalFields: { [name]: value } });

const lineItem =
	(name: string, currency = 'USD') =>
	(value: unknown): object => ({ currency, items: { item: [{ ...ITEM, [name]: value }] } });

const WHOLE_NUMBERS = (range: string): Limit['outside'] => [
	[1.5, new RegExp(`is 1.5: it must be a whole number from ${range}`)],
	['2.0', new RegExp(`is "2.0": .* ${range}`)],
	['1e2', /is "1e2"/],
	['many', /is "many"/],
	[true, /is true/],
	[Number.NaN, /is NaN/],
	[[1], /is \[1\]/],
	[{ a: 1 }, /is \{"a":1\}/],
];

const NO_URLS: Limit['outside'] = [
	['shop.example/ok', /"shop.example\/ok": it must be a URL that begins with http:\/\/ or https/],
	['ftp://shop.example', /"ftp:/],
	['javascript:alert(1)', /"javascript:/],
	['//shop.example', /"\/\/shop/],
	['https:/shop.example', /"https:\/shop/],
	['http://', /"http:/],
	['https:// shop.example', /"https:/],
	['https:///etc/passwd', /"https:/],
	[`x${'y'.repeat(9_999)}`, /… \(10002 characters\)/],
	[7, /is 7/],
];

/** Identifiers that would lead a request elsewhere, or that no UUID could be. */
const NO_UUIDS: Limit['outside'] = [
	['..', /is "\.\.": it must be a UUID/],
	['%2e%2e', /is "%2e%2e"/],
	['../../v1/links', /UUID/],
	[`${uuid(1)}/edit`, /UUID/],
	[`${uuid(1)}/../${uuid(2)}`, /UUID/],
	[`${uuid(1)}?x=1`, /UUID/],
	[`${uuid(1)}#`, /UUID/],
	[`x${uuid(1)}`, /UUID/],
	[`${uuid(1)}\n${uuid(2)}`, /UUID/],
	['https://evil.example', /UUID/],
	['//evil.example', /UUID/],
	['\\\\evil.example', /UUID/],
	['12345', /UUID/],
	[12345, /is 12345/],
	[true, /is true/],
	['z'.repeat(100_000), /… \(100002 characters\): it must be a UUID/],
];

const NO_AMOUNTS: Limit['outside'] = [
	['12,50', /is "12,50": it must be a decimal number such as 12\.50/],
	['1,250.00', /is "1,250\.00"/],
	['1e3', /is "1e3"/],
	['1.', /is "1\."/],
	['.5', /is "\.5"/],
	['$5', /is "\$5"/],
	['5 USD', /is "5 USD"/],
	['0x10', /is "0x10"/],
	['１２', /is "１２"/],
	['Infinity', /is "Infinity"/],
	['NaN', /is "NaN"/],
	['-1', /is "-1": it must not be negative/],
	[-0.01, /is -0\.01: it must not be negative/],
	[1e21, /a number of this size has lost digits/],
	[2 ** 53 + 2, /lost digits/],
	[Number.NaN, /is NaN: it must be a decimal number/],
	[Number.POSITIVE_INFINITY, /is Infinity/],
	[5n, /is 5: it must be a decimal number/],
	['', /is empty/],
	[null, /is missing/],
	[true, /is true/],
	[['1'], /is \["1"\]/],
];

const LIMITS: Limit[] = [
	ofNewLink(
		'Title',
		additional('title'),
		['t'.repeat(50), 'é'.repeat(50), '😀'.repeat(25)],
		[
			['t'.repeat(51), /is 51 characters long: the limit is 50$/],
			['t'.repeat(100_000), /is 100000 characters long: the limit is 50$/],
			[{ a: 1 }, /must be text/],
			[['a'], /must be text/],
			[true, /must be text/],
		],
	),
	{
		field: 'Title',
		resource: 'link',
		operation: 'update',
		with: (title) => ({ linkId: uuid(1), updateFields: { title } }),
		inside: ['t', 't'.repeat(50)],
		outside: [['t'.repeat(51), /is 51 characters long: the limit is 50$/]],
	},
	ofNewLink(
		'Note',
		additional('note'),
		['n'.repeat(280)],
		[
			['n'.repeat(281), /is 281 characters long: the limit is 280$/],
			[{ a: 1 }, /must be text/],
		],
	),
	ofNewLink(
		'Discount Percentage',
		additional('discountPercentage'),
		[0, 1, 100, '100'],
		[
			[-1, /is -1: it must be a whole number from 0 to 100$/],
			[101, /is 101: .* from 0 to 100$/],
			...WHOLE_NUMBERS('0 to 100'),
		],
	),
	ofNewLink(
		'Payment Expiry Limit',
		(paymentExpiryLimit) => ({ expiry: 'afterPayments', paymentExpiryLimit }),
		[1, 2_147_483_647],
		[
			[0, /is 0: it must be a whole number from 1 to 2147483647$/],
			[-1, /is -1/],
			[2_147_483_648, /is 2147483648/],
			...WHOLE_NUMBERS('1 to 2147483647'),
		],
	),
	ofNewLink(
		'Items → Item 1 → Quantity',
		lineItem('quantity'),
		[1, 2_147_483_647, '3'],
		[
			[0, /is 0: it must be a whole number from 1 to 2147483647$/],
			[2_147_483_648, /is 2147483648: .* 2147483647$/],
			[-1, /is -1/],
			...WHOLE_NUMBERS('1 to 2147483647'),
		],
	),
	ofNewLink(
		'Items → Item 1 → Name',
		lineItem('name'),
		['n', 'n'.repeat(5_000)],
		[['  ', /is empty/]],
	),
	ofNewLink(
		'Items → Item 1 → Amount',
		lineItem('amount'),
		['0', '0.01', '12.50', '12.5', '12.500', ' 12.50 ', 12.5, 12, 1e-2, '99999999999999999999.99'],
		[
			...NO_AMOUNTS,
			['1.005', /"1\.005": 3 digits after the point, and USD has 2$/],
			[0.1 + 0.2, /17 digits after the point, and USD has 2$/],
		],
	),
	ofNewLink(
		'Items → Item 1 → Amount',
		lineItem('amount', 'JPY'),
		['500', '500.00', 500],
		[
			['500.5', /"500\.5": 1 digits after the point, and JPY has 0$/],
			[0.5, /JPY has 0$/],
		],
	),
	ofNewLink(
		'Items → Item 1 → Amount',
		lineItem('amount', 'KWD'),
		['1.234', 1.234, '1.2340'],
		[['1.2345', /4 digits after the point, and KWD has 3$/]],
	),
	ofNewLink(
		'Success URL',
		additional('successUrl'),
		['http://a', 'HTTPS://a.example/ä?b#c'],
		NO_URLS,
	),
	ofNewLink('Failure URL', additional('failureUrl'), ['https://a.example:8443/x'], NO_URLS),
	...['Allow Tip', 'Shipping Address Required', 'Allow Installment A', 'Allow Installment B'].map(
		(field) =>
			ofNewLink(
				field,
				additional(field.charAt(0).toLowerCase() + field.slice(1).replaceAll(' ', '')),
				[true, false],
				[
					['yes', /is "yes": it must be true or false$/],
					[1, /is 1/],
					[{}, /is \{\}/],
				],
			),
	),
	ofNewLink(
		'Expiry Date',
		(expiryDate) => ({ expiry: 'onDate', expiryDate }),
		['2025-01-16', '2025-01-16T00:00:00', '2025-01-16 10:00', '2028-02-29', '9999-12-31'],
		[
			['2025-01-14', /is 2025-01-14: it must be in the future, and today is 2025-01-15$/],
			['2025-01-15', /is 2025-01-15: it must be in the future, and today is 2025-01-15$/],
			['2025-01-15T23:59:59', /is 2025-01-15: it must be in the future/],
			['1999-12-31', /in the future/],
			['2025-02-30', /is "2025-02-30": it must be a date as YYYY-MM-DD$/],
			['2027-02-29', /must be a date/],
			['2025-13-01', /must be a date/],
			['16.01.2025', /is "16\.01\.2025": it must be a date/],
			['01/16/2025', /must be a date/],
			['2025-1-16', /must be a date/],
			['tomorrow', /must be a date/],
			['', /must be a date/],
			[20250116, /is 20250116: it must be a date/],
		],
	),
	...[
		['link', 'get', 'linkId', 'Link ID'],
		['link', 'delete', 'linkId', 'Link ID'],
		['invoice', 'get', 'invoiceId', 'Invoice ID'],
	].map(
		([resource = '', operation = '', parameter = '', field = '']): Limit => ({
			field,
			resource,
			operation,
			with: (value) => ({ [parameter]: value }),
			inside: [uuid(1), uuid(1).toUpperCase(), ` ${uuid(1)} `],
			outside: NO_UUIDS,
		}),
	),
	{
		field: 'Link ID',
		resource: 'link',
		operation: 'update',
		with: (linkId) => ({ linkId, updateFields: { title: 'x' } }),
		inside: [uuid(1)],
		outside: NO_UUIDS,
	},
	{
		field: 'Charge',
		resource: 'charge',
		operation: 'refund',
		with: (value) => ({ chargeId: { __rl: true, mode: 'id', value }, amount: '1.00' }),
		inside: [],
		outside: NO_UUIDS,
	},
	{
		field: 'Filter Customer',
		resource: 'charge',
		operation: 'getAll',
		with: (value) => ({ filters: { customerId: { __rl: true, mode: 'id', value } } }),
		inside: [uuid(1)],
		outside: NO_UUIDS,
	},
	{
		field: 'Checkout Session ID',
		resource: 'checkoutSession',
		operation: 'get',
		with: (checkoutSessionId) => ({ checkoutSessionId }),
		inside: [
			...['x', 'c'.repeat(128), 42, uuid(1), 'cs_test-1', 'cs_1.a~b:c', '-', '_', '~', ':x', '...'],
			...['.a', 'a.', 'a..b', '@', "!$&'()*+,;="],
		],
		outside: [
			['..', /is "\.\.": it would lead to another address$/],
			['.', /is "\.": it would lead to another address$/],
			[' .. ', /is " \.\. ": it would lead/],
			['%2e%2e', /is "%2e%2e"/],
			['a/b', /is "a\/b"/],
			['a\\b', /letters/],
			['a?b', /letters/],
			['a#b', /letters/],
			['a b', /letters/],
			['a\u0000b', /letters/],
			['a\tb', /letters/],
			['a\u007f', /letters/],
			['\ud800', /letters/],
			['', /is empty/],
			['c'.repeat(100_000), /… \(100002 characters\)/],
			['é', /letters/],
			['../../v1/links', /letters/],
			['https://evil.example', /letters/],
			['c'.repeat(129), /… \(131 characters\): .* at most 128 characters$/],
			[{ a: 1 }, /letters/],
		],
	},
	{
		field: 'Amount',
		resource: 'charge',
		operation: 'refund',
		with: (amount) => ({ chargeId: { __rl: true, mode: 'id', value: uuid(1) }, amount }),
		inside: [],
		outside: [
			...NO_AMOUNTS,
			['0', /is "0": it must be greater than 0 – NOT refunded$/],
			['0.00', /greater than 0 – NOT refunded$/],
			[0, /is 0: it must be greater than 0 – NOT refunded$/],
		],
	},
	...['charge', 'customer'].flatMap((resource): Limit[] => {
		const list = { resource, operation: 'getAll' };
		return [
			{
				...list,
				field: 'Limit',
				with: (limit) => ({ limit }),
				inside: [1, 100_000, '5'],
				outside: [
					[0, /is 0: it must be a whole number from 1 to 100000$/],
					[-5, /is -5/],
					[100_001, /is 100001/],
					...WHOLE_NUMBERS('1 to 100000'),
				],
			},
			...[
				['page', 'Page'],
				['pageSize', 'Page Size'],
			].map(
				([name = '', field = '']): Limit => ({
					...list,
					field,
					with: (value) => ({ options: { [name]: value } }),
					inside: [1, 2_147_483_647],
					outside: [
						[0, /is 0: it must be a whole number from 1 to 2147483647$/],
						[-1, /is -1/],
						[2_147_483_648, /is 2147483648/],
						...WHOLE_NUMBERS('1 to 2147483647'),
					],
				}),
			),
			{
				...list,
				field: 'Max Concurrency',
				with: (maxConcurrency) => ({ options: { maxConcurrency } }),
				inside: [1, 16],
				outside: [
					[0, /is 0: it must be a whole number from 1 to 16$/],
					[17, /is 17: it must be a whole number from 1 to 16$/],
					...WHOLE_NUMBERS('1 to 16'),
				],
			},
		];
	}),
];

describe.each(
	LIMITS.map((limit) => [`${limit.resource} ${limit.operation}: ${limit.field}`, limit] as const),
)('%s', (_title, limit) => {
	const { resource, operation, field, inside, outside } = limit;
	const literal = (value: unknown) => limit.with(value) as INodeParameters;
	const expression = limit.with('={{ $json.value }}') as INodeParameters;

	it('refuses what is outside of the limit, from expressions, and sends nothing', async () => {
		const result = await runOperation(server, {
			resource,
			operation,
			parameters: expression,
			items: outside.map(([value]) => ({ value: value as string })),
			onError: 'continueRegularOutput',
		});
		expect(result.json).toEqual(
			outside.map(([, says], itemIndex) => ({
				error: expect.stringMatching(says) as string,
				details: {
					itemIndex,
					description: expect.stringMatching(new RegExp(`^Item ${itemIndex}: .`)) as string,
				},
			})),
		);
		for (const { error } of result.json) expect(error).toMatch(new RegExp(`^${field} `));
		expect(server.requests).toEqual([]);
	});

	it('refuses the same as literals, with the item’s index in the error', async () => {
		for (const [value, says] of outside) {
			const result = await runOperation(server, {
				resource,
				operation,
				parameters: literal(value),
			});
			expect(result.status).toBe('error');
			// n8n itself refuses an empty required field before the node runs.
			if (result.error?.name === 'WorkflowHasIssuesError') continue;
			expect(result.error?.message).toMatch(says);
			expect(result.error?.message).toMatch(new RegExp(`^${field} `));
			expect(result.error).toMatchObject({
				context: { itemIndex: 0 },
				description: expect.stringMatching(/^Item 0: ./) as string,
			});
		}
		expect(server.requests).toEqual([]);
	});

	it('takes what is inside of the limit, from expressions and as literals', async () => {
		const result = await runOperation(server, {
			resource,
			operation,
			parameters: expression,
			items: inside.map((value) => ({ value: value as string })),
		});
		expect(result.error).toBeUndefined();
		expect(server.requests).toHaveLength(inside.length);
		for (const value of inside) {
			expect(
				(await runOperation(server, { resource, operation, parameters: literal(value) })).error,
			).toBeUndefined();
		}
		expect(server.requests).toHaveLength(2 * inside.length);
	});
});

describe('the error of a bad value', () => {
	it('names the item in the middle that holds it', async () => {
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, additionalFields: { title: '={{ $json.title }}' } },
			items: [{ title: 'one' }, { title: 't'.repeat(60) }, { title: 'three' }],
		});
		expect(result.error).toMatchObject({
			message: 'Title is 60 characters long: the limit is 50',
			description: expect.stringMatching(/^Item 1: Shorten Title by 10 characters\./) as string,
			context: { itemIndex: 1 },
		});
	});

	it('keeps a bad item away from the good ones when it is to continue', async () => {
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, additionalFields: { title: '={{ $json.title }}' } },
			items: [{ title: 'one' }, { title: 't'.repeat(60) }, { title: 'three' }],
			onError: 'continueErrorOutput',
		});
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errorItems).toMatchObject([
			{ json: { error: 'Title is 60 characters long: the limit is 50' }, pairedItem: { item: 1 } },
		]);
		expect(server.requests).toHaveLength(2);
	});

	it('shows no card number, even when one was given by mistake', async () => {
		const source = { card_data: { card_number: PLANTED.cardNumber }, token: PLANTED.token };
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'get',
			parameters: { linkId: '={{ $json.value }}' },
			items: [{ value: PLANTED.cardNumber }, { value: source }, { value: { a: source } }],
			onError: 'continueRegularOutput',
		});
		expect(result.json.map(({ error }) => error)).toEqual([
			expect.stringMatching(/^Link ID is "\[redacted\]": it must be a UUID/),
			expect.stringMatching(/^Link ID is \{"card_data":\{"card_number":"\[redacted\]"\}/),
			expect.stringMatching(/^Link ID is /),
		]);
		expect(findSecrets(result.json)).toEqual([]);
	});

	it('shows a piece of a huge value only', async () => {
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'get',
			parameters: { linkId: '={{ "x".repeat(1000000) }}' },
		});
		expect(result.error?.message.length).toBeLessThan(300);
		expect(server.requests).toEqual([]);
	});
});

describe('currency', () => {
	const create = async (currency: string, items = [{}]) =>
		await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, currency },
			items,
			onError: 'continueRegularOutput',
		});

	it.each([
		[
			'US',
			/^Currency is "US", 2 characters: it must be an ISO 4217 code of 3 letters such as USD$/,
		],
		['USDX', /^Currency is "USDX", 4 characters/],
		['U$D', /^Currency is "U\$D"/],
		['123', /^Currency is "123"/],
		['ÄÖÜ', /^Currency is "ÄÖÜ"/],
		['', /^Currency is "", 0 characters/],
		[null, /^Currency is null/],
		[840, /^Currency is 840/],
	])('refuses %p from an expression', async (value, says) => {
		const result = await create('={{ $json.value }}', [{ value }] as [object]);
		expect(result.json[0]?.error).toMatch(says);
		expect(server.requests).toEqual([]);
	});

	it.each(['US', 'USDX', 'usd4'])('refuses the literal %p', async (value) => {
		const result = await create(value);
		expect(result.json[0]?.error).toMatch(/^Currency is "\w+", [24] characters: it must be an ISO/);
		expect(server.requests).toEqual([]);
	});

	it('is required', async () => {
		expect((await create('')).error?.message).toMatch(/Parameter "Currency" is required/);
		expect(server.requests).toEqual([]);
	});

	it('is checked as a filter as well', async () => {
		const result = await runOperation(server, {
			resource: 'charge',
			operation: 'getAll',
			parameters: { filters: { currency: '={{ "EURO" }}' } },
		});
		expect(result.error?.message).toMatch(/^Filter Currency is "EURO", 4 characters: .* 3 letters/);
		expect(server.requests).toEqual([]);
	});
});

describe('lists of entries', () => {
	const create = async (parameters: INodeParameters) =>
		await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, ...parameters },
		});
	const fields = (count: number, name: string) => ({
		additionalFields: { customFields: { field: Array.from({ length: count }, () => ({ name })) } },
	});

	it.each(['Size', '={{ "Size" }}'])('takes 5 custom fields (%s) and refuses 6', async (name) => {
		expect((await create(fields(5, name))).error).toBeUndefined();
		expect(sent(server)).toMatchObject([{ body: { custom_fields: { length: 5 } } }]);
		server.forget();
		expect((await create(fields(6, name))).error).toMatchObject({
			message: 'Custom Fields has 6 entries: the limit is 5',
			context: { itemIndex: 0 },
		});
		expect(server.requests).toEqual([]);
	});

	it('refuses a custom field without a name', async () => {
		const { error } = await create(fields(2, '={{ " " }}'));
		expect(error?.message).toBe('Custom Fields → Field 1 → Name is empty');
		expect(server.requests).toEqual([]);
	});

	it('refuses a link without items', async () => {
		const { error } = await create({ items: { item: [] } });
		expect(error).toBeDefined();
		expect(server.requests).toEqual([]);
	});

	it('names the entry that is wrong', async () => {
		const { error } = await create({
			items: { item: [ITEM, { ...ITEM, amount: '1,00' }, { ...ITEM, quantity: 0 }] },
		});
		expect(error?.message).toMatch(/^Items → Item 2 → Amount is "1,00"/);
		expect(server.requests).toEqual([]);
	});
});

describe('choices', () => {
	it.each([
		[
			'link',
			'create',
			{ ...LINK, expiry: '={{ "later" }}' },
			'Expiry',
			'afterPayments, never, onDate',
		],
		[
			'link',
			'update',
			{ linkId: uuid(1), updateFields: { status: '={{ "paused" }}' } },
			'Status',
			'disabled, enabled',
		],
		[
			'charge',
			'getAll',
			{ filters: { type: '={{ "refund" }}' } },
			'Filter Type',
			'charge, checkout, creditpayment, invoice, link',
		],
		[
			'charge',
			'refund',
			{ chargeId: uuid(1), amount: '1', options: { onAlreadyRefunded: '={{ "again" }}' } },
			'On Already Refunded',
			'fail, returnExisting – NOT refunded',
		],
	])(
		'%s %s: an expression outside of the choice is refused by name',
		async (resource, operation, parameters, field, choice) => {
			const { error } = await runOperation(server, { resource, operation, parameters });
			expect(error?.message).toMatch(
				new RegExp(`^${field} is "(later|paused|refund|again)": it must be one of ${choice}$`),
			);
			expect(server.requests).toEqual([]);
		},
	);
});

describe('the expiry of a link', () => {
	const create = async (parameters: INodeParameters, timeZone?: string) =>
		await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, ...parameters },
			timeZone,
		});

	it.each([
		['never', {}],
		['afterPayments', { payment_expiry_limit: 2 }],
		['onDate', { expiry_date: '2025-02-01' }],
	])('is one rule at most, also when an expression chooses it: %s', async (expiry, rule) => {
		const { error } = await create({
			expiry: `={{ "${expiry}" }}`,
			paymentExpiryLimit: 2,
			expiryDate: '2025-02-01',
		});
		expect(error).toBeUndefined();
		expect(sent(server)).toMatchObject([{ body: { currency: 'USD', ...rule } }]);
		const { body } = sent(server)[0] ?? {};
		const rules = ['payment_expiry_limit', 'expiry_date'].filter(
			(name) => name in (body as object),
		);
		expect(rules).toEqual(Object.keys(rule));
	});

	it('needs no date for another rule, when an expression chooses it', async () => {
		expect((await create({ expiry: '={{ "never" }}' })).error).toBeUndefined();
	});

	it('needs a date with On Date', async () => {
		const { error } = await create({ expiry: 'onDate' });
		expect(error?.message).toMatch(/^Expiry Date is "": it must be a date/);
		expect(server.requests).toEqual([]);
	});

	it.each([
		['Pacific/Kiritimati', '2025-01-16', '2025-01-17'],
		['Europe/Berlin', '2025-01-15', '2025-01-16'],
		['America/Los_Angeles', '2025-01-15', '2025-01-16'],
		['Pacific/Pago_Pago', '2025-01-15', '2025-01-16'],
	])('is after today in the workflow’s time zone (%s)', async (timeZone, today, tomorrow) => {
		const refused = await create({ expiry: 'onDate', expiryDate: today }, timeZone);
		expect(refused.error?.message).toBe(
			`Expiry Date is ${today}: it must be in the future, and today is ${today}`,
		);
		expect(server.requests).toEqual([]);
		expect(
			(await create({ expiry: 'onDate', expiryDate: tomorrow }, timeZone)).error,
		).toBeUndefined();
	});
});

describe('link update', () => {
	it.each<[INodeParameters]>([
		[{}],
		[{ title: '={{ $json.missing }}' }],
		[{ title: '={{ null }}', status: '={{ undefined }}' }],
	])('refuses to change nothing: %p', async (updateFields) => {
		const { error } = await runOperation(server, {
			resource: 'link',
			operation: 'update',
			parameters: { linkId: uuid(1), updateFields },
		});
		expect(error).toMatchObject({
			message: 'There is nothing to update: Update Fields is empty',
			description: 'Item 0: Add a title or a status under Update Fields.',
			context: { itemIndex: 0 },
		});
		expect(server.requests).toEqual([]);
	});
});
