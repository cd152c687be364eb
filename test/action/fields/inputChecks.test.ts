import { InputError, quoted } from '../../../nodes/shared/errors/inputError';
import {
	checkBoolean,
	checkCurrency,
	checkFutureDate,
	checkId,
	checkInteger,
	checkOneOf,
	checkRequiredText,
	checkText,
	checkUrl,
	checkUuid,
	isNothing,
} from '../../../nodes/shared/input/inputChecks';
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
		['a luxon object', { toISODate: () => '2025-03-01' }],
		['a Date', new Date('2025-03-01T10:00:00Z')],
		['a date and time', '2025-03-01T10:00:00.000+02:00'],
		['a date and time with a space', '2025-03-01 10:00'],
	])('may be %s', (_what, value) => {
		at('2025-01-15T12:00:00Z');
		expect(checkFutureDate(value, 'Expiry Date', 'UTC')).toBe('2025-03-01');
	});

	it('of a Date is the day in the workflow’s time zone', () => {
		at('2025-01-15T12:00:00Z');
		const late = new Date('2025-03-01T23:30:00Z');
		expect(checkFutureDate(late, 'F', 'Asia/Tokyo')).toBe('2025-03-02');
		expect(checkFutureDate(late, 'F', 'America/New_York')).toBe('2025-03-01');
	});

	it.each([
		new Date(Number.NaN),
		{ toISODate: () => null },
		{},
		[],
		null,
		undefined,
		5,
		'2025-02-30',
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
