import type { Faker } from '@faker-js/faker';
import { CHARGE_TYPES, DOCUMENTED_CHARGE_STATUS } from '../../contract/constants';
import type { Charge } from '../../contract/schemas/charge';
import { decimalsOf, shareOf, toMinor, toText } from '../money';
import { drawCurrency, drawLines, itemOf, TAX_PERCENT, totalsOf } from './sales';
import { drawFor, HOUR_MS, idFor, iso, type Kind, staffMember, type World } from './world';

export type ChargeType = (typeof CHARGE_TYPES)[number];

/**
 * A charge and what the list can be filtered by (`customer_id`, `type`) though the record (docs/service.md,
 * Charges) has no such field: the store keeps both beside it, and no answer carries them.
 */
export interface StoredCharge {
	readonly charge: Charge;
	readonly customerId: string;
	readonly type: ChargeType;
}

/** A charge that comes in while the sandbox runs, and what it must be worth, if that is settled. */
export interface Arrival {
	currency?: string | undefined;
	total?: string | undefined;
}

/** docs/service.md, Charges shows authorised alone. These are assumed, so that a reader meets unknown values. */
export const UNPAID_STATUSES = ['pending', 'declined', 'cancelled'];

/** Card numbers that payment services publish for tests: no account stands behind any of them. */
export const TEST_CARDS = [
	{ number: '4242424242424242', scheme: 'VISA' },
	{ number: '5555555555554444', scheme: 'MASTERCARD' },
	{ number: '378282246310005', scheme: 'AMEX' },
];

/** reference_id of the newest seeded charge; older ones count down, new ones up. */
const NEWEST_REFERENCE = 1_000_000;
const SETTLEMENT_CURRENCY = 'AED';

export const charges: Kind<StoredCharge> = {
	name: 'charge',
	gapMs: HOUR_MS,
	build: (world, index, createdMs) => buildCharge(world, index, createdMs),
};

/**
 * docs/service.md, Charges. Total = items - discount + tax + tip + service fee, exact in minor units. fee, fx_fee and
 * net are numbers in the document; they are computed exactly and turned into numbers last.
 */
export function buildCharge(
	world: World,
	number: number,
	createdMs: number,
	arrival?: Arrival,
): StoredCharge {
	const customer = world.customerFor(number * 31);
	const user = staffMember(world, number);
	const draw = drawFor(world, 'charge', arrival ? `new:${number}` : number);
	const currency = arrival?.currency ?? drawCurrency(draw);
	const decimals = decimalsOf(currency);
	const money = (minor: bigint) => toText(minor, decimals);
	const settled =
		arrival?.total === undefined ? undefined : (toMinor(arrival.total, decimals) ?? 0n);
	const lines =
		settled === undefined
			? drawLines(draw, decimals)
			: [{ name: 'Settled amount', sku: '', quantity: 1, unit: settled }];
	const percent = {
		discount: settled === undefined ? draw.helpers.arrayElement([0, 0, 0, 5, 10]) : 0,
		tip: settled === undefined ? draw.helpers.arrayElement([0, 0, 0, 10]) : 0,
		serviceFee: settled === undefined ? draw.helpers.arrayElement([0, 0, 2]) : 0,
		tax: settled === undefined ? TAX_PERCENT : 0,
	};
	const totals = totalsOf(lines, percent);
	const fee = shareOf(totals.total, 2.9);
	const feeTax = shareOf(fee, 5);
	const fxFee = currency === SETTLEMENT_CURRENCY ? 0n : shareOf(totals.total, 1);
	// A charge that just arrived is authorised; among seeded ones a few are not.
	const isUnpaid = !arrival && draw.datatype.boolean(0.12);
	const status = isUnpaid ? draw.helpers.arrayElement(UNPAID_STATUSES) : DOCUMENTED_CHARGE_STATUS;
	const refunded = arrival || isUnpaid ? [] : drawRefunds(draw, totals.total);
	const roomMs = (world.latestMs - createdMs) / (refunded.length + 1);
	const created = iso(createdMs);

	const charge: Charge = {
		// A sandbox that is started again gives its arrivals other ids, though they are drawn alike: readers remember ids.
		id: idFor(world, 'charge', arrival ? `new:${number}@${world.latestMs}` : number),
		reference_id: NEWEST_REFERENCE + (arrival ? number : -number),
		created,
		items: lines.map((line) => ({
			...itemOf(line, decimals),
			product: idFor(world, 'product', line.sku),
		})),
		currency,
		discount: money(totals.discount),
		status,
		tip: money(totals.tip),
		tax: money(totals.tax),
		total: money(totals.total),
		refund_total: money(refunded.reduce((total, part) => total + part, 0n)),
		note: draw.helpers.arrayElement(['', '', `Order ${draw.string.numeric(5)}`, 'Gift wrapping']),
		payment_method: draw.helpers.arrayElement(['card', 'card', 'card', 'cash']),
		user,
		events: { created, type: status, message: `Payment ${status}`, user },
		settlement_currency: SETTLEMENT_CURRENCY,
		fee: Number(money(fee)),
		fx_fee: Number(money(fxFee)),
		fee_tax: money(feeTax),
		net: Number(money(totals.total - fee - feeTax - fxFee)),
		network_cost: money(shareOf(totals.total, 0.2)),
		success_url: 'https://shop.example.com/thanks',
		failure_url: 'https://shop.example.com/failed',
		service_fee: money(totals.serviceFee),
		discount_percentage: String(percent.discount),
		service_fee_percentage: String(percent.serviceFee),
		tip_percentage: String(percent.tip),
		source: drawSource(draw, `${customer.first_name} ${customer.last_name}`),
		custom_fields: number % 10 === 0 ? [{ name: 'Table', value: draw.string.numeric(2) }] : [],
		refunds: refunded.map((part, position) => ({
			created: iso(createdMs + Math.floor(roomMs * (position + 1))),
			amount: money(part),
		})),
		payment_capture_source: 'ecommerce',
	};
	const type = CHARGE_TYPES[number % CHARGE_TYPES.length] ?? 'charge';
	return { charge, customerId: customer.id, type };
}

/** Most charges have none; some were refunded in one or two parts, some in full. */
function drawRefunds(draw: Faker, total: bigint): bigint[] {
	const parts = draw.helpers.weightedArrayElement([
		{ weight: 90, value: [] },
		{ weight: 4, value: [total] },
		{ weight: 4, value: [total / 3n] },
		{ weight: 2, value: [total / 3n, total / 4n] },
	]);
	return parts.filter((part) => part > 0n);
}

/** docs/service.md, Charges, payment source object: complete, of test cards only, so that redaction can be seen to work. */
function drawSource(draw: Faker, holder: string): Charge['source'] {
	const { number, scheme } = draw.helpers.arrayElement(TEST_CARDS);
	const card = {
		expiry_month: String(draw.number.int({ min: 1, max: 12 })).padStart(2, '0'),
		expiry_year: String(draw.number.int({ min: 2030, max: 2036 })),
		card_holder_name: holder,
	};
	return {
		...card,
		type: 'card',
		token: `tok_sandbox_${draw.string.alphanumeric(24)}`,
		name: holder,
		scheme,
		scheme_local: '',
		last4: number.slice(-4),
		bin: number.slice(0, 6),
		card_type: draw.helpers.arrayElement(['CREDIT', 'DEBIT']),
		card_category: 'CONSUMER',
		issuer: 'Test Bank',
		issuer_country: draw.location.countryCode(),
		product_id: 'F',
		product_type: `${scheme} consumer`,
		expires_on: `${card.expiry_year}-${card.expiry_month}-01`,
		card_data: {
			...card,
			card_number: number,
			security_code: draw.string.numeric(scheme === 'AMEX' ? 4 : 3),
		},
	};
}
