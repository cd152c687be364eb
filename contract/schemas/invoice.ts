import { z } from 'zod';
import { INVOICE_STATUSES, RECORD_SOURCES } from '../constants';
import {
	currencyCode,
	dateTime,
	decimalText,
	eventSchema,
	integer,
	itemSchema,
	uri,
	userSchema,
	uuid,
} from './primitives';

/** docs/service.md, Invoices: sub-objects. */
export const invoiceFileSchema = z.object({
	id: uuid,
	title: z.string(),
	content_type: z.string(),
	file: z.string(),
});

export const reminderSchema = z.object({
	id: uuid,
	days: integer,
	title: z.string(),
	invoice: integer,
	run_at: dateTime,
});

/** docs/service.md, Invoices: answer of GET /v1/invoices/{id}. Fields of customer and custom_fields are not documented. */
export const invoiceSchema = z.object({
	id: uuid,
	reference_id: z.string(),
	created: dateTime,
	title: z.string(),
	code: z.string(),
	url: uri,
	amount: decimalText,
	currency: currencyCode,
	status: z.enum(INVOICE_STATUSES),
	discount: decimalText,
	tax: decimalText,
	shipping_address_required: z.boolean(),
	items: z.array(itemSchema),
	note: z.string(),
	expiry: dateTime,
	user: userSchema,
	tip: decimalText,
	invoice_number: z.string(),
	service_date: dateTime,
	due_date: dateTime,
	interval_count: integer,
	starts_at: dateTime,
	ends_at: dateTime,
	due_days: integer,
	source: z.enum(RECORD_SOURCES),
	files: z.array(invoiceFileSchema),
	reminders: z.array(reminderSchema),
	events: z.array(eventSchema),
	customer: z.record(z.unknown()),
	service_fee: decimalText.nullable().optional(),
	discount_percentage: decimalText.nullable().optional(),
	service_fee_percentage: decimalText.nullable().optional(),
	tip_percentage: decimalText.nullable().optional(),
	custom_fields: z.array(z.record(z.unknown())).optional(),
	success_url: uri.optional(),
	failure_url: uri.optional(),
	payment_capture_source: z.string().optional(),
});

export type Invoice = z.infer<typeof invoiceSchema>;
