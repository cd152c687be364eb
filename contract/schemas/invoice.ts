import { z } from 'zod';
import { INVOICE_STATUSES, RECORD_SOURCES } from '../constants';
import {
	currencyCode,
	dateTime,
	decimalText,
	eventSchema,
	fixedText,
	freeText,
	integer,
	itemSchema,
	simplified,
	uri,
	userSchema,
	uuid,
} from './primitives';

/** docs/service.md, Invoices: sub-objects. */
export const invoiceFileSchema = z.object({
	id: uuid,
	title: freeText,
	content_type: freeText,
	file: freeText,
});

export const reminderSchema = z.object({
	id: uuid,
	days: integer,
	title: freeText,
	invoice: integer,
	run_at: dateTime,
});

/** docs/service.md, Invoices: answer of GET /v1/invoices/{id}. Fields of customer and custom_fields are not documented. */
export const invoiceSchema = z.object({
	id: simplified(1, uuid),
	reference_id: simplified(9, fixedText),
	created: simplified(10, dateTime),
	title: simplified(7, freeText),
	code: fixedText,
	url: simplified(8, uri),
	amount: simplified(4, decimalText),
	currency: simplified(5, currencyCode),
	status: simplified(3, z.enum(INVOICE_STATUSES)),
	discount: decimalText,
	tax: decimalText,
	shipping_address_required: z.boolean(),
	items: z.array(itemSchema),
	note: freeText,
	expiry: dateTime,
	user: userSchema,
	tip: decimalText,
	invoice_number: simplified(2, fixedText),
	service_date: dateTime,
	due_date: simplified(6, dateTime),
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
	payment_capture_source: freeText.optional(),
});

export type Invoice = z.infer<typeof invoiceSchema>;
