import { z } from 'zod';
import {
	CURRENCY_CODE_LENGTH,
	MAX_METADATA_KEY_LENGTH,
	MAX_METADATA_PAIRS,
	MAX_METADATA_VALUE_LENGTH,
	CHECKOUT_STATUSES,
} from '../constants';
import { dateTime, integer, uri, uuid } from './primitives';

/** docs/service.md, Checkout sessions: item; the discount type `flat` is shown, others are not. */
export const checkoutItemSchema = z.object({
	item_id: z.string(),
	name: z.string(),
	unit_amount: z.string(),
	quantity: integer,
	discount_type: z.string(),
	discount_amount: z.string(),
	total_amount: z.string(),
	net_amount: z.string(),
});

/** docs/service.md, Checkout sessions: customer; the empty string is the shown default of every field. */
export const checkoutCustomerSchema = z.object({
	first_name: z.string(),
	last_name: z.string(),
	business_name: z.string(),
	email: z.string(),
	phone_number: z.string(),
});

/** docs/service.md, Checkout sessions: charge; the format of payment_time is not documented. */
export const checkoutChargeSchema = z.object({
	id: uuid,
	amount: z.number(),
	payment_time: z.string(),
	payment_method: z.string(),
	status: z.string(),
});

/** docs/service.md, Checkout sessions: metadata rules. */
export const metadataSchema = z
	.record(
		z
			.string()
			.max(MAX_METADATA_KEY_LENGTH)
			.regex(/^[a-zA-Z0-9]+$/),
		z.string().max(MAX_METADATA_VALUE_LENGTH),
	)
	.refine((pairs) => Object.keys(pairs).length <= MAX_METADATA_PAIRS, {
		message: `at most ${MAX_METADATA_PAIRS} pairs`,
	});

/** docs/service.md, Checkout sessions: answer of GET /v1/checkout/{id}. amount and discount are numbers in the main unit. */
export const checkoutSessionSchema = z.object({
	id: uuid,
	url: uri,
	status: z.enum(CHECKOUT_STATUSES),
	amount: z.number(),
	discount: z.number(),
	currency: z.string().max(CURRENCY_CODE_LENGTH),
	reference_id: z.string(),
	created_at: dateTime,
	items: z.array(checkoutItemSchema),
	customer: checkoutCustomerSchema,
	metadata: metadataSchema,
	charges: z.array(checkoutChargeSchema),
});

export type CheckoutSession = z.infer<typeof checkoutSessionSchema>;
