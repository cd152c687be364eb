import type { Link, LinkCreate } from '../../contract/schemas/link';
import { LINK_STATUSES, RECORD_SOURCES } from '../../contract/constants';
import { invalid } from '../behaviour/errors';
import { decimalsOf, toMinor, toText } from '../operations/money';
import {
	CURRENCIES,
	drawLines,
	type Line,
	pricedLine,
	TAX_BASIS_POINTS,
	totalsOf,
} from './catalogue';
import { drawFor, idFor, instantAt } from './seeding';
import { iso, type World } from './world';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A link's due_date is always present in answers, but not settable: taken as this long after creation. */
const DUE_AFTER_MS = 30 * DAY_MS;

/** A link and what its record in docs/service.md, Links does not carry. */
export interface StoredLink {
	readonly link: Link;
	/** Payments made so far; the link expires when payment_expiry_limit is reached. */
	readonly payments: number;
	readonly successUrl?: string | undefined;
	readonly failureUrl?: string | undefined;
}

export function linkId(seed: number, key: number | string): string {
	return idFor(seed, 'link', key);
}

export function linkInstant(index: number, latestMs: number): number {
	return instantAt(index, latestMs, DAY_MS / 2);
}

/** docs/service.md, Links. Of ten links one has used up its payments, one has passed its day, one will expire later. */
export function buildLink(world: World, index: number): StoredLink {
	const createdMs = linkInstant(index, world.latestMs);
	const draw = drawFor(world.seed, 'link', index);
	const currency = draw.helpers.arrayElement(CURRENCIES);
	const lines = drawLines(draw, decimalsOf(currency) ?? 2);
	const limit = index % 10 === 3 ? draw.number.int({ min: 1, max: 5 }) : null;
	const day = (ms: number) => iso(ms).slice(0, 10);
	const expiry =
		index % 10 === 5
			? day(world.latestMs - 2 * DAY_MS)
			: index % 10 === 7
				? day(world.latestMs + 30 * DAY_MS)
				: null;
	const body = {
		currency,
		title: `Payment for ${lines[0]?.sku ?? 'goods'}`,
		note: draw.helpers.arrayElement(['', 'Thank you for your order.']),
		discount_percentage: draw.helpers.arrayElement([0, 0, 10]),
		allow_tip: draw.datatype.boolean(),
		custom_fields: index % 6 === 0 ? [{ name: 'Delivery note' }] : [],
	};
	const link = composeLink(world, index, createdMs, lines, body, TAX_BASIS_POINTS);
	return {
		link: {
			...link,
			status: LINK_STATUSES[draw.number.int(9) === 0 ? 0 : 1],
			source: draw.helpers.arrayElement(RECORD_SOURCES),
			payment_expiry_limit: limit,
			expiry_date: expiry,
		},
		payments: limit ?? draw.number.int({ min: 0, max: 4 }),
	};
}

/**
 * POST /v1/links: the record that a valid body makes, untaxed, since a body can't ask for tax. Throws 400
 * for an amount that the currency cannot hold.
 */
export function linkFromBody(
	world: World,
	key: string,
	nowMs: number,
	body: LinkCreate,
): StoredLink {
	const decimals = decimalsOf(body.currency);
	if (decimals === undefined) throw invalid(`currency: ${body.currency} is not an ISO 4217 code`);
	const lines = body.items.map((item, position): Line => {
		const unit = toMinor(item.amount, decimals);
		if (unit === undefined) {
			throw invalid(`items.${position}.amount: ${body.currency} has ${decimals} decimals at most`);
		}
		const total = unit * BigInt(item.quantity);
		return { name: item.name, sku: '', quantity: item.quantity, unit, total };
	});
	return {
		link: composeLink(world, key, nowMs, lines, body, 0n),
		payments: 0,
		successUrl: body.success_url,
		failureUrl: body.failure_url,
	};
}

function composeLink(
	world: World,
	key: number | string,
	createdMs: number,
	lines: readonly Line[],
	body: Omit<LinkCreate, 'items'>,
	taxBasisPoints: bigint,
): Link {
	const decimals = decimalsOf(body.currency) ?? 2;
	const percent = body.discount_percentage ?? 0;
	const totals = totalsOf(lines, { discount: percent }, taxBasisPoints);
	const id = linkId(world.seed, key);
	const money = (minor: bigint) => toText(minor, decimals);
	return {
		id,
		reference_id: `LINK-${id.slice(0, 8)}`,
		title: body.title ?? '',
		url: `${world.url}/pay/${id}`,
		amount: money(totals.total),
		currency: body.currency,
		status: 'enabled',
		discount: money(totals.discount),
		service_fee: money(0n),
		allow_tip: body.allow_tip ?? false,
		shipping_address_required: body.shipping_address_required ?? false,
		items: lines.map((line, position) => ({
			...pricedLine(line, decimals),
			id: idFor(world.seed, 'linkItem', `${key}:${position}`),
		})),
		tax: money(totals.tax),
		note: body.note ?? '',
		taxes: taxBasisPoints === 0n ? [] : [vat(taxBasisPoints, money(totals.tax))],
		discount_percentage: percent,
		service_fee_percentage: '0',
		tip: money(0n),
		tip_percentage: 0,
		due_date: iso(createdMs + DUE_AFTER_MS),
		custom_fields: (body.custom_fields ?? []).map(({ name }) => ({ name, is_required: false })),
		source: 'service_api',
		allow_installment_a: body.allow_installment_a ?? true,
		allow_installment_b: body.allow_installment_b ?? true,
		allow_service_fee: body.allow_service_fee ?? true,
		payment_expiry_limit: body.payment_expiry_limit ?? null,
		expiry_date: body.expiry_date ?? null,
	};
}

/** docs/service.md, Links, tax entry: values of mode are not documented, `percentage` is assumed. */
function vat(basisPoints: bigint, value: string): Link['taxes'][number] {
	return { name: 'VAT', mode: 'percentage', mode_value: toText(basisPoints, 2), value };
}
