import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useFakeClock } from '../../support/clock';
import {
	empty,
	failure,
	json,
	scriptedServer,
	type ScriptedServer,
} from '../../support/servers/http-server';
import { ITEM, LINK } from '../../support/linkService';
import { envelope, runOperation, uuid } from '../../support/operations';
import { PLANTED, findSecrets } from '../../support/secrets/secrets';

/**
 * The limits of every field, as n8n runs them. What each kind of check takes and refuses beside its limit stands in
 * inputChecks.test.ts and money.test.ts.
 */

/** 15 January 2025, noon in UTC. */
beforeEach(() => void useFakeClock());

let server: ScriptedServer;

beforeAll(async () => {
	// A record and an empty list in one, whichever is asked for.
	server = await scriptedServer(({ method }) =>
		method === 'DELETE' ? empty() : json({ ...envelope(), id: uuid(1) }),
	);
});

beforeEach(() => server.forget());

/** An operation's parameters with a value in a field's place. */
type With = (value: unknown) => unknown;

/** What a field takes, and what it refuses with what its message must say behind the field's name. */
type Limit = readonly [
	field: string,
	operation: string,
	parameters: With,
	inside: unknown[],
	outside: Array<[value: unknown, says: RegExp]>,
];

const additional =
	(name: string): With =>
	(value) => ({ ...LINK, additionalFields: { [name]: value } });
const lineItem =
	(name: string, currency = 'USD'): With =>
	(value) => ({
		currency,
		items: {
			item: [
				{ ...ITEM, amount: '1' },
				{ ...ITEM, amount: '1', [name]: value },
			],
		},
	});
const option =
	(name: string, rest: object = {}): With =>
	(value) => ({ ...rest, options: { [name]: value } });
const filter =
	(name: string, rest: object = {}): With =>
	(value) => ({ ...rest, filters: { [name]: value } });
const byId =
	(name: string, rest: object = {}): With =>
	(value) => ({ ...rest, [name]: { __rl: true, mode: 'id', value } });

const SINCE = { since: '2025-01-01' };
const GREATEST = 2_147_483_647;
const NO_UUID: Limit[4] = [['../../v1/links', /is ".*": it must be a UUID/]];
const NO_URL: Limit[4] = [['ftp://a', /: it must be a URL that begins with http:\/\/ or https:/]];
const NO_YES: Limit[4] = [['yes', /is "yes": it must be true or false$/]];
const outsideOf = (least: number, most: number): Limit[4] =>
	[least - 1, most + 1, 'many'].map((value) => [
		value,
		new RegExp(`is "?${value}"?: it must be a whole number from ${least} to ${most}$`),
	]);

const LIMITS: Limit[] = [
	[
		'Currency',
		'link create',
		(currency) => ({ ...LINK, currency }),
		['usd', ' EUR ', 'ZZZ'],
		[
			['US', /is "US", length 2: it must be an ISO 4217 code of 3 letters such as USD$/],
			['ÄÖÜ', /is "ÄÖÜ"/],
			[840, /is 840/],
			[null, /is null/],
		],
	],
	[
		'Title',
		'link create',
		additional('title'),
		['t'.repeat(50), '😀'.repeat(50)],
		[
			['😀'.repeat(51), /is 51 characters long: the limit is 50$/],
			[{ a: 1 }, /must be text/],
		],
	],
	[
		'Title',
		'link update',
		(title) => ({ linkId: uuid(1), updateFields: { title } }),
		['t'.repeat(50)],
		[['t'.repeat(51), /is 51 characters long: the limit is 50$/]],
	],
	[
		'Note',
		'link create',
		additional('note'),
		['n'.repeat(280)],
		[['n'.repeat(281), /is 281 characters long: the limit is 280$/]],
	],
	[
		'Discount Percentage',
		'link create',
		additional('discountPercentage'),
		[0, 100, '100'],
		outsideOf(0, 100),
	],
	[
		'Payment Expiry Limit',
		'link create',
		(paymentExpiryLimit) => ({ ...LINK, expiry: 'afterPayments', paymentExpiryLimit }),
		[1, GREATEST],
		outsideOf(1, GREATEST),
	],
	[
		'Items → Item 2 → Quantity',
		'link create',
		lineItem('quantity'),
		[1, GREATEST],
		outsideOf(1, GREATEST),
	],
	['Items → Item 2 → Name', 'link create', lineItem('name'), ['n'], [['  ', /is empty/]]],
	[
		'Items → Item 2 → Amount',
		'link create',
		lineItem('amount'),
		['0', '12.50', 12.5],
		[
			['12,50', /is "12,50": it must be a decimal number such as 12\.50/],
			['1.005', /"1\.005": 3 digits after the point, and USD has 2$/],
		],
	],
	[
		'Items → Item 2 → Amount',
		'link create',
		lineItem('amount', 'JPY'),
		[],
		[['500.5', /"500\.5": 1 digits after the point, and JPY has 0$/]],
	],
	['Success URL', 'link create', additional('successUrl'), ['http://a'], NO_URL],
	['Failure URL', 'link create', additional('failureUrl'), ['https://a'], NO_URL],
	['Allow Tip', 'link create', additional('allowTip'), [true, 'false'], NO_YES],
	[
		'Shipping Address Required',
		'link create',
		additional('shippingAddressRequired'),
		[false],
		NO_YES,
	],
	['Allow Installment A', 'link create', additional('allowInstallmentA'), [false], NO_YES],
	['Allow Installment B', 'link create', additional('allowInstallmentB'), [false], NO_YES],
	['Allow Service Fee', 'link create', additional('allowServiceFee'), [false], NO_YES],
	[
		'Expiry',
		'link create',
		(expiry) => ({ ...LINK, expiry, paymentExpiryLimit: 1, expiryDate: '2025-02-01' }),
		['never', 'afterPayments', 'onDate'],
		[['later', /is "later": it must be one of afterPayments, never, onDate$/]],
	],
	[
		'Expiry Date',
		'link create',
		(expiryDate) => ({ ...LINK, expiry: 'onDate', expiryDate }),
		['2025-01-16', '9999-12-31'],
		[
			['2025-01-15', /is 2025-01-15: it must be in the future, and today is 2025-01-15$/],
			['', /is "": it must be a date as YYYY-MM-DD$/],
		],
	],
	[
		'Status',
		'link update',
		(status) => ({ linkId: uuid(1), updateFields: { status } }),
		['enabled', 'disabled'],
		[['paused', /is "paused": it must be one of disabled, enabled$/]],
	],
	...['get', 'delete'].map(
		(name): Limit => [
			'Payment Link ID',
			`link ${name}`,
			(linkId) => ({ linkId }),
			[uuid(1), ` ${uuid(1)}\n`],
			NO_UUID,
		],
	),
	[
		'Payment Link ID',
		'link update',
		(linkId) => ({ linkId, updateFields: { title: 'x' } }),
		[uuid(1)],
		NO_UUID,
	],
	['Invoice ID', 'invoice get', (invoiceId) => ({ invoiceId }), [uuid(1)], NO_UUID],
	[
		'Checkout Session ID',
		'checkoutSession get',
		(checkoutSessionId) => ({ checkoutSessionId }),
		['cs_live-42', 42, 'c'.repeat(128)],
		[
			['..', /is "\.\.": it would lead to another address$/],
			['c'.repeat(129), /… \(131 characters\): .* at most 128 characters$/],
		],
	],
	['Charge', 'charge refund', byId('chargeId', { amount: '1.00' }), [], NO_UUID],
	['Charge', 'charge get', byId('chargeId'), [], NO_UUID],
	['Customer', 'customer get', byId('customerId'), [], NO_UUID],
	[
		'Amount',
		'charge refund',
		(amount) => ({ ...(byId('chargeId')(uuid(1)) as object), amount }),
		[],
		[
			['12,50', /is "12,50": it must be a decimal number such as 12\.50 – NOT refunded$/],
			[0, /is 0: it must be greater than 0 – NOT refunded$/],
			['', /is empty – NOT refunded$/],
		],
	],
	[
		'On Already Refunded',
		'charge refund',
		option('onAlreadyRefunded', { chargeId: uuid(1), amount: '1' }),
		[],
		[['again', /is "again": it must be one of fail, returnExisting – NOT refunded$/]],
	],
	['Filter Customer', 'charge getAll', filter('customerId'), [uuid(1)], NO_UUID],
	[
		'Filter Currency',
		'charge getAll',
		filter('currency'),
		['EUR'],
		[['EURO', /is "EURO", length 4: .* 3 letters/]],
	],
	[
		'Filter Type',
		'charge getAll',
		filter('type'),
		['link'],
		[['refund', /: it must be one of charge, checkout, creditpayment, invoice, link$/]],
	],
	[
		'Since',
		'charge getEvents',
		(since) => ({ since }),
		['2025-01-01', '2025-01-01T09:00:00.5+04:00'],
		[
			['', /is empty$/],
			['2025-02-29', /is "2025-02-29": it must be a date such as 2026-01-31 or a date-time/],
			[
				'2999-01-01T00:00:00Z',
				/is 2999-01-01 00:00:00 UTC: it must not be in the future, and now is/,
			],
		],
	],
	['Watch Days', 'charge getEvents', option('watchDays', SINCE), [1, 365], outsideOf(1, 365)],
	[
		'Events',
		'charge getEvents',
		(events) => ({ ...SINCE, events }),
		[['charge.refunded', 'charge.statusChanged'], 'charge.refunded'],
		[[['charge.deleted'], /is "charge\.deleted": it must be one of charge\.created, charge/]],
	],
	[
		'Filter Status',
		'charge getEvents',
		filter('status', SINCE),
		['captured, void'],
		[
			['', /is empty$/],
			['captured,,void', /has an empty entry: give one status, or several separated by commas$/],
		],
	],
	['Limit', 'charge getAll', (limit) => ({ limit }), [1, 100_000], outsideOf(1, 100_000)],
	['Page', 'charge getAll', option('page'), [1, GREATEST], outsideOf(1, GREATEST)],
	['Page Size', 'charge getAll', option('pageSize'), [1, GREATEST], outsideOf(1, GREATEST)],
	['Max Concurrency', 'charge getAll', option('maxConcurrency'), [1, 16], outsideOf(1, 16)],
];

const run = async (name: string, parameters: unknown, values: readonly unknown[]) => {
	const [resource = '', operation = ''] = name.split(' ');
	return await runOperation(server, {
		resource,
		operation,
		parameters: parameters as INodeParameters,
		items: values.map((value) => ({ value }) as IDataObject),
		onError: 'continueRegularOutput',
	});
};

it.each(LIMITS.map((limit) => [`${limit[1]}: ${limit[0]}`, limit] as const))(
	'%s takes what is inside of its limit, and refuses by name what is outside',
	async (_title, [field, name, parameters, inside, outside]) => {
		const expression = parameters('={{ $json.value }}');
		const refused = await run(
			name,
			expression,
			outside.map(([value]) => value),
		);
		expect(refused.json.map(({ error }) => error)).toEqual(
			outside.map(([, says]) => expect.stringMatching(says) as string),
		);
		for (const { error } of refused.json) expect(String(error).startsWith(field)).toBe(true);
		expect(server.requests).toEqual([]);
		if (inside.length === 0) return;
		const taken = await run(name, expression, inside);
		expect(taken.json.filter(({ error }) => error !== undefined)).toEqual([]);
		expect(server.requests).toHaveLength(inside.length);
	},
);

it('a value that stands there is checked like what an expression gives', async () => {
	const parameters = { ...LINK, additionalFields: { title: 't'.repeat(60) } };
	const { error } = await runOperation(server, {
		resource: 'link',
		operation: 'create',
		parameters,
	});
	expect(error).toMatchObject({
		message: 'Title is 60 characters long: the limit is 50',
		description: expect.stringMatching(/^Shorten Title to 50 characters or fewer/) as string,
	});
	expect(server.requests).toEqual([]);
});

describe('the error of a bad value', () => {
	const create = async (titles: string[], onError?: 'continueErrorOutput') =>
		await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, additionalFields: { title: '={{ $json.title }}' } },
			items: titles.map((title) => ({ title })),
			onError,
		});

	it('names the item that holds it', async () => {
		expect((await create(['one', 't'.repeat(60), 'three'])).error).toMatchObject({
			message: 'Title is 60 characters long: the limit is 50',
			description: expect.stringMatching(
				/^Item 2 of 3: Shorten Title to 50 characters or fewer\. Nothing was sent\./,
			) as string,
			context: { itemIndex: 1 },
		});
	});

	it('names the item in front of what the service’s refusal asks to do, too', async () => {
		const refusing = await scriptedServer(() => failure(422, 'no'));
		const { error } = await runOperation(refusing, {
			resource: 'link',
			operation: 'get',
			parameters: { linkId: uuid(1) },
			items: [{}, {}],
		});
		expect(error).toMatchObject({
			message: 'no (code error, HTTP 422)',
			description: expect.stringMatching(/^Item 1 of 2: Change the parameter/) as string,
		});
	});

	it('keeps a bad item away from the good ones when it is to continue', async () => {
		const result = await create(['one', 't'.repeat(60), 'three'], 'continueErrorOutput');
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errorItems).toMatchObject([
			{ json: { error: 'Title is 60 characters long: the limit is 50' }, pairedItem: { item: 1 } },
		]);
		expect(server.requests).toHaveLength(2);
	});

	it('shows no card number that was given by mistake, and a piece of a huge value only', async () => {
		const source = { card_data: { card_number: PLANTED.cardNumber }, token: PLANTED.token };
		const values = [PLANTED.cardNumber, source, { a: source }, 'x'.repeat(1_000_000)];
		const result = await run('link get', { linkId: '={{ $json.value }}' }, values);
		expect(result.json.map(({ error }) => error)).toEqual([
			expect.stringMatching(/^Payment Link ID is "\[redacted\]": it must be a UUID/),
			expect.stringMatching(/^Payment Link ID is \{"card_data":\{"card_number":"\[redacted\]"\}/),
			expect.stringMatching(/^Payment Link ID is /),
			expect.stringMatching(/^.{1,300}$/),
		]);
		expect(findSecrets(result.json)).toEqual([]);
		expect(server.requests).toEqual([]);
	});
});
