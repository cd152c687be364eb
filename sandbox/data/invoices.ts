import { INVOICE_STATUSES, RECORD_SOURCES } from '../../contract/constants';
import type { Invoice } from '../../contract/schemas/invoice';
import { decimalsOf, toText } from '../money';
import { drawCurrency, drawLines, itemOf, TAX_PERCENT, totalsOf } from './sales';
import { DAY_MS, drawFor, idFor, iso, type Kind, staffMember, type World } from './world';

/**
 * docs/service.md, Invoices. Event types beyond `created`, and the fields of `customer`, are not documented: a second
 * event names the status, and customer carries the customer's id, name and email.
 */
export const invoices: Kind<Invoice> = {
	name: 'invoice',
	gapMs: DAY_MS / 3,
	build: buildInvoice,
};

function buildInvoice(world: World, index: number, createdMs: number): Invoice {
	const created = iso(createdMs);
	const dueMs = createdMs + 14 * DAY_MS;
	const user = staffMember(world, index);
	const customer = world.customerFor(index * 17);
	const draw = drawFor(world, 'invoice', index);
	const currency = drawCurrency(draw);
	const decimals = decimalsOf(currency);
	const lines = drawLines(draw, decimals);
	const discount = draw.helpers.arrayElement([0, 0, 5]);
	const totals = totalsOf(lines, { discount, tax: TAX_PERCENT });
	const status = draw.helpers.arrayElement(INVOICE_STATUSES);
	const id = idFor(world, 'invoice', index);
	const part = (kind: string, position = 0) => idFor(world, kind, `${index}:${position}`);
	const event = (type: string, ms: number) => ({
		created: iso(ms),
		type,
		message: `Invoice ${type}`,
		user,
	});
	return {
		id,
		reference_id: `INV-${id.slice(0, 8)}`,
		created,
		title: `Invoice for ${lines[0]?.name ?? 'goods'}`,
		code: draw.string.alphanumeric({ length: 8, casing: 'upper' }),
		url: `${world.url}/invoice/${id}`,
		amount: toText(totals.total, decimals),
		currency,
		status,
		discount: toText(totals.discount, decimals),
		tax: toText(totals.tax, decimals),
		shipping_address_required: draw.datatype.boolean(),
		items: lines.map((line, at) => ({ ...itemOf(line, decimals), id: part('invoiceItem', at) })),
		note: draw.helpers.arrayElement(['', 'Payable within 14 days.']),
		expiry: iso(dueMs + 30 * DAY_MS),
		user,
		tip: toText(0n, decimals),
		invoice_number: String(100_000 - index),
		service_date: created,
		due_date: iso(dueMs),
		interval_count: 1,
		starts_at: created,
		ends_at: iso(dueMs),
		due_days: 14,
		source: draw.helpers.arrayElement(RECORD_SOURCES),
		files: [
			{
				id: part('file'),
				title: 'Terms',
				content_type: 'application/pdf',
				file: `${world.url}/files/terms.pdf`,
			},
		],
		reminders: [
			{
				id: part('reminder'),
				days: 3,
				title: 'Three days before',
				invoice: 100_000 - index,
				run_at: iso(dueMs - 3 * DAY_MS),
			},
		],
		events: [
			event('created', createdMs),
			...(status === 'unpaid' ? [] : [event(status, createdMs + DAY_MS)]),
		],
		customer: {
			id: customer.id,
			first_name: customer.first_name,
			last_name: customer.last_name,
			email: customer.email,
		},
		...optionalFields(index, discount),
	};
}

/** Fields that are not required. A third of all invoices lack them, a third have null where allowed, the others have all. */
function optionalFields(index: number, discount: number): Partial<Invoice> {
	if (index % 3 === 0) return {};
	const value = (text: string) => (index % 3 === 1 ? null : text);
	return {
		service_fee: value('0'),
		discount_percentage: value(String(discount)),
		service_fee_percentage: value('0'),
		tip_percentage: value('0'),
		custom_fields: [{ name: 'Purchase order', value: `PO-${index}` }],
		success_url: 'https://shop.example.com/thanks',
		failure_url: 'https://shop.example.com/failed',
		payment_capture_source: 'ecommerce',
	};
}
