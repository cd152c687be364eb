import { CURRENCIES } from '../../contract/currencies.generated';
import { plainText } from './values';

/** Far more than any currency needs; BigInt gets slow with many more digits. */
export const MAX_AMOUNT_LENGTH = 1_000;

/** Decimal places of nearly all currencies, assumed for one that ISO 4217 does not list. */
export const USUAL_DIGITS = 2;

const DECIMAL_TEXT = /^(\d+)(?:\.(\d+))?$/;
const DIGITS_BY_CURRENCY = new Map(CURRENCIES.map(({ code, digits }) => [code, digits]));

/** Exact decimal money, never a float (docs/service.md, Conventions): `units` of 10^-scale. */
export class Amount {
	static readonly ZERO = new Amount(0n, 0);

	constructor(
		readonly units: bigint,
		readonly scale: number,
	) {}

	/** Undefined for no decimal number, for a text that is too long, and for a JavaScript number that has lost digits. */
	static read(value: unknown): Amount | undefined {
		const text = typeof value === 'number' ? numberText(value) : plainText(value).trim();
		if (text === undefined || text.length > MAX_AMOUNT_LENGTH) return undefined;
		const match = DECIMAL_TEXT.exec(text.replace(/^-/, ''));
		if (match === null) return undefined;
		const [, whole = '', fraction = ''] = match;
		const units = BigInt(whole + fraction);
		return new Amount(text.startsWith('-') ? -units : units, fraction.length);
	}

	get text(): string {
		const { units, scale } = this;
		const sign = units < 0n ? '-' : '';
		const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
		const whole = digits.slice(0, digits.length - scale);
		return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-scale)}`;
	}

	plus(other: Amount): Amount {
		const scale = Math.max(this.scale, other.scale);
		return new Amount(this.withScale(scale).units + other.withScale(scale).units, scale);
	}

	minus({ units, scale }: Amount): Amount {
		return this.plus(new Amount(-units, scale));
	}

	equals(other: Amount): boolean {
		return this.minus(other).units === 0n;
	}

	isMoreThan(other: Amount): boolean {
		return this.minus(other).units > 0n;
	}

	get isPositive(): boolean {
		return this.units > 0n;
	}

	/** The same amount with at least `wanted` digits after the point. */
	withScale(wanted: number): Amount {
		const { units, scale } = this;
		return wanted <= scale ? this : new Amount(units * 10n ** BigInt(wanted - scale), wanted);
	}

	/** The same amount with at most `digits` digits after the point; undefined if it needs more. */
	withDigits(digits: number): Amount | undefined {
		if (this.scale <= digits) return this;
		const divisor = 10n ** BigInt(this.scale - digits);
		const isExact = this.units % divisor === 0n;
		return isExact ? new Amount(this.units / divisor, digits) : undefined;
	}
}

/** ISO 4217 lists 0, 2, 3 or 4 digits. Undefined for a code that it does not list. */
export function currencyDigits(currency: string): number | undefined {
	return DIGITS_BY_CURRENCY.get(currency.trim().toUpperCase());
}

/** 5 and 5.00 are the same amount. Works on text, since a number would not distinguish large amounts. */
export const withoutSpareZeros = (decimal: string): string =>
	decimal.includes('.') ? decimal.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : decimal;

/** The digits of a number without an exponent; undefined if it has lost some. */
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
