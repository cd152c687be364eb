import { checkMoney } from '../../../nodes/shared/input/moneyCheck';
import { Amount, currencyDigits } from '../../../nodes/shared/money';
import { InputError } from '../../../nodes/shared/errors/reportedError';
import fc, { property } from '../../support/jest/property';

function sent(value: unknown, currency?: string, positive = false): string {
	try {
		const checks = { positive, ...(currency === undefined ? {} : { currency }) };
		return checkMoney(value, 'Amount', checks).text;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return `refused: ${error.message}`;
	}
}

/** Digits of a decimal text before and after the point, without the zeros that carry no value. */
function bare(text: string): string {
	const [whole = '', fraction = ''] = text.split('.');
	return `${whole.replace(/^0+(?=\d)/, '')}.${fraction.replace(/0+$/, '')}`;
}

const digits = (min: number, max: number): fc.Arbitrary<string> =>
	fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: min, maxLength: max });

const decimalText = fc
	.tuple(digits(1, 30), fc.option(digits(1, 12), { nil: undefined }))
	.map(([whole, fraction]) => (fraction === undefined ? whole : `${whole}.${fraction}`));

describe('an amount that is text', () => {
	it.each([
		['12.50', 'USD', '12.50'],
		['12.5', 'USD', '12.5'],
		['12.5000', 'USD', '12.50'],
		[' 12.50 ', 'USD', '12.50'],
		['007.50', 'USD', '7.50'],
		['0.01', 'USD', '0.01'],
		['100.00', 'JPY', '100'],
		['1.234', 'KWD', '1.234'],
		['1.2340', 'KWD', '1.234'],
		['1.23456', 'ZZZ', '1.23456'],
		['9007199254740993.01', 'USD', '9007199254740993.01'],
		[`${'9'.repeat(300)}.99`, 'USD', `${'9'.repeat(300)}.99`],
	])('%s in %s is sent as %s', (text, currency, wanted) => {
		expect(sent(text, currency, true)).toBe(wanted);
	});

	it.each<[string, RegExp]>([
		['12,50', /"12,50": it must be a decimal number/],
		...'1,234.50|1e3|+5|.5|5.|1.2.3|12 50|$12.50|１２|١٢|NaN|Infinity'
			.split('|')
			.map((text): [string, RegExp] => [text, /must be a decimal number/]),
		['', /Amount is empty/],
		['   ', /Amount is empty/],
		['9'.repeat(1_001), /is 1001 characters long: the limit is 1000/],
		['-1', /"-1": it must not be negative/],
		['0', /must be greater than 0/],
		['0.00', /must be greater than 0/],
		['-0', /must be greater than 0/],
		['12.505', /3 decimal places, and USD has 2/],
		['12.5050', /4 decimal places, and USD has 2/],
	])('%j is refused by name', (text, reason) => {
		expect(sent(text, 'USD', true)).toMatch(/^refused: Amount is/);
		expect(sent(text, 'USD', true)).toMatch(reason);
	});

	it.each([
		['1.000', 'EUR', '1000', '1.00'],
		['12.500', 'USD', '12500', '12.50'],
		[' 10.000 ', 'JPY', '10000', '10'],
		['12.505', 'USD', '12505', 'it with fewer decimal places'],
		// ISO 4217 no longer lists it.
		['1.000', 'BGN', '1000', '1.00'],
	])('%j in %s can be a thousand: it is refused with both readings', (text, currency, ...both) => {
		expect(() => checkMoney(text, 'Amount', { currency })).toThrow(
			expect.objectContaining({
				message: expect.stringMatching(/^Amount is .*: it has 3 decimal places, and/) as string,
				advice: `If the point is a thousands separator, enter ${both[0]}. If it is a decimal point, enter ${both[1]}. Nothing was sent.`,
			}) as Error,
		);
	});

	it('0.001 can’t be a thousand, so only its decimal places are refused; 0.500 is sent as 0.50', () => {
		expect(() => checkMoney('0.001', 'Amount', { currency: 'EUR' })).toThrow(
			expect.objectContaining({
				message: 'Amount is "0.001": it has 3 decimal places, and EUR has 2',
				advice: expect.not.stringMatching('thousands') as string,
			}) as Error,
		);
		expect(sent('0.500', 'EUR', true)).toBe('0.50');
	});

	property(
		'is sent exactly or refused, for any decimal text',
		[decimalText, fc.constantFrom('USD', 'JPY', 'KWD', 'CLF', 'ZZZ')],
		(text, currency) => {
			const result = sent(text, currency);
			const allowed = currencyDigits(currency);
			const needed = bare(text).split('.')[1]?.length ?? 0;
			const isLikeGroup = /[1-9]\d*\.\d{3}$/.test(text) && (allowed ?? 0) < 3;
			if (isLikeGroup || (allowed !== undefined && needed > allowed)) {
				expect(result).toMatch(/^refused: .*decimal places/);
				return;
			}
			expect(bare(result)).toBe(bare(text));
			if (allowed !== undefined) {
				expect(result.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(allowed);
			}
		},
		{ numRuns: 2_000 },
	);

	property(
		'is sent as a decimal text or refused, for any text at all',
		[fc.string({ unit: 'binary' })],
		(text) => {
			expect(sent(text, 'USD')).toMatch(/^(\d+(\.\d{1,2})?$|refused: Amount )/);
		},
		{ numRuns: 2_000 },
	);
});

describe('an amount that is a number', () => {
	it.each<[number, string | undefined, string]>([
		[12.5, 'USD', '12.5'],
		[0.1, 'USD', '0.1'],
		[1e-7, undefined, '0.0000001'],
		[1.5e-7, undefined, '0.00000015'],
		[100, 'JPY', '100'],
		[1.001, 'KWD', '1.001'],
		[9999999999999.99, 'USD', '9999999999999.99'],
		[999999999999.999, 'KWD', '999999999999.999'],
		[0.123456789012345, 'ZZZ', '0.123456789012345'],
		[-0, 'USD', '0'],
	])('%d in %s is sent as %s', (value, currency, wanted) => {
		expect(sent(value, currency)).toBe(wanted);
	});

	it.each<[number, RegExp]>([
		[0.1 + 0.2, /17 decimal places, and USD has 2/],
		[1e21, /a number is exact to 15 digits/],
		[90071992547409.91, /a number is exact to 15 digits/],
		[10_000_000_000_000, /a number is exact to 15 digits/],
		[5e-324, /324 decimal places/],
		[Number.NaN, /must be a decimal number/],
		[Number.POSITIVE_INFINITY, /must be a decimal number/],
		[-5, /must not be negative/],
		[-1e21, /a number is exact to 15 digits/],
		[0, /must be greater than 0/],
	])('%d is refused by name', (value, reason) => {
		expect(sent(value, 'USD', true)).toMatch(/^refused: Amount is/);
		expect(sent(value, 'USD', true)).toMatch(reason);
	});

	property(
		'is sent as its shortest decimal text or refused, for any number',
		[fc.oneof(fc.double(), fc.integer(), fc.float())],
		(value) => {
			const result = sent(value);
			if (result.startsWith('refused')) {
				const digits = String(value)
					.replace(/e.*$/, '')
					.replace(/\D|^0\.0*/g, '').length;
				expect(value < 0 || !Number.isFinite(value) || value >= 1e15 || digits > 15).toBe(true);
				return;
			}
			expect(result).toMatch(/^\d+(\.\d+)?$/);
			expect(Number(result)).toBe(Math.abs(value));
			const shortest = String(value).replace(/e.*$/, '').replace(/\D/g, '');
			expect(result.replace('.', '').replace(/^0+/, '')).toBe(shortest.replace(/^0+/, ''));
		},
		{ numRuns: 5_000 },
	);
});

it.each<[unknown, string]>([
	[undefined, 'refused: Amount is missing'],
	[null, 'refused: Amount is missing'],
	[true, 'refused: Amount is true: it must be a decimal number such as 12.50'],
	[['5'], 'refused: Amount is ["5"]: it must be a decimal number such as 12.50'],
	[{ value: 5 }, 'refused: Amount is {"value":5}: it must be a decimal number such as 12.50'],
	[10n, 'refused: Amount is 10: it must be a decimal number such as 12.50'],
])('refuses an amount of another type: %p', (value, wanted) => {
	expect(sent(value)).toBe(wanted);
});

describe('sums', () => {
	const amount = fc
		.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 12 }))
		.map(([units, scale]) => new Amount(units, scale));
	const inSmallest = ({ units, scale }: Amount): bigint => units * 10n ** BigInt(12 - scale);

	property('are exact', [amount, amount], (one, other) => {
		expect(inSmallest(one.plus(other))).toBe(inSmallest(one) + inSmallest(other));
		expect(inSmallest(one.minus(other))).toBe(inSmallest(one) - inSmallest(other));
		const difference = inSmallest(one) - inSmallest(other);
		expect([one.isMoreThan(other), one.equals(other)]).toEqual([
			difference > 0n,
			difference === 0n,
		]);
	});

	property('read what they write', [amount], (one) => {
		expect(Amount.read(one.text)).toEqual(one);
		expect(one.withScale(15).equals(one)).toBe(true);
	});
});
