import { CURRENCIES } from '../../contract/currencies.generated';

/**
 * Exact money: decimal text outside (docs/service.md, Conventions), whole minor units as
 * BigInt inside. The number of decimals is the currency's own: none for JPY, three for KWD.
 */

const DIGITS = new Map(CURRENCIES.map(({ code, digits }) => [code, digits]));

/** Decimals of an ISO 4217 currency; undefined for a code that ISO 4217 does not list. */
export function decimalsOf(currency: string): number | undefined {
	return DIGITS.get(currency);
}

/** Minor units of a decimal text; undefined when it is no plain decimal or has more decimals than the currency. */
export function toMinor(text: string, decimals: number): bigint | undefined {
	const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
	if (!match) return undefined;
	const [, sign = '', whole = '0', fraction = ''] = match;
	const excess = fraction.slice(decimals);
	if (/[1-9]/.test(excess)) return undefined;
	const minor = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
	return sign === '-' ? -minor : minor;
}

/** Decimal text with exactly the currency's decimals: 1250n of USD is "12.50", of JPY "1250". */
export function toText(minor: bigint, decimals: number): string {
	const sign = minor < 0n ? '-' : '';
	const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
	if (decimals === 0) return sign + digits;
	return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** A whole or fractional percentage, given in hundredths of a percent (290n is 2.9 %), rounded half up. */
export function shareOf(minor: bigint, basisPoints: bigint): bigint {
	return (minor * basisPoints + 5_000n) / 10_000n;
}

export function sum(parts: readonly bigint[]): bigint {
	return parts.reduce((total, part) => total + part, 0n);
}
