import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { uuid } from '../operations';

/** Charges with card numbers and tokens in every place where people or the service write what they like. */

const SEPARATORS = [
	...['', ' ', '-', '.', '  ', ' - ', '/', '_', ', ', '\n', '\t', '·', '*', '|', ':', '+', ') ('],
	...['\u00a0', '\u2009', '\u200b', '\u2013', '\u2014', '\u2212', '\u3000', '\u30fb', '\u00ad'],
	...[
		'%20',
		'%2D',
		'%C2%A0',
		'%e2%80%93',
		'&nbsp;',
		'&#32;',
		'&#x2d;',
		'\\u0020',
		'<b>',
		' - '.repeat(9),
	],
] as const;

/** The digits 0 to 9 as other scripts and signs write them. */
const DIGITS: ReadonlyArray<(digit: number) => string> = [
	String,
	String,
	String,
	(digit) => String.fromCodePoint(0xff10 + digit),
	(digit) => String.fromCodePoint(0x0660 + digit),
	(digit) => String.fromCodePoint(0x0966 + digit),
	(digit) => String.fromCodePoint(0x1d7ce + digit),
	(digit) => String.fromCodePoint(0x2080 + digit),
	(digit) => `%3${digit}`,
	(digit) => `%EF%BC%9${digit}`,
	(digit) => `\\u003${digit}`,
	(digit) => `&#${48 + digit};`,
	(digit) => '〇一二三四五六七八九'.charAt(digit),
	(digit) => (digit === 0 ? '\u24ff' : String.fromCodePoint(0x2775 + digit)),
	(digit) => (digit === 0 ? '\u24ea' : String.fromCodePoint(0x2473 + digit)),
	(digit) => (digit === 0 ? '\u{1f100}' : String.fromCodePoint(0x2487 + digit)),
	(digit) => (digit === 0 ? '0' : String.fromCodePoint(0x1368 + digit)),
	(digit) => String.fromCodePoint(0xe0030 + digit),
	(digit) => `${digit}\ufe0f\u20e3`,
	(digit) => `\\x3${digit}`,
	(digit) => `\\u{3${digit}}`,
	(digit) => `=3${digit}`,
	(digit) => `%253${digit}`,
	(digit) => `&amp;#${48 + digit};`,
];

export interface Spelling {
	/** How a number is written, out of its digits. */
	readonly spell: (digits: string) => string;
}

export const spellings: fc.Arbitrary<Spelling> = fc
	.record({
		separator: fc.constantFrom(...SEPARATORS),
		digit: fc.constantFrom(...DIGITS),
		group: fc.constantFrom(1, 2, 3, 4, 5, 6, 19),
	})
	.map(({ separator, digit, group }) => ({
		spell: (digits) =>
			(digits.match(new RegExp(`.{1,${group}}`, 'g')) ?? [])
				.map((part) =>
					part
						.split('')
						.map((one) => digit(Number(one)))
						.join(''),
				)
				.join(separator),
	}));

/** Of 12 to 19 digits; the last makes the check digit right. */
export const cardNumbers: fc.Arbitrary<string> = fc
	.tuple(
		fc.integer({ min: 1, max: 9 }),
		fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 17 }),
	)
	.map(([first, rest]) => withCheckDigit(`${first}${rest.join('')}`));

export function withCheckDigit(digits: string): string {
	const sum = digits
		.split('')
		.reverse()
		.reduce((total, digit, place) => {
			const doubled = Number(digit) * (place % 2 === 0 ? 2 : 1);
			return total + (doubled > 9 ? doubled - 9 : doubled);
		}, 0);
	return digits + String((10 - (sum % 10)) % 10);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'.split('');
const INNER = [...ALPHABET, ...'-_./+=:~'.split('')];

const tokens: fc.Arbitrary<string> = fc
	.tuple(
		fc.constantFrom(...ALPHABET),
		fc.array(fc.constantFrom(...INNER), { minLength: 14, maxLength: 60 }),
		fc.constantFrom(...ALPHABET),
	)
	.map(([first, inner, last]) => first + inner.join('') + last);

/** Free texts, and words of the service. */
const SEARCHED_PLACES = [
	...['note', 'success_url', 'failure_url', 'unknown', 'user.first_name', 'user.last_name'],
	...['events.message', 'events.user.first_name', 'source.name', 'source.card_holder_name'],
	...['source.unknown', 'items.0.name', 'items.0.sku', 'items.0.unknown', 'custom_fields.0.value'],
	...['custom_fields.0.deep.0.0.status', 'refunds.0.reason', 'metadata.channel'],
	...['payment_method', 'payment_capture_source', 'source.issuer', 'source.expires_on'],
	'events.type',
] as const;

const BEFORE = [
	'',
	'paid with ',
	'No. 7: ',
	'(',
	'card=',
	'?t=',
	'?q=a%20',
	'\n',
	'"',
	'😀',
	'é ',
	'{"a":"',
];
const AFTER = ['', ' thanks', '.', '&x=1', ')', '\n', '"}', ' 😀', '/5', ' x'];

/** A charge as the contract shows it, without secrets. */
export const plainCharge = (number: number): IDataObject => ({
	id: uuid(number),
	reference_id: 1_000_000 + number,
	created: new Date(Date.UTC(2025, 0, 15, 11, number % 60, Math.floor(number / 60))).toISOString(),
	items: [
		{
			amount: '12.50',
			name: 'Ticket',
			total_amount: '25.00',
			quantity: 2,
			product: uuid(9),
			sku: 'T-1',
		},
	],
	currency: 'USD',
	discount: '0.00',
	status: 'authorised',
	total: '25.00',
	refund_total: '5.00',
	note: 'Two seats, 12.50 each',
	payment_method: 'cash',
	user: { id: uuid(8), first_name: 'Ada', last_name: 'Lovelace' },
	events: {
		created: '2025-01-15T12:00:00.000Z',
		type: 'authorised',
		message: 'Authorised',
		user: { id: uuid(8), first_name: 'Ada', last_name: 'Lovelace' },
	},
	settlement_currency: 'USD',
	fee: 0.30000000000000004,
	net: 24.7,
	success_url: 'https://shop.example.com/ok?a=1%202',
	failure_url: '',
	source: {
		type: 'card',
		last4: '5709',
		bin: '492942',
		name: 'Visa',
		card_holder_name: 'Ada Holder',
	},
	custom_fields: [{ name: 'Table', value: '7', deep: [[{ status: 'x' }]] }],
	refunds: [{ created: '2025-01-15T12:30:00.000Z', amount: '5.00', reason: 'late' }],
	metadata: { channel: 'web' },
	unknown: 'something new',
});

/** Puts a text into a place such as `items.0.name`. */
export function setPlace(record: IDataObject, place: string, text: unknown): void {
	const steps = place.split('.');
	const last = steps.pop() ?? '';
	let target: Record<string, unknown> = record;
	for (const step of steps) target = (target[step] ??= {}) as Record<string, unknown>;
	target[last] = text;
}

export interface PlantedCharge {
	readonly row: IDataObject;
	readonly cardNumber: string;
	readonly token: string;
	/** Exactly as they were written there. */
	readonly written: readonly string[];
}

/** A charge whose card number and token stand in its source, and again in some of the places that are searched. */
export const plantedCharges: fc.Arbitrary<PlantedCharge> = fc
	.record({
		number: fc.integer({ min: 1, max: 100_000 }),
		cardNumber: cardNumbers,
		token: tokens,
		inSource: spellings,
		planted: fc.array(
			fc.record({
				place: fc.constantFrom(...SEARCHED_PLACES),
				what: fc.constantFrom('card', 'token', 'number', 'name'),
				spelling: spellings,
				before: fc.constantFrom(...BEFORE),
				after: fc.constantFrom(...AFTER),
			}),
			{ minLength: 1, maxLength: 6 },
		),
	})
	.map(({ number, cardNumber, token, planted }) => {
		const row = plainCharge(number);
		const written: string[] = [];
		for (const { place, what, spelling, before, after } of planted) {
			const isAddress = place.endsWith('_url');
			const plain = what === 'token' ? token : spelling.spell(cardNumber);
			const text = isAddress && what === 'token' ? encodeURIComponent(plain) : plain;
			written.push(text);
			if (what === 'name') setPlace(row, 'custom_fields.0', { [before + text + after]: 1 });
			else if (what === 'number') setPlace(row, 'custom_fields.0.number', Number(cardNumber));
			else setPlace(row, place, before + text + after);
		}
		setPlace(row, 'source.token', token);
		setPlace(row, 'source.card_data', {
			card_number: cardNumber,
			expiry_month: '12',
			expiry_year: '2031',
			security_code: '917',
			card_holder_name: 'Ada Holder',
		});
		return { row, cardNumber, token, written };
	});

/** What is left of a charge's secrets in something that left a node. */
export function leaksOf(output: unknown, { cardNumber, token, written }: PlantedCharge): string[] {
	const texts: string[] = [];
	const walk = (value: unknown): void => {
		if (typeof value === 'string' || typeof value === 'number') texts.push(String(value));
		else if (Array.isArray(value)) value.forEach(walk);
		else if (typeof value === 'object' && value !== null) {
			texts.push(...Object.keys(value));
			Object.values(value).forEach(walk);
		}
	};
	walk(output);
	return texts.filter(
		(text) =>
			text.includes(token) ||
			text.replace(/\D/g, '').includes(cardNumber) ||
			written.some((spelled) => text.includes(spelled)),
	);
}
