import { INVOICE_STATUSES, RECORD_SOURCES } from '../../contract/constants';
import type { Invoice } from '../../contract/schemas/invoice';
import { decimalsOf, toText } from '../operations/money';
import { CURRENCIES, drawLines, pricedLine, totalsOf } from './catalogue';
import { drawFor, idFor, instantAt } from './seeding';
import { iso, staffMember, type World } from './world';

const DAY_MS = 24 * 60 * 60 * 1000;

export function invoiceId(seed: number, index: number): string {
	return idFor(seed, 'invoice', index);
}

export function invoiceInstant(index: number, latestMs: number): number {
	return instantAt(index, latestMs, DAY_MS / 3);
}

/**
 * docs/service.md, Invoices. Event types beyond `created`, and the fields of `customer`, are not documented: a second
 * event names the status, and customer carries the customer's id, name and email. Every third invoice
 * leaves out the fields that are not required, and every third has null in them.
 */
export function buildInvoice(world: World, index: number): Invoice {
	const createdMs = invoiceInstant(index, world.latestMs);
	const created = iso(createdMs);
	const dueMs = createdMs + 14 * DAY_MS;
	const user = staffMember(world.seed, index);
	const customer = world.customerAt((index * 17) % Math.max(1, world.counts.customers));
	const draw = drawFor(world.seed, 'invoice', index);
	const currency = draw.helpers.arrayElement(CURRENCIES);
	const decimals = decimalsOf(currency) ?? 2;
	const lines = drawLines(draw, decimals);
	const percent = { discount: draw.helpers.arrayElement([0, 0, 5]) };
	const totals = totalsOf(lines, percent);
	const status = draw.helpers.arrayElement(INVOICE_STATUSES);
	const id = invoiceId(world.seed, index);
	const part = (kind: string, position = 0) => idFor(world.seed, kind, `${index}:${position}`);
	const money = (minor: bigint) => toText(minor, decimals);
	return {
		id,
		reference_id: `INV-${id.slice(0, 8)}`,
		created,
		title: `Invoice for ${lines[0]?.name ?? 'goods'}`,
		code: draw.string.alphanumeric({ length: 8, casing: 'upper' }),
		url: `${world.url}/invoice/${id}`,
		amount: money(totals.total),
		currency,
		status,
		discount: money(totals.discount),
		tax: money(totals.tax),
		shipping_address_required: draw.datatype.boolean(),
		items: lines.map((line, position) => ({
			...pricedLine(line, decimals),
			id: part('invoiceItem', position),
		})),
		note: draw.helpers.arrayElement(['', 'Payable within 14 days.']),
		expiry: iso(dueMs + 30 * DAY_MS),
		user,
		tip: money(0n),
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
			{ created, type: 'created', message: 'Invoice created', user },
			...(status === 'unpaid'
				? []
				: [{ created: iso(createdMs + DAY_MS), type: status, message: `Invoice ${status}`, user }]),
		],
		customer: {
			id: customer.id,
			first_name: customer.first_name,
			last_name: customer.last_name,
			email: customer.email,
		},
		...optionalFields(index, percent.discount),
	};
}

function optionalFields(index: number, discount: number): Partial<Invoice> {
	if (index % 3 === 0) return {};
	if (index % 3 === 1) {
		return {
			service_fee: null,
			discount_percentage: null,
			service_fee_percentage: null,
			tip_percentage: null,
		};
	}
	return {
		service_fee: '0',
		discount_percentage: String(discount),
		service_fee_percentage: '0',
		tip_percentage: '0',
		custom_fields: [{ name: 'Purchase order', value: `PO-${index}` }],
		success_url: 'https://shop.example.com/thanks',
		failure_url: 'https://shop.example.com/failed',
		payment_capture_source: 'ecommerce',
	};
}
