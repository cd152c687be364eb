import type { Faker } from '@faker-js/faker';
import { shareOf, toMinor, toText } from '../money';

/** Seeded records are about things sold, in currencies with two, no and three decimals. */

/** The likely ones more often. */
const CURRENCIES = ['AED', 'AED', 'AED', 'USD', 'USD', 'EUR', 'SAR', 'GBP', 'JPY', 'KWD'];

export const drawCurrency = (draw: Faker): string => draw.helpers.arrayElement(CURRENCIES);

/** The value added tax of every seeded record, in percent. */
export const TAX_PERCENT = 5;

/** An item before it takes the shape of its resource; the amount of one in minor units. */
export interface Line {
	name: string;
	sku: string;
	quantity: number;
	unit: bigint;
}

/** One to three things sold. */
export function drawLines(draw: Faker, decimals: number): Line[] {
	const max = decimals === 0 ? 24_000 : 240;
	return Array.from({ length: draw.number.int({ min: 1, max: 3 }) }, () => ({
		name: draw.commerce.productName(),
		sku: `SKU-${draw.string.numeric(6)}`,
		quantity: draw.number.int({ min: 1, max: 4 }),
		unit: toMinor(draw.commerce.price({ min: 2, max, dec: decimals }), decimals) ?? 100n,
	}));
}

/** Whole percentages. */
export interface Percent {
	discount: number;
	tip?: number;
	serviceFee?: number;
	tax: number;
}

/** Sums up lines: the discount first, then tax, tip and service fee of what remains; minor units. */
export function totalsOf(
	lines: readonly Line[],
	{ discount, tip = 0, serviceFee = 0, tax }: Percent,
) {
	const gross = lines.reduce((sum, { unit, quantity }) => sum + unit * BigInt(quantity), 0n);
	const off = shareOf(gross, discount);
	const net = gross - off;
	const parts = {
		tax: shareOf(net, tax),
		tip: shareOf(net, tip),
		serviceFee: shareOf(net, serviceFee),
	};
	return { ...parts, discount: off, total: net + parts.tax + parts.tip + parts.serviceFee };
}

/** The item shape that links, invoices and charges share. */
export function itemOf({ name, sku, quantity, unit }: Line, decimals: number) {
	const total_amount = toText(unit * BigInt(quantity), decimals);
	return { amount: toText(unit, decimals), name, total_amount, quantity, sku };
}
