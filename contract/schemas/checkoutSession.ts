import { z } from 'zod';
import {
	MAX_METADATA_KEY_LENGTH,
	MAX_METADATA_PAIRS,
	MAX_METADATA_VALUE_LENGTH,
	CHECKOUT_STATUSES,
} from '../constants';
import {
	currencyCode,
	dateTime,
	fixedText,
	freeText,
	integer,
	means,
	numberText,
	simplified,
	uri,
	uuid,
} from './primitives';

/** docs/service.md, Checkout sessions: item; the discount type `flat` is shown, others are not. */
export const checkoutItemSchema = z.object({
	item_id: fixedText,
	name: freeText,
	unit_amount: fixedText,
	quantity: integer,
	discount_type: freeText,
	discount_amount: fixedText,
	total_amount: fixedText,
	net_amount: fixedText,
});

/** docs/service.md, Checkout sessions: customer; the empty string is the shown default of every field. */
export const checkoutCustomerSchema = z.object({
	first_name: freeText,
	last_name: freeText,
	business_name: freeText,
	email: freeText,
	phone_number: numberText,
});

/** docs/service.md, Checkout sessions: charge; the format of payment_time is not documented. */
export const checkoutChargeSchema = z.object({
	id: uuid,
	amount: z.number(),
	payment_time: fixedText,
	payment_method: freeText,
	status: fixedText,
});

/** docs/service.md, Checkout sessions: metadata rules. */
export const metadataSchema = means(
	'pairs',
	z
		.record(
			z
				.string()
				.max(MAX_METADATA_KEY_LENGTH)
				.regex(/^[a-zA-Z0-9]+$/),
			z.string().max(MAX_METADATA_VALUE_LENGTH),
		)
		.refine((pairs) => Object.keys(pairs).length <= MAX_METADATA_PAIRS, {
			message: `at most ${MAX_METADATA_PAIRS} pairs`,
		}),
);

/** docs/service.md, Checkout sessions: answer of GET /v1/checkout/{id}. amount and discount are numbers in the main unit. */
export const checkoutSessionSchema = z.object({
	id: simplified(1, uuid),
	url: simplified(7, uri),
	status: simplified(2, z.enum(CHECKOUT_STATUSES)),
	amount: simplified(3, z.number()),
	discount: z.number(),
	currency: simplified(4, currencyCode),
	reference_id: simplified(5, fixedText),
	created_at: simplified(6, dateTime),
	items: z.array(checkoutItemSchema),
	customer: checkoutCustomerSchema,
	metadata: simplified(10, metadataSchema),
	charges: z.array(checkoutChargeSchema),
});

export type CheckoutSession = z.infer<typeof checkoutSessionSchema>;
