import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';

import { parametersOf, run } from './example';

/** Output of the Code node, with its files in Base64. */
interface Made {
	month: string;
	bookings: number;
	inClearing: number;
	notBooked: number;
	csv: string;
	journal: string;
}

const FILE = 'monthly-journal.json';
const { assignments } = parametersOf(FILE, 'Accounts and month').assignments;
const defaults = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));

const { jsCode } = parametersOf(FILE, 'Book each event');

function journalOf(events: object[], { zone = 'UTC', ...settings }: Record<string, string> = {}) {
	const json = { ...defaults, since: '2026-10-01', until: '2026-11-01', ...settings };
	const [{ json: made }] = run(jsCode, {
		$: () => ({ first: () => ({ json }) }),
		$input: { all: () => events.map((event) => ({ json: event })) },
		$now: DateTime.fromISO('2026-11-01T06:00:00', { zone }),
		DateTime,
		Buffer,
	}) as [{ json: Made }];
	const [csv = '', journal = ''] = [made.csv, made.journal].map((base64) =>
		Buffer.from(base64, 'base64').toString(),
	);
	return { ...made, csv, journal, postings: postingsIn(csv) };
}

/** Groups by event: account and amount of each posting, or why the event is not booked. */
function postingsIn(csv: string) {
	const [, ...rows]: string[][] = parse(csv, { bom: true });
	const postings: Record<string, string[]> = {};
	for (const [date = '', id = '', account = '', amount = '', ...rest] of rows) {
		const text = account === '' ? (rest.at(-1) ?? '') : `${date} ${account} ${amount}`;
		(postings[id] ??= []).push(text);
	}
	return postings;
}

const charge = (rest: object = {}) => ({
	event: 'charge.created',
	event_id: 'charge.created:c1',
	id: 'c1',
	created: '2026-10-05T10:00:00Z',
	reference_id: 1,
	total: '25.00',
	currency: 'EUR',
	settlement_currency: 'EUR',
	status: 'authorised',
	refund_total: '0.00',
	refunds: [],
	fee: 0.9,
	fx_fee: 0,
	fee_tax: '0.12',
	net: 23.98,
	note: 'Order 1',
	payment_method: 'card',
	...rest,
});

/** Refunds of these amounts, each recorded on a day of 2026. */
const recordsOf = (...records: Array<[day: string, amount: string]>) =>
	records.map(([day, amount]) => ({ created: `2026-${day}T10:00:00Z`, amount }));

const refund = (total: string, rest: object = {}) =>
	charge({
		event: 'charge.refunded',
		event_id: `charge.refunded:c1:${total}`,
		refund_total: total,
		refunds: recordsOf(['10-06', total]),
		...rest,
	});

const refundedFrom = (account: string, day: string, amount: string) => [
	`2026-10-${day} Income:Refunds ${amount}`,
	`2026-10-${day} ${account} -${amount}`,
];

const EXACT = [
	'2026-10-05 Assets:Payment service 23.98',
	'2026-10-05 Expenses:Payment fees 0.90',
	'2026-10-05 Expenses:Tax on payment fees 0.12',
	'2026-10-05 Income:Sales -25.00',
];

it('the CSV file of the monthly journal has no formula in a cell, wherever a spreadsheet splits it', () => {
	const note = 'Gift;=HYPERLINK(0)\t+1|@x\n-y\r=a\u2028=b\0=c';
	const { csv, postings } = journalOf([charge({ note, status: note, payment_method: note })]);
	expect(Object.values(postings).flat()).toHaveLength(1);
	const cells = csv.split(/[;\t|\n\r\u2028\0]/);
	expect(cells.filter((cell) => /^["'\s]*[=+@-]/.test(cell))).toEqual([]);
	expect(csv).toContain('"Gift =HYPERLINK(0) +1 @x -y =a =b =c"');
});

describe('the dates of the monthly journal', () => {
	it.each([
		'2026-10-05T10:00:00Z',
		'2026-10-05 10:00:00',
		'2026-10-05 10:00:00.5 +0200',
		'2026-10-05t10:00:00z',
	])('are read from %s, as the node reads it', (created) => {
		expect(journalOf([charge({ created })]).postings).toEqual({ 'charge.created:c1': EXACT });
		const refunds = [{ created, amount: '1.00' }];
		expect(journalOf([refund('1.00', { refunds })]).postings).toEqual({
			'charge.refunded:c1:1.00': refundedFrom('Assets:Payment service', '05', '1.00'),
		});
	});

	it.each(['America/New_York', 'Pacific/Kiritimati'])(
		'are in the time zone %s for a month entered without an offset',
		(zone) => {
			const at = (hours: number) =>
				DateTime.fromISO('2026-10-01', { zone }).plus({ hours }).toUTC().toISO();
			const { journal, month, postings } = journalOf([charge({ created: at(0) })], { zone });
			expect(month).toBe('2026-10');
			expect(journal).toContain('from 2026-10-01 until before 2026-11-01');
			expect(postings['charge.created:c1']?.[0]).toMatch(/^2026-10-01 /);
			const bookingsAt = (hours: number) => {
				const refunds = [{ created: at(hours), amount: '1.00' }];
				return journalOf([refund('1.00', { refunds })], { zone }).bookings;
			};
			expect([bookingsAt(-1), bookingsAt(0)]).toEqual([0, 1]);
		},
	);
});

it.each([null, ''])(
	'a refund in the monthly journal shows that its charge was paid, also if refund_total is %j',
	(refund_total) => {
		const rest = { status: 'refunded', refund_total };
		const refunds = recordsOf(['10-06', '10.00']);
		const both = [charge({ ...rest, refunds }), refund('10.00', { ...rest, refunds })];
		expect(journalOf(both).postings).toEqual({
			'charge.created:c1': EXACT,
			'charge.refunded:c1:10.00': refundedFrom('Assets:Payment service', '06', '10.00'),
		});
		const unpaid = journalOf([charge({ ...rest, refunds: [] })]);
		expect(unpaid.postings['charge.created:c1']?.[0]).toMatch(/its status is refunded/);
	},
);

it('two refunds of one charge are each booked on the day of their record', () => {
	const refunds = recordsOf(['10-07', '1.00'], ['10-06', '2.00']);
	const rest = { refunds, refund_total: '3.00' };
	const { postings } = journalOf(['2.00', '3.00'].map((total) => refund(total, rest)));
	expect(Object.values(postings).flat()).toEqual([
		...refundedFrom('Assets:Payment service', '06', '2.00'),
		...refundedFrom('Assets:Payment service', '07', '1.00'),
	]);
});

it.each([
	['are in another currency', { settlement_currency: 'USD' }],
	['don’t add up', { net: 23.97 }],
	['can’t be read', { fee: null }],
	['are not whole cents', { fee: 0.9000000000000001 }],
])('a refund is booked in clearing like its charge if the fees %s', (_why, rest) => {
	const { postings, csv, ...made } = journalOf([charge(rest), refund('10.00', rest)]);
	expect(postings).toEqual({
		'charge.created:c1': [
			'2026-10-05 Assets:Payment service clearing 25.00',
			'2026-10-05 Income:Sales -25.00',
		],
		'charge.refunded:c1:10.00': refundedFrom('Assets:Payment service clearing', '06', '10.00'),
	});
	expect(made).toMatchObject({ bookings: 2, inClearing: 2, notBooked: 0 });
	expect(csv).toContain('"In clearing, like its charge, whose fees are not booked, fee ');
});

const OF_ANOTHER_MONTH = 'its record is of 2026-09-06, which is not in this period';

it.each([
	['its status is pending', charge({ status: 'pending' })],
	['its creation time can’t be read', charge({ created: '2026-10-05T10:00:60Z' })],
	['its total can’t be read', charge({ total: '25,00' })],
	[
		'no record says when the refunds reached 3.00',
		refund('3.00', { refunds: recordsOf(['10-06', '1.00']) }),
	],
	[
		OF_ANOTHER_MONTH,
		refund('5.00', {
			refund_total: null,
			refunds: recordsOf(['09-06', '5.00'], ['10-06', '-5.00'], ['10-07', '5.00']),
		}),
	],
])('the monthly journal books nothing for an event, and both files say why: %s', (why, event) => {
	const { csv, journal, ...made } = journalOf([event]);
	expect(made).toMatchObject({ bookings: 0, notBooked: 1 });
	expect(csv).toContain(`Not booked, since ${why}`);
	expect(journal).toMatch(new RegExp(`^;.*Not booked, since ${why}`, 'm'));
	expect(journal).not.toContain('null');
});

it('the CSV file of a month without events has only the header row', () => {
	const { csv, bookings } = journalOf([]);
	expect([csv.trimEnd().split('\n').length, bookings]).toEqual([1, 0]);
});

describe('cash in the monthly journal', () => {
	it('has its own account, and its fees lower what the service owes', () => {
		const cash = { payment_method: 'Cash' };
		expect(journalOf([charge(cash), refund('10.00', cash)]).postings).toEqual({
			'charge.created:c1': [
				'2026-10-05 Assets:Cash 25.00',
				'2026-10-05 Assets:Payment service -1.02',
				'2026-10-05 Expenses:Payment fees 0.90',
				'2026-10-05 Expenses:Tax on payment fees 0.12',
				'2026-10-05 Income:Sales -25.00',
			],
			'charge.refunded:c1:10.00': refundedFrom('Assets:Cash', '06', '10.00'),
		});
	});

	it('is booked as cash also without fees, and if its fees can’t be booked', () => {
		const postings = ['2026-10-05 Assets:Cash 25.00', '2026-10-05 Income:Sales -25.00'];
		const cash = { payment_method: 'cash', fee: 0, fee_tax: '0.00', net: 25 };
		const unlike = journalOf([charge({ ...cash, fee: 0.9 })]);
		for (const made of [journalOf([charge(cash)]), unlike]) {
			expect(made.postings).toEqual({ 'charge.created:c1': postings });
			expect(made.journal).toContain('account Assets:Cash\n');
		}
		expect(unlike.csv).toContain('"Without the fees, which are not booked, fee 0.9, ');
	});
});
