import { LINK_STATUSES, RECORD_SOURCES } from '../../contract/constants';
import type { Link, LinkCreate } from '../../contract/schemas/link';
import { invalid } from '../errors';
import { decimalsOf, listedDecimals, toMinor, toText } from '../money';
import { drawCurrency, drawLines, itemOf, type Line, TAX_PERCENT, totalsOf } from './sales';
import { DAY_MS, drawFor, idFor, iso, type Kind, type World } from './world';

/** A link and what its record in docs/service.md, Links does not carry. */
export interface StoredLink {
	readonly link: Link;
	/** Payments made so far; the link expires when payment_expiry_limit is reached. */
	readonly payments: number;
	readonly successUrl?: string | undefined;
}

/** docs/service.md, Links. Of ten links one has used up its payments, one has passed its day, one will expire later. */
export const links: Kind<StoredLink> = {
	name: 'link',
	gapMs: DAY_MS / 2,
	build: (world, index, createdMs) => {
		const draw = drawFor(world, 'link', index);
		const currency = drawCurrency(draw);
		const lines = drawLines(draw, decimalsOf(currency));
		const limit = index % 10 === 3 ? draw.number.int({ min: 1, max: 5 }) : undefined;
		const expiryDays = index % 10 === 5 ? -2 : index % 10 === 7 ? 30 : undefined;
		const day = (days: number) => iso(world.latestMs + days * DAY_MS).slice(0, 10);
		const body = {
			currency,
			title: `Payment for ${lines[0]?.sku ?? 'goods'}`,
			note: draw.helpers.arrayElement(['', 'Thank you for your order.']),
			discount_percentage: draw.helpers.arrayElement([0, 0, 10]),
			allow_tip: draw.datatype.boolean(),
			custom_fields: index % 6 === 0 ? [{ name: 'Delivery note' }] : [],
			payment_expiry_limit: limit,
			expiry_date: expiryDays === undefined ? undefined : day(expiryDays),
		};
		const link = composeLink(world, index, createdMs, { lines, body, tax: TAX_PERCENT });
		const status = LINK_STATUSES[draw.datatype.boolean(0.9) ? 1 : 0];
		const source = draw.helpers.arrayElement(RECORD_SOURCES);
		return {
			link: { ...link, status, source },
			payments: limit ?? draw.number.int({ min: 0, max: 4 }),
		};
	},
};

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
	const decimals = listedDecimals(body.currency);
	if (decimals === undefined) throw invalid(`currency: ${body.currency} is not an ISO 4217 code`);
	const lines = body.items.map(({ name, quantity, amount }, position): Line => {
		const unit = toMinor(amount, decimals);
		if (unit !== undefined) return { name, sku: '', quantity, unit };
		throw invalid(`items.${position}.amount: ${body.currency} has ${decimals} decimals at most`);
	});
	const link = composeLink(world, key, nowMs, { lines, body, tax: 0 });
	return { link, payments: 0, successUrl: body.success_url };
}

function composeLink(
	world: World,
	key: number | string,
	createdMs: number,
	{ lines, body, tax }: { lines: readonly Line[]; body: Omit<LinkCreate, 'items'>; tax: number },
): Link {
	const decimals = decimalsOf(body.currency);
	const discount = body.discount_percentage ?? 0;
	const totals = totalsOf(lines, { discount, tax });
	const id = idFor(world, 'link', key);
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
			...itemOf(line, decimals),
			id: idFor(world, 'linkItem', `${key}:${position}`),
		})),
		tax: money(totals.tax),
		note: body.note ?? '',
		// Values of mode are not documented: `percentage` is assumed.
		taxes: tax
			? [{ name: 'VAT', mode: 'percentage', mode_value: `${tax}.00`, value: money(totals.tax) }]
			: [],
		discount_percentage: discount,
		service_fee_percentage: '0',
		tip: money(0n),
		tip_percentage: 0,
		// Always present in answers, but nothing sets it.
		due_date: iso(createdMs + 30 * DAY_MS),
		custom_fields: (body.custom_fields ?? []).map(({ name }) => ({ name, is_required: false })),
		source: 'service_api',
		allow_installment_a: body.allow_installment_a ?? true,
		allow_installment_b: body.allow_installment_b ?? true,
		allow_service_fee: body.allow_service_fee ?? true,
		payment_expiry_limit: body.payment_expiry_limit ?? null,
		expiry_date: body.expiry_date ?? null,
	};
}
