import { CURRENCIES } from '../../contract/currencies.generated';
import { InputError, quoted, quotedText } from './errors/reportedError';
import { asSeen, plainText } from './values';

/**
 * Money as exact decimal text (docs/service.md, Conventions), never as a float: an amount is a
 * whole number of units of 10^-scale.
 */
export interface Amount {
	readonly units: bigint;
	readonly scale: number;
}

export const NOTHING: Amount = { units: 0n, scale: 0 };

/** Decimal digits that a double keeps whatever they are; of 90071992547409.91 it keeps no cents. */
const EXACT_DIGITS = 15;

/** Far more than any currency needs; BigInt gets slow with many more. */
const MAX_AMOUNT_LENGTH = 1_000;

/** Digits after a point that groups thousands. */
const THOUSANDS_DIGITS = 3;
/** Of by far most currencies, and of all that ISO 4217 has withdrawn. */
export const USUAL_DIGITS = 2;

const DECIMAL_TEXT = /^(\d+)(?:\.(\d+))?$/;
const DIGITS_BY_CURRENCY = new Map(CURRENCIES.map(({ code, digits }) => [code, digits]));

/** Digits after the point of a currency (ISO 4217: 0, 2, 3 or 4), or undefined for a code that ISO does not list. */
export function currencyDigits(currency: string): number | undefined {
	return DIGITS_BY_CURRENCY.get(currency.trim().toUpperCase());
}

/** Reads decimal text that the service sent or that was checked before. Undefined when it is no decimal number. */
export function readAmount(text: unknown): Amount | undefined {
	const trimmed = typeof text === 'number' ? numberText(text) : plainText(text).trim();
	if (trimmed !== undefined && trimmed.length > MAX_AMOUNT_LENGTH) return undefined;
	const negative = trimmed?.startsWith('-') ?? false;
	const match = DECIMAL_TEXT.exec(trimmed?.replace(/^-/, '') ?? '');
	if (match === null) return undefined;
	const [, whole = '', fraction = ''] = match;
	const units = BigInt(whole + fraction);
	return { units: negative ? -units : units, scale: fraction.length };
}

/** Decimal text of an amount, with as many digits after the point as its scale. */
export function amountText({ units, scale }: Amount): string {
	const sign = units < 0n ? '-' : '';
	const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
	const whole = digits.slice(0, digits.length - scale);
	return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-scale)}`;
}

/** 5 and 5.00 are the same money. Text, since a number would not distinguish large amounts. */
export const withoutSpareZeros = (decimal: string): string =>
	decimal.includes('.') ? decimal.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : decimal;

/** The same amount with at least `scale` digits after the point. */
export function withScale({ units, scale }: Amount, wanted: number): Amount {
	return wanted <= scale
		? { units, scale }
		: { units: units * 10n ** BigInt(wanted - scale), scale: wanted };
}

function combine(a: Amount, b: Amount, sign: 1n | -1n): Amount {
	const scale = Math.max(a.scale, b.scale);
	return { units: withScale(a, scale).units + sign * withScale(b, scale).units, scale };
}

export const addAmounts = (a: Amount, b: Amount): Amount => combine(a, b, 1n);
export const subtractAmounts = (a: Amount, b: Amount): Amount => combine(a, b, -1n);

/** The same amount with at most `digits` digits after the point; undefined when it has more that are no zeros. */
export function withDigits(amount: Amount, digits: number): Amount | undefined {
	if (amount.scale <= digits) return amount;
	const divisor = 10n ** BigInt(amount.scale - digits);
	const isExact = amount.units % divisor === 0n;
	return isExact ? { units: amount.units / divisor, scale: digits } : undefined;
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareAmounts(a: Amount, b: Amount): number {
	const { units } = subtractAmounts(a, b);
	return units < 0n ? -1 : units > 0n ? 1 : 0;
}

/** The digits of a number as it stands, without an exponent; undefined when a double can't hold it exactly. */
function numberText(value: number): string | undefined {
	if (!Number.isFinite(value)) return undefined;
	const text = String(value);
	if (!text.includes('e')) return Math.abs(value) > Number.MAX_SAFE_INTEGER ? undefined : text;
	const [mantissa = '', exponent = ''] = text.split('e');
	// Beyond 2^53 the digits that were meant are lost already; below 10^-6 they only need more zeros.
	if (Number(exponent) > 0) return undefined;
	const digits = mantissa.replace('.', '').replace('-', '');
	return `${value < 0 ? '-' : ''}0.${'0'.repeat(-Number(exponent) - 1)}${digits}`;
}

interface MoneyChecks {
	readonly currency?: string;
	/** What else is known of the digits, for a currency that ISO 4217 no longer lists. */
	readonly digits?: number;
	readonly positive?: boolean;
}

/**
 * Turns what a user or an expression gave into an exact amount, or refuses it by name.
 *
 * Text is taken as it is but for zeros that carry no value; a number becomes the decimal text that n8n shows
 * for it. Digits after the point beyond the currency's own (ISO 4217) are refused unless they are zeros; a
 * currency that ISO does not list has as many as the caller knows of, or any. Three of them in a text are refused even
 * as zeros where the currency is not known to have them: where a point groups thousands, 1.000 is a thousand.
 *
 * @throws {InputError} naming the field and the value
 */
export function checkMoney(
	value: unknown,
	field: string,
	{ currency = '', digits: otherwise, positive = false }: MoneyChecks = {},
): Amount {
	const given = readMoney(value, field);
	if (given.units < 0n)
		throw new InputError(`${field} is ${quoted(value)}: it must not be negative`);
	if (positive && given.units === 0n) {
		throw new InputError(`${field} is ${quoted(value)}: it must be greater than 0`);
	}
	const mayGroup = typeof value === 'string' && given.scale === THOUSANDS_DIGITS;
	const unlisted = otherwise ?? (mayGroup && currency !== '' ? USUAL_DIGITS : given.scale);
	const digits = currencyDigits(currency) ?? unlisted;
	const amount = withDigits(given, digits);
	if (amount === undefined || (mayGroup && digits < THOUSANDS_DIGITS)) {
		const message = `${field} is ${quoted(amountText(given))}: it has ${given.scale} decimal places, and ${currency.trim() || 'the currency'} has ${digits}`;
		const isNumber = typeof value === 'number';
		throw new InputError(
			message,
			mayGroup ? groupAdvice(given, amount) : isNumber ? ROUND : undefined,
		);
	}
	const { units } = withScale(amount, digits);
	const isInexact = typeof value === 'number' && units.toString().length > EXACT_DIGITS;
	if (isInexact) throw tooManyDigits(value, field);
	return amount;
}

function groupAdvice({ units }: Amount, amount: Amount | undefined): string {
	const decimal = amount === undefined ? 'it with fewer decimal places' : amountText(amount);
	return `If the point is a thousands separator, enter ${quotedText(String(units))}. If it is a decimal point, enter ${quotedText(decimal)}. Nothing was sent.`;
}

const ROUND =
	'Round the result of the calculation, as in {{ (0.1 + 0.2).toFixed(2) }}, or enter the amount as text. Nothing was sent.';

/** Of a large number some are lost already; of 0.30000000000000004, some are left over from a calculation. */
const tooManyDigits = (value: number, field: string): InputError =>
	new InputError(
		`${field} is ${quoted(value)}: a number is exact to ${EXACT_DIGITS} digits, including decimals, and this one has more`,
		ROUND,
	);

function readMoney(value: unknown, field: string): Amount {
	if (typeof value !== 'string' && typeof value !== 'number') {
		throw new InputError(
			value === undefined || value === null
				? `${field} is missing`
				: `${field} is ${quoted(value)}: it must be a decimal number such as 12.50`,
		);
	}
	const amount = readAmount(typeof value === 'string' ? asSeen(value) : value);
	if (amount !== undefined) return amount;
	if (typeof value === 'number' && Number.isFinite(value)) throw tooManyDigits(value, field);
	if (typeof value === 'string' && value.trim() === '') throw new InputError(`${field} is empty`);
	if (typeof value === 'string' && value.trim().length > MAX_AMOUNT_LENGTH) {
		throw new InputError(
			`${field} is ${value.trim().length} characters long: the limit is ${MAX_AMOUNT_LENGTH}`,
		);
	}
	throw new InputError(
		`${field} is ${quoted(value)}: it must be a decimal number such as 12.50`,
		'Use digits and at most one decimal point: no thousands separators, no comma, no exponent, no currency sign. Nothing was sent.',
	);
}
