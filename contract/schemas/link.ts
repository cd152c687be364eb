import { z } from 'zod';
import {
	MAX_CUSTOM_FIELDS,
	MAX_DISCOUNT_PERCENTAGE,
	MAX_NOTE_LENGTH,
	MAX_TITLE_LENGTH,
	MIN_DISCOUNT_PERCENTAGE,
	MIN_ITEM_QUANTITY,
	MIN_LINK_ITEMS,
	MIN_PAYMENT_EXPIRY_LIMIT,
	LINK_STATUSES,
	RECORD_SOURCES,
} from '../constants';
import {
	calendarDate,
	currencyCode,
	dateTime,
	decimalText,
	fixedText,
	freeText,
	integer,
	itemSchema,
	simplified,
	uri,
	uuid,
} from './primitives';

/** docs/service.md, Links: tax entry; the allowed values of mode are not documented. */
export const taxEntrySchema = z.object({
	name: freeText,
	mode: freeText,
	mode_value: decimalText,
	value: decimalText,
});

/** docs/service.md, Links: custom field of a link as it is read. */
export const linkCustomFieldSchema = z.object({ name: freeText, is_required: z.boolean() });

/** docs/service.md, Links: answer of create, edit and get. */
export const linkSchema = z.object({
	id: simplified(1, uuid),
	reference_id: simplified(7, fixedText),
	title: simplified(6, freeText),
	url: simplified(2, uri),
	amount: simplified(4, decimalText),
	currency: simplified(5, currencyCode),
	status: simplified(3, z.enum(LINK_STATUSES)),
	discount: decimalText,
	service_fee: decimalText,
	allow_tip: z.boolean(),
	shipping_address_required: z.boolean(),
	items: z.array(itemSchema),
	tax: decimalText,
	note: simplified(10, freeText),
	taxes: z.array(taxEntrySchema),
	discount_percentage: integer,
	service_fee_percentage: decimalText,
	tip: decimalText,
	tip_percentage: integer,
	due_date: dateTime,
	custom_fields: z.array(linkCustomFieldSchema),
	source: z.enum(RECORD_SOURCES),
	allow_installment_a: z.boolean(),
	allow_installment_b: z.boolean(),
	allow_service_fee: z.boolean(),
	payment_expiry_limit: simplified(8, integer.nullable()),
	expiry_date: simplified(9, calendarDate.nullable()),
});

/** POST /v1/links: one item. Which of its fields are required is not documented: all three are taken as required. */
export const linkItemInputSchema = z.strictObject({
	name: z.string().min(1),
	amount: decimalText.refine((amount) => !amount.startsWith('-'), 'must not be negative'),
	quantity: integer.min(MIN_ITEM_QUANTITY),
});

/** POST /v1/links: the body, with rule 1. That expiry_date lies in the future depends on the clock of the reader. */
export const linkCreateSchema = z
	.strictObject({
		currency: currencyCode,
		items: z.array(linkItemInputSchema).min(MIN_LINK_ITEMS),
		title: z.string().max(MAX_TITLE_LENGTH).optional(),
		note: z.string().max(MAX_NOTE_LENGTH).nullable().optional(),
		discount_percentage: integer
			.min(MIN_DISCOUNT_PERCENTAGE)
			.max(MAX_DISCOUNT_PERCENTAGE)
			.optional(),
		shipping_address_required: z.boolean().optional(),
		allow_tip: z.boolean().optional(),
		custom_fields: z
			.array(z.strictObject({ name: z.string().min(1) }))
			.max(MAX_CUSTOM_FIELDS)
			.nullable()
			.optional(),
		success_url: uri.optional(),
		failure_url: uri.optional(),
		allow_installment_a: z.boolean().optional(),
		allow_installment_b: z.boolean().optional(),
		allow_service_fee: z.boolean().optional(),
		payment_expiry_limit: integer.min(MIN_PAYMENT_EXPIRY_LIMIT).optional(),
		expiry_date: calendarDate.optional(),
	})
	.refine((link) => link.payment_expiry_limit === undefined || link.expiry_date === undefined, {
		message: 'only one of payment_expiry_limit and expiry_date may be set',
	});

/** PATCH /v1/links/{id}/edit: the body. */
export const linkEditSchema = z.strictObject({
	status: z.enum(LINK_STATUSES).optional(),
	title: z.string().max(MAX_TITLE_LENGTH).optional(),
});

export type Link = z.infer<typeof linkSchema>;
export type LinkCreate = z.infer<typeof linkCreateSchema>;
export type LinkEdit = z.infer<typeof linkEditSchema>;
