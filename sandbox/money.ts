import { CURRENCIES } from '../contract/currencies.generated';

/**
 * Exact money: decimal text outside (docs/service.md, Conventions), whole minor units as
 * BigInt inside. The number of decimals is the currency's own: none for JPY, three for KWD.
 */

const DIGITS = new Map(CURRENCIES.map(({ code, digits }) => [code, digits]));

/** Decimals of a currency in ISO 4217; undefined for a code that it does not list. */
export function listedDecimals(currency: string): number | undefined {
	return DIGITS.get(currency);
}

/** The same for a charge, whose currency may be any text: two where nobody knows. */
export function decimalsOf(currency: string): number {
	return listedDecimals(currency) ?? 2;
}

/** Minor units of a decimal text; undefined when it is no plain decimal or has more decimals than the currency, zeros aside. */
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

/** A percentage of an amount, rounded half up. The percentage has two decimals at most. */
export function shareOf(minor: bigint, percent: number): bigint {
	return (minor * BigInt(Math.round(percent * 100)) + 5_000n) / 10_000n;
}
