import { z } from 'zod';
import { CHARGE_TYPES } from '../constants';
import {
	dateTime,
	decimalText,
	eventSchema,
	fixedText,
	freeText,
	integer,
	numberText,
	secretText,
	securityCode,
	simplified,
	userSchema,
	uuid,
} from './primitives';

/** docs/service.md, Charges: charge item. */
export const chargeItemSchema = z.object({
	amount: fixedText,
	name: freeText,
	total_amount: fixedText,
	quantity: integer,
	product: uuid,
	sku: numberText,
});

/** docs/service.md, Charges: refund record. */
export const refundRecordSchema = z.object({ created: dateTime, amount: fixedText });

/** docs/service.md, Charges: card data. Sensitive: removed from what leaves the nodes. */
export const cardDataSchema = z.object({
	card_number: secretText,
	expiry_month: fixedText,
	expiry_year: fixedText,
	security_code: securityCode,
	card_holder_name: freeText,
});

/** docs/service.md, Charges: payment source object. token and card_data are sensitive. */
export const paymentSourceSchema = z.object({
	type: freeText,
	token: secretText,
	expiry_month: freeText,
	expiry_year: freeText,
	name: freeText,
	scheme: freeText,
	scheme_local: freeText,
	last4: freeText,
	bin: freeText,
	card_type: freeText,
	card_category: freeText,
	issuer: freeText,
	issuer_country: freeText,
	product_id: fixedText,
	product_type: freeText,
	expires_on: freeText,
	card_holder_name: freeText,
	card_data: cardDataSchema,
});

/** docs/service.md, Charges: element of the charge list. Money is text but for fee, fx_fee and net, which are numbers. */
export const chargeSchema = z.object({
	id: simplified(1, uuid),
	reference_id: simplified(7, integer),
	created: simplified(6, dateTime),
	items: z.array(chargeItemSchema),
	currency: simplified(3, fixedText),
	discount: fixedText,
	status: simplified(4, fixedText),
	tip: fixedText,
	tax: fixedText,
	total: simplified(2, fixedText),
	refund_total: simplified(8, fixedText),
	note: simplified(10, freeText),
	payment_method: freeText,
	user: userSchema,
	events: eventSchema,
	settlement_currency: fixedText,
	fee: z.number(),
	fx_fee: z.number(),
	fee_tax: fixedText,
	net: z.number(),
	network_cost: fixedText,
	success_url: freeText,
	failure_url: freeText,
	service_fee: fixedText,
	discount_percentage: fixedText,
	service_fee_percentage: fixedText,
	tip_percentage: fixedText,
	source: paymentSourceSchema,
	custom_fields: z.array(z.record(z.unknown())),
	refunds: z.array(refundRecordSchema),
	payment_capture_source: freeText,
});

/** GET /v1/charges: filters; the meaning of search is not documented. */
export const chargeFiltersSchema = z.strictObject({
	currency: z.string().optional(),
	customer_id: uuid.optional(),
	id: z.string().optional(),
	search: z.string().optional(),
	status: z.string().optional(),
	type: z.enum(CHARGE_TYPES).optional(),
});

/** POST /v1/charges/{id}/refund: the body. Partial refunds and the greatest amount are not documented. */
export const refundSchema = z.strictObject({ amount: decimalText });

/** POST /v1/charges/{id}/refund: the answer. */
export const refundAnswerSchema = z.object({ message: freeText });

export type Charge = z.infer<typeof chargeSchema>;
export type ChargeFilters = z.infer<typeof chargeFiltersSchema>;
export type RefundRecord = z.infer<typeof refundRecordSchema>;
export type Refund = z.infer<typeof refundSchema>;
export type RefundAnswer = z.infer<typeof refundAnswerSchema>;
