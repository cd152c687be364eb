import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CHARGE_EVENT_NAMES } from '../../../nodes/shared/records/chargeEvents';
import '../../support/clock';
import { shownError } from '../../support/lists';
import {
	empty,
	json,
	scriptedServer,
	type ScriptedServer,
} from '../../support/servers/http-server';
import {
	OPERATIONS,
	envelope,
	runExample,
	runOperation,
	uuid,
	type OperationCase,
	type OperationName,
} from '../../support/operations';
import { processedData } from '../../support/processedData';

/** The limits of every field. inputChecks.test.ts and money.test.ts have the other values that each check decides about. */

let server: ScriptedServer;

beforeEach(async () => {
	// The response is both a record and an empty list.
	server = await scriptedServer(({ method }) =>
		method === 'DELETE' ? empty() : json({ ...envelope(), id: uuid(1) }),
	);
});

interface Field {
	readonly name: OperationName;
	readonly path: string;
}

/** Parameters of the operation, with an expression for one field. */
function parametersFor({ name, path }: Field): IDataObject {
	const text = JSON.stringify(OPERATIONS[name].parameters);
	const given = JSON.parse(text.replaceAll('={{ $json.key }}', uuid(1))) as IDataObject;
	if (path === 'limit') given['returnAll'] = false;
	if (path === 'paymentExpiryLimit') given['expiry'] = 'afterPayments';
	if (path === 'expiryDate') given['expiry'] = 'onDate';
	const steps = path.split('.');
	const last = steps.pop() ?? '';
	let target = given;
	for (const step of steps) target = (target[step] ??= {}) as IDataObject;
	target[last] = '={{ $json.value }}';
	return given;
}

/** Runs the operation once for each value. @returns the output or the error of each */
async function runWith(field: Field, values: readonly unknown[]): Promise<IDataObject[]> {
	const { resource, operation }: OperationCase = OPERATIONS[field.name];
	const { json: items, error } = await runOperation(server, {
		resource,
		operation,
		parameters: parametersFor(field) as INodeParameters,
		items: values.map((value) => ({ value }) as IDataObject),
		onError: 'continueRegularOutput',
	});
	return error === undefined ? items : [{ error: error.message }];
}

/** Values that a field takes, and values that it refuses with what the message must say after the field's name. */
type Limit = readonly [
	field: string,
	name: OperationName,
	path: string,
	inside: unknown[],
	outside: Array<[value: unknown, says: RegExp]>,
];

/** A tax of the service has a mode and a value, but is no chosen record. */
const TAX = { name: 'VAT', mode: 'percentage', mode_value: '5', value: '12.00' };

const GREATEST = 2_147_483_647;
const NO_UUID: Limit[4] = [['../../v1/links', /is ".*": it must be a UUID/]];
const NO_URL: Limit[4] = [['ftp://a', /: it must be a URL that begins with http:\/\/ or https:/]];
const NO_YES: Limit[4] = [['yes', /is "yes": it must be true or false$/]];
/** An empty limit of an expression does not count as no limit. */
const NO_LIMIT: Limit[4] = [undefined, null, '', '-1', 'ten', TAX].map((value) => [
	value,
	/^'\w.* is .*NOT refunded$/,
]);
const NO_KEY: Limit[4] = [
	...[null, '', '  ', '\u200b', '\u0000', Number.NaN, 2 ** 53],
	...['k'.repeat(256), { id: 1 }],
].map((value) => [value, /^'Options → Idempotency Key' is /]);
const noneOf = (choices: string): Limit[4] => [
	['other', new RegExp(`is "other": it must be one of ${choices}`)],
];
const tooLong = (limit: number): Limit[4] => [
	['😀'.repeat(limit + 1), new RegExp(`is ${limit + 1} characters long: the limit is ${limit}$`)],
	[TAX, /must be text/],
];
const outsideOf = (least: number, most: number): Limit[4] =>
	[least - 1, most + 1, 'many'].map((value) => [
		value,
		new RegExp(`is "?${value}"?: it must be a whole number from ${least} to ${most}$`),
	]);

const ofNewLink: Array<[field: string, path: string, inside: Limit[3], outside: Limit[4]]> = [
	[
		'Currency',
		'currency',
		['usd', ' EUR ', 'ZZZ'],
		// No default replaces an empty expression.
		[
			['US', /is "US", length 2: it must be a 3-letter ISO 4217 code such as USD$/],
			['', /is empty: choose a currency$/],
			[null, /is empty: choose a currency$/],
			['credential', /a 3-letter ISO 4217 code/],
		],
	],
	['Title', 'additionalFields.title', ['t'.repeat(50), '😀'.repeat(50)], tooLong(50)],
	['Note', 'additionalFields.note', ['n'.repeat(280)], tooLong(280)],
	['Discount Percentage', 'additionalFields.discountPercentage', [0, 100], outsideOf(0, 100)],
	['Payment Expiry Limit', 'paymentExpiryLimit', [1, GREATEST], outsideOf(1, GREATEST)],
	['Items → Item 1 → Quantity', 'items.item.0.quantity', [1, GREATEST], outsideOf(1, GREATEST)],
	[
		'Items → Item 1 → Name',
		'items.item.0.name',
		['n'],
		[
			['  ', /is empty/],
			[undefined, /is /],
		],
	],
	[
		'Items → Item 1 → Amount',
		'items.item.0.amount',
		['0.01', '12.50', 12.5],
		[
			['12,50', /is "12,50": it must be a decimal number such as 12\.50/],
			['1.005', /"1\.005": it has 3 decimal places, and USD has 2$/],
		],
	],
	['Success URL', 'additionalFields.successUrl', ['http://a'], NO_URL],
	['Allow Tip', 'additionalFields.allowTip', [true, 'false'], NO_YES],
	['Expiry', 'expiry', ['never', 'afterPayments'], noneOf('afterPayments, never, onDate$')],
	[
		'Expiry Date',
		'expiryDate',
		['2025-01-16', '9999-12-31'],
		[
			['2025-01-15', /is 2025-01-15: it must be in the future, and today is 2025-01-15$/],
			['', /is "": it must be a date in the form YYYY-MM-DD$/],
		],
	],
];

const LIMITS: Limit[] = [
	...ofNewLink.map(([field, ...rest]): Limit => [field, 'link create', ...rest]),
	['Status', 'link update', 'updateFields.status', ['enabled'], noneOf('disabled, enabled$')],
	['Payment Link ID', 'link get', 'linkId', [uuid(1), ` ${uuid(1)}\n`], NO_UUID],
	['Invoice ID', 'invoice get', 'invoiceId', [uuid(1)], NO_UUID],
	[
		'Checkout Session ID',
		'checkoutSession get',
		'checkoutSessionId',
		['cs_live-42', 42, 'c'.repeat(128)],
		[
			['..', /is "\.\.": it must have at most 128 characters: letters/],
			['c'.repeat(129), /… \(131 characters\): it must have at most 128 characters/],
		],
	],
	['Charge', 'charge refund', 'chargeId', [], NO_UUID],
	['Charge', 'charge get', 'chargeId', [], [...NO_UUID, ['', /is empty$/]]],
	['Customer', 'customer get', 'customerId', [], [...NO_UUID, ['', /is empty$/]]],
	[
		'Amount',
		'charge refund',
		'amount',
		[],
		[
			['12,50', /is "12,50": it must be a decimal number such as 12\.50 – NOT refunded$/],
			[0, /is 0: it must be greater than 0 – NOT refunded$/],
			['', /is empty – NOT refunded$/],
			[TAX, /must be a decimal number/],
		],
	],
	[
		'Amount Type',
		'charge refund',
		'amountType',
		[],
		['all', '', null, true].map((value) => [
			value,
			/is .*: it must be one of full, partial – NOT refunded$/,
		]),
	],
	['Options → Maximum Amount', 'charge refund', 'options.maximumAmount', [], NO_LIMIT],
	['Options → Expected Refund Total', 'charge refund', 'options.expectedRefundTotal', [], NO_LIMIT],
	[
		'Options → On Already Refunded',
		'charge refund',
		'options.onAlreadyRefunded',
		[],
		noneOf('fail, returnExisting – NOT refunded$'),
	],
	['Options → Idempotency Key', 'charge refund', 'options.idempotencyKey', [], NO_KEY],
	[
		'Options → Idempotency Key',
		'link create',
		'options.idempotencyKey',
		[7, 'k'.repeat(255)],
		NO_KEY,
	],
	['Filters → Customer', 'charge getAll', 'filters.customerId', [uuid(1)], NO_UUID],
	[
		'Filters → Currency',
		'charge getAll',
		'filters.currency',
		['EUR'],
		[['EURO', /is "EURO", length 4: .* 3-letter/]],
	],
	['Filters → Search', 'charge getAll', 'filters.search', ['a'], [[' \u200b', /is empty$/]]],
	['Filters → Type', 'charge getAll', 'filters.type', ['link'], noneOf('charge, checkout, credit')],
	[
		'Since',
		'charge getEvents',
		'since',
		['2025-01-01', '2025-01-01T09:00:00.5+04:00'],
		[
			['', /is empty$/],
			['2025-02-29', /is "2025-02-29": it must be a date such as 2026-01-31 or a date-time/],
			['2999-01-01T00:00:00Z', /is 2999-01-01 00:00:00 UTC: it must not be in the future, and/],
		],
	],
	[
		'Until',
		'charge getEvents',
		'until',
		['2999-01-01', ''],
		[
			['soon', /is "soon": it must be a date such as 2026-01-31 or a date-time/],
			[
				'2025-01-01T13:00+01:00',
				/is 2025-01-01 12:00:00 UTC: it must be after 'Since', which is 2025-01-01 12:00:00 UTC$/,
			],
		],
	],
	['Options → Watch Days', 'charge getEvents', 'options.watchDays', [1, 365], outsideOf(1, 365)],
	[
		'Events',
		'charge getEvents',
		'events',
		[['charge.refunded', 'charge.statusChanged'], 'charge.refunded'],
		noneOf(`${CHARGE_EVENT_NAMES.join(', ')}$`),
	],
	[
		'Filters → Status',
		'charge getEvents',
		'filters.status',
		['captured, void'],
		[
			['', /is empty$/],
			['captured,,void', /has an empty entry: enter one status, or several separated by commas$/],
		],
	],
	['Return All', 'charge getAll', 'returnAll', [true, 'true', false], NO_YES],
	['Limit', 'charge getAll', 'limit', [1, '12', 100_000], outsideOf(1, 100_000)],
	['Options → Page', 'charge getAll', 'options.page', [1, GREATEST], outsideOf(1, GREATEST)],
	[
		'Options → Page Size',
		'charge getAll',
		'options.pageSize',
		[1, GREATEST],
		outsideOf(1, GREATEST),
	],
	[
		'Options → Max Parallel Requests',
		'charge getAll',
		'options.maxConcurrency',
		[1, 16],
		outsideOf(1, 16),
	],
];

it.each(LIMITS.map((limit) => [`${limit[1]}: ${limit[0]}`, limit] as const))(
	'%s takes values within its limit, and refuses others by its name',
	async (_title, [field, name, path, inside, outside]) => {
		const refused = await runWith(
			{ name, path },
			outside.map(([value]) => value),
		);
		expect(refused.map(({ error }) => error)).toEqual(
			outside.map(([, says]) => expect.stringMatching(says) as string),
		);
		for (const { error } of refused) expect((error as string).startsWith(`'${field}`)).toBe(true);
		expect(server.requests).toEqual([]);
		expect(processedData.lists.size).toBe(0);
		if (inside.length === 0) return;
		const taken = await runWith({ name, path }, inside);
		expect(taken.filter(({ error }) => error !== undefined)).toEqual([]);
		expect(server.requests).toHaveLength(inside.length);
	},
);

const OF_LINK = /the id that the Create operation returned, not the reference or the URL/;

it.each([
	['charge refund', 'chargeId', /choose 'From List' and search for it/],
	['charge get', 'chargeId', /choose 'From List' and search for it/],
	['link get', 'linkId', OF_LINK],
	['link update', 'linkId', OF_LINK],
] as const)('%s says where to find an ID', async (name, path, advice) => {
	const parameters = { [path]: 'https://pay.example.com/l/abc' };
	const result = await runExample(server, OPERATIONS[name], { parameters });
	expect(shownError(result).description).toMatch(advice);
	expect(server.requests).toEqual([]);
});

describe('a chosen record', () => {
	const listed = async (chargeId: unknown) =>
		await runExample(server, OPERATIONS['charge getAll'], {
			parameters: { filters: { chargeId } } as INodeParameters,
		});

	it.each<[string, unknown]>([
		['from the list', { __rl: true, mode: 'list', value: uuid(7), cachedResultName: 'Ana' }],
		['by its ID', { __rl: true, mode: 'id', value: ` ${uuid(7)}\n` }],
		['as plain text', ` ${uuid(7)} `],
		['by an expression of the ID', { __rl: true, mode: 'id', value: `={{ " ${uuid(7)}" }}` }],
		['by an expression that gives plain text', `={{ "${uuid(7)} " }}`],
		['by an expression that gives one chosen', `={{ { "mode": "id", "value": "${uuid(7)}" } }}`],
	])('can be given %s', async (_how, chargeId) => {
		const { error } = await listed(chargeId);
		expect(error).toBeUndefined();
		expect(server.requests[0]?.query).toMatchObject({ id: uuid(7) });
	});

	it.each(['', '  ', '={{ $json.missing }}'])('is refused if it is %p', async (value) => {
		const { error } = await listed({ __rl: true, mode: 'list', value });
		expect(error?.message).toBe("'Filters → Charge' is empty");
		expect(server.requests).toEqual([]);
	});
});
