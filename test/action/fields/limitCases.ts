import { LIST_RESOURCES } from '../../support/lists';
import { uuid } from '../../support/operations';

export interface Limit {
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

export const LINK = { currency: 'USD', items: { item: [ITEM] } };

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

export const LIMITS: Limit[] = [
	ofNewLink(
		'Title',
		additional('title'),
		['t'.repeat(50), 'é'.repeat(50), '😀'.repeat(50)],
		[
			['t'.repeat(51), /is 51 characters long: the limit is 50$/],
			['😀'.repeat(51), /is 51 characters long: the limit is 50$/],
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
		['0', '0.01', '12.50', '12.5', '12.5000', ' 12.50 ', 12.5, 12, 1e-2, '99999999999999999999.99'],
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
		['link', 'get', 'linkId', 'Payment Link ID'],
		['link', 'delete', 'linkId', 'Payment Link ID'],
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
		field: 'Payment Link ID',
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
		field: 'Since',
		resource: 'charge',
		operation: 'getEvents',
		with: (since) => ({ since }),
		inside: [
			'2025-01-01',
			'2025-01-01T09:00:00',
			'2025-01-01 09:00',
			'2025-01-01T09:00:00.5+04:00',
			'2024-02-29',
			'2024-12-31T24:00:00Z',
			'2016-12-31T23:59:60Z',
			'2025-01-01T09:00:00,5 +0400',
		],
		outside: [
			['', /is empty$/],
			[null, /is empty$/],
			['yesterday', /is "yesterday": it must be a date such as 2026-01-31 or a date-time/],
			['2025-13-01', /is "2025-13-01": it must be a date/],
			['2025-02-29', /is "2025-02-29": it must be a date/],
			['2024-02-30', /is "2024-02-30": it must be a date/],
			['2024-04-31T00:00:00+04:00', /is "2024-04-31T00:00:00\+04:00": it must be a date/],
			['2024-00-10', /is "2024-00-10": it must be a date/],
			['2024-01-01T25:00', /is "2024-01-01T25:00": it must be a date/],
			['2024-01-01 24:30:00Z', /is "2024-01-01 24:30:00Z": it must be a date/],
			['2024-01-01T10:60:00Z', /is "2024-01-01T10:60:00Z": it must be a date/],
			['01/31/2025', /is "01\/31\/2025": it must be a date/],
			[1_735_689_600_000, /is 1735689600000: it must be a date/],
			[true, /is true/],
			[{ a: 1 }, /is \{"a":1\}/],
			['9'.repeat(100_000), /… \(100002 characters\): it must be a date/],
			[
				'2999-01-01T00:00:00Z',
				/is 2999-01-01 00:00:00 UTC: it must not be in the future, and now is/,
			],
		],
	},
	{
		field: 'Watch Days',
		resource: 'charge',
		operation: 'getEvents',
		with: (watchDays) => ({ since: '2025-01-01', options: { watchDays } }),
		inside: [1, 365, '30'],
		outside: [
			[0, /is 0: it must be a whole number from 1 to 365$/],
			[366, /is 366/],
			...WHOLE_NUMBERS('1 to 365'),
		],
	},
	{
		field: 'Events',
		resource: 'charge',
		operation: 'getEvents',
		with: (events) => ({ since: '2025-01-01', events }),
		inside: [['charge.created'], ['charge.refunded', 'charge.statusChanged'], 'charge.refunded'],
		outside: [
			[
				['charge.deleted'],
				/is "charge\.deleted": it must be one of charge\.created, charge\.refunded/,
			],
			[[1], /is 1: it must be one of/],
		],
	},
	{
		field: 'Filter Status',
		resource: 'charge',
		operation: 'getEvents',
		with: (status) => ({ since: '2025-01-01', filters: { status } }),
		inside: ['captured', 'captured, void'],
		outside: [
			['', /is empty$/],
			['captured,,void', /has an empty entry: give one status, or several separated by commas$/],
			[{ a: 1 }, /must be text/],
		],
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
	...LIST_RESOURCES.flatMap((resource): Limit[] => {
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
