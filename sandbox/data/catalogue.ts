import type { Faker } from '@faker-js/faker';
import { shareOf, toText } from '../operations/money';

/** What seeded records are made of: currencies with 2, 0 and 3 decimals, products, test cards, statuses. */

/** More weight to the likely; decimals as in ISO 4217 (see money.ts). */
export const CURRENCIES = [
	'AED',
	'AED',
	'AED',
	'AED',
	'USD',
	'USD',
	'EUR',
	'SAR',
	'GBP',
	'JPY',
	'KWD',
	'BHD',
] as const;
export const SETTLEMENT_CURRENCY = 'AED';

/** The value added tax of every seeded record, in hundredths of a percent. */
export const TAX_BASIS_POINTS = 500n;

export interface TestCard {
	number: string;
	scheme: string;
	type: string;
	issuer: string;
	country: string;
}

/** Card numbers that payment services publish for tests: no account stands behind any of them. */
export const TEST_CARDS: readonly TestCard[] = [
	{
		number: '4242424242424242',
		scheme: 'VISA',
		type: 'CREDIT',
		issuer: 'Test Bank One',
		country: 'US',
	},
	{
		number: '5555555555554444',
		scheme: 'MASTERCARD',
		type: 'CREDIT',
		issuer: 'Test Bank Two',
		country: 'AE',
	},
	{
		number: '4000056655665556',
		scheme: 'VISA',
		type: 'DEBIT',
		issuer: 'Test Bank One',
		country: 'GB',
	},
	{
		number: '378282246310005',
		scheme: 'AMEX',
		type: 'CREDIT',
		issuer: 'Test Bank Three',
		country: 'US',
	},
	{
		number: '5200828282828210',
		scheme: 'MASTERCARD',
		type: 'DEBIT',
		issuer: 'Test Bank Two',
		country: 'DE',
	},
];

/** docs/service.md, Charges shows authorised alone; the others are assumed, so that a reader meets unknown values. */
export const ASSUMED_CHARGE_STATUSES = ['pending', 'declined', 'cancelled'] as const;

/** An item before it takes the shape of its resource; amounts in minor units. */
export interface Line {
	name: string;
	sku: string;
	quantity: number;
	unit: bigint;
	total: bigint;
}

/** One to three things sold, priced to suit a currency with the given decimals. */
export function drawLines(draw: Faker, decimals: number): Line[] {
	const scale = 10n ** BigInt(decimals);
	return Array.from({ length: draw.number.int({ min: 1, max: 3 }) }, () => {
		const whole = BigInt(draw.number.int({ min: 2, max: 240 })) * (decimals === 0 ? 100n : 1n);
		const cents = BigInt(draw.helpers.arrayElement([0, 25, 50, 99]));
		const unit = whole * scale + (decimals === 0 ? 0n : (cents * scale) / 100n);
		const quantity = draw.number.int({ min: 1, max: 4 });
		return {
			name: draw.commerce.productName(),
			sku: `SKU-${draw.string.numeric(6)}`,
			quantity,
			unit,
			total: unit * BigInt(quantity),
		};
	});
}

/** Taken off the items' sum, put on it, and what is left to pay; minor units. */
export interface Totals {
	discount: bigint;
	tax: bigint;
	tip: bigint;
	serviceFee: bigint;
	total: bigint;
}

/** Sums up lines: discount first, then tax, tip and service fee of what remains. Percentages are whole. */
export function totalsOf(
	lines: readonly Line[],
	percent: { discount?: number; tip?: number; serviceFee?: number },
	taxBasisPoints = TAX_BASIS_POINTS,
): Totals {
	const gross = lines.reduce((total, line) => total + line.total, 0n);
	const discount = shareOf(gross, BigInt(percent.discount ?? 0) * 100n);
	const net = gross - discount;
	const tax = shareOf(net, taxBasisPoints);
	const tip = shareOf(net, BigInt(percent.tip ?? 0) * 100n);
	const serviceFee = shareOf(net, BigInt(percent.serviceFee ?? 0) * 100n);
	return { discount, tax, tip, serviceFee, total: net + tax + tip + serviceFee };
}

/** The item shape that links, invoices and charges share. */
export function pricedLine(line: Line, decimals: number) {
	return {
		amount: toText(line.unit, decimals),
		name: line.name,
		total_amount: toText(line.total, decimals),
		quantity: line.quantity,
		sku: line.sku,
	};
}
