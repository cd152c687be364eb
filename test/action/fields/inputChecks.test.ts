import { quoted } from '../../../nodes/shared/errors/reportedError';
import {
	checkBoolean,
	checkFilter,
	checkOneOf,
	checkCurrency,
	checkId,
	checkIdText,
	checkInteger,
	checkRequiredText,
	checkUrl,
	checkUuid,
} from '../../../nodes/shared/input/inputChecks';
import { checkFutureDate, readDate } from '../../../nodes/shared/input/dates';
import { useFakeClock } from '../../support/clock';
import { PLANTED } from '../../support/secrets/secrets';

const UUID = '3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b';

/** Values that a check changes or refuses. The limits of each field are in limits.test.ts. */

it.each<[string, unknown, unknown]>([
	['text with its spaces', checkRequiredText(' a ', 'F'), ' a '],
	['2.0, as a sheet has it', checkInteger('2.0', 'F', 1, 9), 2],
	['a negative number where it is allowed', checkInteger('-7', 'F', -10, 9), -7],
	['"true"', checkBoolean('true', 'F'), true],
	['"TRUE", as a sheet has it', checkBoolean('TRUE', 'F'), true],
	['a choice as the editor shows it', checkOneOf(' Disabled', 'F', ['disabled']), 'disabled'],
	['a UUID with invisible characters', checkUuid(`\ufeff${UUID}\u200b\u00ad`, 'F'), UUID],
	...['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212', '\ufe63', '\uff0d'].map(
		(dash): [string, unknown, unknown] => {
			const copied = UUID.replaceAll('-', dash);
			const sent = [checkUuid(copied, 'F'), checkIdText(copied, 'F'), checkId(`${copied} `, 'F')];
			return [`a UUID with U+${dash.charCodeAt(0).toString(16)}`, new Set(sent), new Set([UUID])];
		},
	),
	['an identifier that is no UUID', checkIdText('a\u2011b', 'F'), 'a\u2011b'],
	['an identifier with invisible characters', checkId('cs_\u200b1\u0000\u2060', 'F'), 'cs_1'],
	['a currency with invisible characters', checkCurrency('e\u200dur\u00a0', 'F'), 'EUR'],
	['a whole number with invisible characters', checkInteger('\u200e7\u00a0', 'F', 1, 9), 7],
	[
		'a URL with invisible characters',
		checkUrl('\u200bhttps://a.example/x\u200b', 'F'),
		'https://a.example/x',
	],
	[
		'a filter without invisible characters at its ends',
		checkFilter('\u00a0ana@example.com\u3000\u200b\t', 'F'),
		'ana@example.com',
	],
	[
		'a filter with invisible characters inside',
		checkFilter('می\u200cخواهم ', 'F'),
		'می\u200cخواهم',
	],
	['a filter with a combining accent', checkFilter('Mu\u0308ller', 'F'), 'M\u00fcller'],
	['a UUID in capitals', checkUuid(UUID.toUpperCase(), 'F'), UUID.toUpperCase()],
	['a number as identifier', checkId(42, 'F'), '42'],
	['a URL with spaces around it', checkUrl(' https://a.example/x ', 'F'), 'https://a.example/x'],
])('%s is sent', (_what, sent, expected) => {
	expect(sent).toEqual(expected);
});

it.each<[string, (value: unknown) => unknown, unknown[]]>([
	[
		'as a UUID',
		(value) => checkUuid(value, 'F'),
		[
			...['..', '../../v1/links', `${UUID}/edit`, `${UUID}?x=1`, `x${UUID}`, `${UUID}\n${UUID}`],
			...['12345', 12345, true],
		],
	],
	[
		'as an identifier',
		(value) => checkId(value, 'F'),
		[
			...['..', '.', ' .. ', '.\u200b.', '%2e%2e', 'a/b', 'a\\b', 'a?b', 'a#b', 'a b', '\u200b'],
			...['\ud800', 'é', '../../v1/links', 'https://evil.example', 'c'.repeat(129), { a: 1 }],
		],
	],
	[
		'as a URL',
		(value) => checkUrl(value, 'F'),
		[
			...['shop.example/ok', 'ftp://shop.example', 'javascript:alert(1)', '//shop.example'],
			...['http://', 'https:// shop.example', 'https://shop.example:99999', 7],
		],
	],
	[
		'as a whole number',
		(value) => checkInteger(value, 'F', 1, 2_147_483_647),
		[0, 2_147_483_648, 1.5, '2.5', '1e2', 'many', true, Number.NaN, [1], { a: 1 }, '', null, []],
	],
	['as a yes or no', (value) => checkBoolean(value, 'F'), ['yes', 1, {}]],
	[
		'as a currency',
		(value) => checkCurrency(value, 'F'),
		['US', 'USDX', 'U$D', '123', 'ÄÖÜ', '', null, 840, ['USD'], { toString: 'x' }],
	],
	[
		'as a moment',
		(value) => readDate(value, 'F', { timeZone: 'UTC', body: {} }),
		[
			...['yesterday', '2025-13-01', '2025-02-29', '2024-04-31T00:00:00+04:00', '2024-00-10'],
			...['2024-01-01T25:00', '2024-01-01 24:30:00Z', '2024-01-01T10:60:00Z', '01/31/2025'],
			...[1_735_689_600_000, true, { a: 1 }, '9'.repeat(100_000)],
		],
	],
])('refuses invalid values %s by the name of the field', (_what, check, values) => {
	for (const value of values) expect(() => check(value)).toThrow(/^F is /);
});

describe('a calendar date in the future', () => {
	const at = (iso: string) => void useFakeClock({ now: Date.parse(iso) });

	it.each([
		['2025-01-15T12:00:00Z', 'UTC', '2025-01-16'],
		['2025-01-16T03:00:00Z', 'America/New_York', '2025-01-16'],
		['2025-01-15T12:00:00Z', 'Pacific/Kiritimati', '2025-01-17'],
		['2025-01-15T10:00:00Z', 'Pacific/Pago_Pago', '2025-01-15'],
	])('at %s in %s is %s or later', (now, timeZone, first) => {
		at(now);
		const dayBefore = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10);
		expect(checkFutureDate(first, 'Expiry Date', timeZone)).toBe(first);
		expect(() => checkFutureDate(dayBefore, 'Expiry Date', timeZone)).toThrow(
			`Expiry Date is ${dayBefore}: it must be in the future, and today is ${dayBefore}`,
		);
	});

	it.each(['2025-03-01T24:00', '2025-03-01 10:00'])('can be a date and time: %s', (value) => {
		expect(checkFutureDate(value, 'Expiry Date', 'America/New_York')).toBe('2025-03-01');
	});

	it.each<[string, unknown]>([
		['a Date', new Date('2025-03-01T23:30:00Z')],
		['a luxon object', { toISO: () => '2025-03-01T18:30:00.000-05:00' }],
		['text with an offset', '2025-03-02 08:30+0900'],
	])('is the day of a moment in the workflow’s time zone: %s', (_what, moment) => {
		expect(checkFutureDate(moment, 'F', 'Asia/Tokyo')).toBe('2025-03-02');
		expect(checkFutureDate(moment, 'F', 'America/New_York')).toBe('2025-03-01');
	});

	it.each<[string, unknown]>([
		['in UTC', '2025-03-01T00:00:00.000Z'],
		['in UTC, as a Date', new Date('2025-03-01T00:00:00Z')],
		['in UTC, as an offset', '2025-03-01 00:00:00+00:00'],
		['of its own offset', '2025-03-01T00:00+0100'],
		['as a luxon object', { toISO: () => '2025-03-01T00:00:00.000-08:00' }],
	])('is the written day of a moment at exactly midnight: %s', (_what, moment) => {
		for (const timeZone of ['America/New_York', 'Asia/Tokyo', 'UTC']) {
			expect(checkFutureDate(moment, 'F', timeZone)).toBe('2025-03-01');
		}
		expect(checkFutureDate('2025-03-01T00:00:01Z', 'F', 'America/New_York')).toBe('2025-02-28');
	});

	it.each([
		...[new Date(Number.NaN), { toISO: () => null }, {}, [], null, undefined, 5, '2025-02-30'],
		...['2025-02-01 and more', '2025-02-01T25:00', '2025-02-01T10:00+25:00'],
	])('can’t be %p', (value) => {
		expect(() => checkFutureDate(value, 'Expiry Date', 'UTC')).toThrow(
			'must be a date in the form YYYY-MM-DD',
		);
	});
});

describe('a refused value in a message', () => {
	it.each<[unknown, string]>([
		['text', '"text"'],
		[null, 'null'],
		[undefined, 'undefined'],
		[{ a: ['b'] }, '{"a":["b"]}'],
		[() => 1, 'function'],
		['a\u200bb\u202ec', '"a\\u200Bb\\u202Ec"'],
		['two\nlines', '"two\\u000Alines"'],
		[{ a: 'b\ufeff' }, '{"a":"b\\uFEFF"}'],
		['x'.repeat(70), `"${'x'.repeat(56)}… (72 characters)`],
	])('%p is shown as %s', (value, text) => {
		expect(quoted(value)).toBe(text);
	});

	it('hides card numbers, also where the text is cut', () => {
		for (const length of [0, 30, 45, 50, 56]) {
			const text = quoted(`${'x'.repeat(length)} ${PLANTED.cardNumber} and more to come after it`);
			expect(text).not.toMatch(/\d{4,}/);
		}
	});
});
