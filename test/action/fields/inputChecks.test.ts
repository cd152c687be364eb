import { InputError, quoted } from '../../../nodes/shared/errors/inputError';
import {
	checkBoolean,
	checkCurrency,
	checkId,
	checkInteger,
	checkOneOf,
	checkRequiredText,
	checkText,
	checkUrl,
	checkUuid,
	isNothing,
} from '../../../nodes/shared/input/inputChecks';
import { checkFutureDate } from '../../../nodes/shared/input/dates';
import { useFakeClock } from '../../support/clock';
import { PLANTED } from '../../support/secrets/secrets';

const UUID = '3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b';

describe('what is sent in place of what was given', () => {
	it.each<[string, unknown, unknown]>([
		['text', checkText('a', 'F'), 'a'],
		['a number as text', checkText(7, 'F'), '7'],
		['text with its spaces', checkRequiredText(' a ', 'F'), ' a '],
		['a whole number', checkInteger(7, 'F', 1), 7],
		['a whole number given as text', checkInteger(' 7 ', 'F', 1), 7],
		['a negative number where it is allowed', checkInteger('-7', 'F', -10), -7],
		['true', checkBoolean(true, 'F'), true],
		['"true"', checkBoolean('true', 'F'), true],
		['"false"', checkBoolean('false', 'F'), false],
		['a currency', checkCurrency('USD', 'F'), 'USD'],
		['a currency in small letters with spaces', checkCurrency(' eur ', 'F'), 'EUR'],
		['one of a choice', checkOneOf('a', 'F', ['a', 'b']), 'a'],
		['a UUID', checkUuid(UUID, 'F'), UUID],
		['a UUID with spaces', checkUuid(`\n${UUID} `, 'F'), UUID],
		['a UUID in capitals', checkUuid(UUID.toUpperCase(), 'F'), UUID.toUpperCase()],
		['an identifier', checkId('cs_1-a', 'F'), 'cs_1-a'],
		['a number as identifier', checkId(42, 'F'), '42'],
		['a URL with spaces around it', checkUrl(' https://a.example/x ', 'F'), 'https://a.example/x'],
	])('%s', (_what, sent, expected) => {
		expect(sent).toBe(expected);
	});
});

describe('an empty value is told from a wrong one', () => {
	it.each([undefined, null, ''])('%p', (value) => {
		expect(isNothing(value)).toBe(true);
		expect(() => checkRequiredText(value, 'Name')).toThrow('Name is empty');
		expect(() => checkUuid(value, 'Payment Link ID')).toThrow('Payment Link ID is empty');
		expect(() => checkId(value, 'Session')).toThrow('Session is empty');
	});

	it.each([0, false, 'x', [], {}])('%p is something', (value) => {
		expect(isNothing(value)).toBe(false);
	});
});

describe('a refusal', () => {
	it('is an input error with advice where there is some', () => {
		const refuse = () => checkText('x'.repeat(53), 'Title', 50);
		expect(refuse).toThrow(InputError);
		expect(refuse).toThrow(
			expect.objectContaining({
				message: 'Title is 53 characters long: the limit is 50',
				advice: 'Shorten Title to 50 characters or fewer. Nothing was sent.',
			}) as Error,
		);
	});

	it('counts characters by code points, and leaves it to the service to count more', () => {
		expect(checkText('😀'.repeat(50), 'Title', 50)).toBe('😀'.repeat(50));
		expect(() => checkText('😀'.repeat(51), 'Title', 50)).toThrow('is 51 characters long');
	});
});

describe('a calendar date in the future', () => {
	const at = (iso: string) => void useFakeClock({ now: Date.parse(iso) });

	it.each([
		['2025-01-15T12:00:00Z', 'UTC', '2025-01-16'],
		['2025-01-15T23:59:59Z', 'UTC', '2025-01-16'],
		['2025-01-16T00:00:00Z', 'UTC', '2025-01-17'],
		['2025-01-15T23:30:00Z', 'Europe/Berlin', '2025-01-17'],
		['2025-01-16T03:00:00Z', 'America/New_York', '2025-01-16'],
		['2025-01-15T10:00:00Z', 'Pacific/Kiritimati', '2025-01-17'],
		['2024-12-31T23:59:59Z', 'UTC', '2025-01-01'],
		['2024-02-28T12:00:00Z', 'UTC', '2024-02-29'],
	])('at %s in %s is %s or later', (now, timeZone, first) => {
		at(now);
		const dayBefore = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10);
		expect(checkFutureDate(first, 'Expiry Date', timeZone)).toBe(first);
		expect(() => checkFutureDate(dayBefore, 'Expiry Date', timeZone)).toThrow(
			`Expiry Date is ${dayBefore}: it must be in the future, and today is ${dayBefore}`,
		);
	});

	it.each<[string, unknown]>([
		['a luxon object', { toISO: () => '2025-03-01T00:00:00.000Z' }],
		['a Date', new Date('2025-03-01T10:00:00Z')],
		['a date and time', '2025-03-01T10:00:00.000+02:00'],
		['a date and time at its end', '2025-03-01T24:00'],
		['a date and time with a space', '2025-03-01 10:00'],
	])('may be %s', (_what, value) => {
		at('2025-01-15T12:00:00Z');
		expect(checkFutureDate(value, 'Expiry Date', 'UTC')).toBe('2025-03-01');
	});

	it.each<[string, unknown]>([
		['a Date', new Date('2025-03-01T23:30:00Z')],
		['a luxon object', { toISO: () => '2025-03-01T18:30:00.000-05:00' }],
		['text in UTC', '2025-03-01T23:30:00Z'],
		['text with an offset', '2025-03-02 08:30+0900'],
		['text with an offset in hours', '2025-03-01T18:30:00.000-05'],
	])('of a moment is the day in the workflow’s time zone: %s', (_what, moment) => {
		at('2025-01-15T12:00:00Z');
		expect(checkFutureDate(moment, 'F', 'Asia/Tokyo')).toBe('2025-03-02');
		expect(checkFutureDate(moment, 'F', 'America/New_York')).toBe('2025-03-01');
	});

	it.each([
		['2025-01-16T02:00:00Z', 'America/Los_Angeles', /is 2025-01-15: it must be in the future/],
		['2025-01-15T16:00:00Z', 'Asia/Tokyo', undefined],
		['0099-01-02T10:00:00Z', 'Asia/Tokyo', /is 0099-01-02: it must be in the future/],
	])('of a moment is compared with today there: %s in %s', (moment, timeZone, refused) => {
		at('2025-01-15T12:00:00Z');
		const check = () => checkFutureDate(moment, 'F', timeZone);
		if (refused === undefined) expect(check()).toBe('2025-01-16');
		else expect(check).toThrow(refused);
	});

	it.each([
		new Date(Number.NaN),
		{ toISO: () => null },
		{},
		[],
		null,
		undefined,
		5,
		'2025-02-30',
		...[
			'2025-02-01T99:99',
			'2025-02-01 and more',
			'2025-02-01T',
			'2025-02-01T25:00',
			'2025-02-01Z',
		],
		...['2025-02-01T10:00+25:00', '2025-02-01T10:00+01:60', '2025-02-01T10:00:61Z'],
	])('is not %p', (value) => {
		at('2025-01-15T12:00:00Z');
		expect(() => checkFutureDate(value, 'Expiry Date', 'UTC')).toThrow(
			'must be a date as YYYY-MM-DD',
		);
	});
});

describe('how a value is shown', () => {
	it.each<[unknown, string]>([
		['text', '"text"'],
		['', '""'],
		[1.5, '1.5'],
		[Number.NaN, 'NaN'],
		[Number.NEGATIVE_INFINITY, '-Infinity'],
		[5n, '5'],
		[true, 'true'],
		[null, 'null'],
		[undefined, 'undefined'],
		[['a'], '["a"]'],
		[{ a: 1 }, '{"a":1}'],
		[() => 1, 'function'],
		['x'.repeat(70), `"${'x'.repeat(56)}… (72 characters)`],
	])('%p', (value, text) => {
		expect(quoted(value)).toBe(text);
	});

	it('hides card numbers, also where the text is cut', () => {
		for (const length of [0, 30, 45, 50, 56]) {
			const text = quoted(`${'x'.repeat(length)} ${PLANTED.cardNumber} and more to come after it`);
			expect(text).not.toMatch(/\d{4,}/);
		}
	});
});
