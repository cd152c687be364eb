import { CURRENCIES } from '../../contract/currencies.generated';
import { plainText } from './values';

/** Exact decimal money, never a float (docs/service.md, Conventions): `units` of 10^-scale. */
export interface Amount {
	readonly units: bigint;
	readonly scale: number;
}

export const NOTHING: Amount = { units: 0n, scale: 0 };

/** Far more than any currency needs; BigInt gets slow with many more digits. */
export const MAX_AMOUNT_LENGTH = 1_000;

/** Digits of nearly all currencies, and of all that ISO 4217 has withdrawn. */
export const USUAL_DIGITS = 2;

const DECIMAL_TEXT = /^(\d+)(?:\.(\d+))?$/;
const DIGITS_BY_CURRENCY = new Map(CURRENCIES.map(({ code, digits }) => [code, digits]));

/** ISO 4217 lists 0, 2, 3 or 4 digits. Undefined for a code that it does not list. */
export function currencyDigits(currency: string): number | undefined {
	return DIGITS_BY_CURRENCY.get(currency.trim().toUpperCase());
}

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

export function amountText({ units, scale }: Amount): string {
	const sign = units < 0n ? '-' : '';
	const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
	const whole = digits.slice(0, digits.length - scale);
	return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-scale)}`;
}

/** 5 and 5.00 are the same amount. Works on text, since a number would not distinguish large amounts. */
export const withoutSpareZeros = (decimal: string): string =>
	decimal.includes('.') ? decimal.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : decimal;

/** The same amount with at least `wanted` digits after the point. */
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

/** The same amount with at most `digits` digits after the point; undefined if it needs more. */
export function withDigits(amount: Amount, digits: number): Amount | undefined {
	if (amount.scale <= digits) return amount;
	const divisor = 10n ** BigInt(amount.scale - digits);
	const isExact = amount.units % divisor === 0n;
	return isExact ? { units: amount.units / divisor, scale: digits } : undefined;
}

export function compareAmounts(a: Amount, b: Amount): number {
	const { units } = subtractAmounts(a, b);
	return units < 0n ? -1 : units > 0n ? 1 : 0;
}

/** The digits of a number without an exponent; undefined if a double can't represent it exactly. */
function numberText(value: number): string | undefined {
	if (!Number.isFinite(value)) return undefined;
	const text = String(value);
	if (!text.includes('e')) return Math.abs(value) > Number.MAX_SAFE_INTEGER ? undefined : text;
	const [mantissa = '', exponent = ''] = text.split('e');
	// Beyond 2^53, digits are lost already; below 10^-6, only zeros are missing.
	if (Number(exponent) > 0) return undefined;
	const digits = mantissa.replace('.', '').replace('-', '');
	return `${value < 0 ? '-' : ''}0.${'0'.repeat(-Number(exponent) - 1)}${digits}`;
}
