import type { Faker } from '@faker-js/faker';
import { CHARGE_TYPES, SHOWN_CHARGE_STATUS } from '../../contract/constants';
import type { Charge } from '../../contract/schemas/charge';
import { decimalsOf, shareOf, toMinor, toText } from '../operations/money';
import {
	ASSUMED_CHARGE_STATUSES,
	CURRENCIES,
	drawLines,
	type Line,
	pricedLine,
	SETTLEMENT_CURRENCY,
	TAX_BASIS_POINTS,
	TEST_CARDS,
	totalsOf,
} from './catalogue';
import { drawFor, idFor } from './seeding';
import { iso, staffMember, type World } from './world';

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

/** reference_id of the newest seeded charge; older ones count down, new ones up. */
const NEWEST_REFERENCE = 1_000_000;

export function chargeId(seed: number, key: number | string): string {
	return idFor(seed, 'charge', key);
}

/** Which charge paid a seeded checkout session: every fifth one is of type checkout. */
export function chargeIndexOfSession(session: number): number {
	return session * CHARGE_TYPES.length + CHARGE_TYPES.indexOf('checkout');
}

/** What a new charge must be worth, for a payment whose amount is settled (a paid link, a staged charge). */
export interface Settled {
	currency?: string | undefined;
	total?: string | undefined;
}

/**
 * docs/service.md, Charges. `key` is the row number of a seeded charge, or "new:n" for one that arrived later.
 * Total = items - discount + tax + tip + service fee, exact in minor units. fee, fx_fee and net are
 * numbers in the document; they are computed exactly and turned into numbers last.
 */
export function buildCharge(
	world: World,
	key: number | string,
	createdMs: number,
	settled: Settled = {},
): StoredCharge {
	const number = typeof key === 'number' ? key : Number(key.slice('new:'.length));
	const seeded = typeof key === 'number';
	const customer = world.customerAt((number * 31) % Math.max(1, world.counts.customers));
	const user = staffMember(world.seed, number);

	const draw = drawFor(world.seed, 'charge', key);
	const currency = settled.currency ?? draw.helpers.arrayElement(CURRENCIES);
	const decimals = decimalsOf(currency) ?? 2;
	const total = settled.total === undefined ? undefined : toMinor(settled.total, decimals);
	const lines = total === undefined ? drawLines(draw, decimals) : [settledLine(total)];
	const percent =
		total === undefined
			? {
					discount: draw.helpers.arrayElement([0, 0, 0, 5, 10]),
					tip: draw.helpers.arrayElement([0, 0, 0, 10]),
					serviceFee: draw.helpers.arrayElement([0, 0, 2]),
				}
			: { discount: 0, tip: 0, serviceFee: 0 };
	const totals = totalsOf(lines, percent, total === undefined ? TAX_BASIS_POINTS : 0n);
	const fee = shareOf(totals.total, 290n);
	const feeTax = shareOf(fee, 500n);
	const fxFee = currency === SETTLEMENT_CURRENCY ? 0n : shareOf(totals.total, 100n);
	// A charge that just arrived is authorised; among seeded ones a few are not.
	const status =
		seeded && draw.number.int(99) < 12
			? draw.helpers.arrayElement(ASSUMED_CHARGE_STATUSES)
			: SHOWN_CHARGE_STATUS;
	const refunds =
		seeded && status === SHOWN_CHARGE_STATUS
			? drawRefunds(draw, totals.total, createdMs, world.latestMs)
			: [];
	const money = (minor: bigint) => toText(minor, decimals);
	const created = iso(createdMs);

	const charge: Charge = {
		// A sandbox that is started again gives its arrivals other ids, though they are drawn alike: readers remember ids.
		id: chargeId(world.seed, seeded ? key : `${key}@${world.latestMs}`),
		reference_id: seeded ? NEWEST_REFERENCE - number : NEWEST_REFERENCE + number,
		created,
		items: lines.map((line) => ({
			...pricedLine(line, decimals),
			product: idFor(world.seed, 'product', line.sku),
		})),
		currency,
		discount: money(totals.discount),
		status,
		tip: money(totals.tip),
		tax: money(totals.tax),
		total: money(totals.total),
		refund_total: money(refunds.reduce((total, refund) => total + refund.minor, 0n)),
		note: draw.helpers.arrayElement(['', '', `Order ${draw.string.numeric(5)}`, 'Gift wrapping']),
		payment_method: draw.helpers.arrayElement(['card', 'card', 'card', 'cash']),
		user,
		events: { created, type: status, message: `Payment ${status}`, user },
		settlement_currency: SETTLEMENT_CURRENCY,
		fee: Number(money(fee)),
		fx_fee: Number(money(fxFee)),
		fee_tax: money(feeTax),
		net: Number(money(totals.total - fee - feeTax - fxFee)),
		network_cost: money(shareOf(totals.total, 20n)),
		success_url: 'https://shop.example.com/thanks',
		failure_url: 'https://shop.example.com/failed',
		service_fee: money(totals.serviceFee),
		discount_percentage: String(percent.discount),
		service_fee_percentage: String(percent.serviceFee),
		tip_percentage: String(percent.tip),
		source: drawSource(draw, `${customer.first_name} ${customer.last_name}`),
		custom_fields:
			draw.number.int(9) === 0 ? [{ name: 'Table', value: draw.string.numeric(2) }] : [],
		refunds: refunds.map(({ ms, minor }) => ({ created: iso(ms), amount: money(minor) })),
		payment_capture_source: 'ecommerce',
	};
	const type = CHARGE_TYPES[number % CHARGE_TYPES.length] ?? 'charge';
	return { charge, customerId: customer.id, type };
}

function settledLine(total: bigint): Line {
	return { name: 'Settled amount', sku: '', quantity: 1, unit: total, total };
}

/** Most charges have none; some were refunded in one or two parts, some in full, always after their creation. */
function drawRefunds(draw: Faker, total: bigint, createdMs: number, latestMs: number) {
	const roll = draw.number.int(99);
	const parts =
		roll < 4 ? [total] : roll < 8 ? [total / 3n] : roll < 10 ? [total / 3n, total / 4n] : [];
	const room = latestMs - createdMs;
	return parts
		.filter((minor) => minor > 0n)
		.map((minor, position, { length }) => ({
			ms: createdMs + Math.floor((room * (position + 1)) / (length + 1)),
			minor,
		}));
}

/** docs/service.md, Charges, payment source object: complete, of test cards only, so that redaction can be seen to work. */
function drawSource(draw: Faker, holder: string): Charge['source'] {
	const card = draw.helpers.arrayElement(TEST_CARDS);
	const month = String(draw.number.int({ min: 1, max: 12 })).padStart(2, '0');
	const year = String(draw.number.int({ min: 2030, max: 2036 }));
	return {
		type: 'card',
		token: `tok_sandbox_${draw.string.alphanumeric(24)}`,
		expiry_month: month,
		expiry_year: year,
		name: holder,
		scheme: card.scheme,
		scheme_local: '',
		last4: card.number.slice(-4),
		bin: card.number.slice(0, 6),
		card_type: card.type,
		card_category: 'CONSUMER',
		issuer: card.issuer,
		issuer_country: card.country,
		product_id: 'F',
		product_type: `${card.scheme} consumer ${card.type.toLowerCase()}`,
		expires_on: `${year}-${month}-01`,
		card_holder_name: holder,
		card_data: {
			card_number: card.number,
			expiry_month: month,
			expiry_year: year,
			security_code: draw.string.numeric(card.scheme === 'AMEX' ? 4 : 3),
			card_holder_name: holder,
		},
	};
}
