import { z } from 'zod';
import { CHARGE_TYPES } from '../constants';
import { dateTime, decimalText, eventSchema, integer, userSchema, uuid } from './primitives';

/** docs/service.md, Charges: charge item. */
export const chargeItemSchema = z.object({
	amount: z.string(),
	name: z.string(),
	total_amount: z.string(),
	quantity: integer,
	product: uuid,
	sku: z.string(),
});

/** docs/service.md, Charges: refund record. */
export const refundRecordSchema = z.object({ created: dateTime, amount: z.string() });

/** docs/service.md, Charges: card data. Sensitive: removed from what leaves the nodes. */
export const cardDataSchema = z.object({
	card_number: z.string(),
	expiry_month: z.string(),
	expiry_year: z.string(),
	security_code: z.string(),
	card_holder_name: z.string(),
});

/** docs/service.md, Charges: payment source object. token and card_data are sensitive. */
export const paymentSourceSchema = z.object({
	type: z.string(),
	token: z.string(),
	expiry_month: z.string(),
	expiry_year: z.string(),
	name: z.string(),
	scheme: z.string(),
	scheme_local: z.string(),
	last4: z.string(),
	bin: z.string(),
	card_type: z.string(),
	card_category: z.string(),
	issuer: z.string(),
	issuer_country: z.string(),
	product_id: z.string(),
	product_type: z.string(),
	expires_on: z.string(),
	card_holder_name: z.string(),
	card_data: cardDataSchema,
});

/** docs/service.md, Charges: element of the charge list. Money is text but for fee, fx_fee and net, which are numbers. */
export const chargeSchema = z.object({
	id: uuid,
	reference_id: integer,
	created: dateTime,
	items: z.array(chargeItemSchema),
	currency: z.string(),
	discount: z.string(),
	status: z.string(),
	tip: z.string(),
	tax: z.string(),
	total: z.string(),
	refund_total: z.string(),
	note: z.string(),
	payment_method: z.string(),
	user: userSchema,
	events: eventSchema,
	settlement_currency: z.string(),
	fee: z.number(),
	fx_fee: z.number(),
	fee_tax: z.string(),
	net: z.number(),
	network_cost: z.string(),
	success_url: z.string(),
	failure_url: z.string(),
	service_fee: z.string(),
	discount_percentage: z.string(),
	service_fee_percentage: z.string(),
	tip_percentage: z.string(),
	source: paymentSourceSchema,
	custom_fields: z.array(z.record(z.unknown())),
	refunds: z.array(refundRecordSchema),
	payment_capture_source: z.string(),
});

/** GET /v1/charges: filters; the meaning of search is not documented. */
export const chargeFiltersSchema = z
	.object({
		currency: z.string().optional(),
		customer_id: uuid.optional(),
		id: z.string().optional(),
		search: z.string().optional(),
		status: z.string().optional(),
		type: z.enum(CHARGE_TYPES).optional(),
	})
	.strict();

/** POST /v1/charges/{id}/refund: the body. Partial refunds and the greatest amount are not documented. */
export const refundSchema = z.object({ amount: decimalText }).strict();

/** POST /v1/charges/{id}/refund: the answer. */
export const refundAnswerSchema = z.object({ message: z.string() });

export type Charge = z.infer<typeof chargeSchema>;
export type ChargeFilters = z.infer<typeof chargeFiltersSchema>;
export type RefundRecord = z.infer<typeof refundRecordSchema>;
export type Refund = z.infer<typeof refundSchema>;
export type RefundAnswer = z.infer<typeof refundAnswerSchema>;
