import { z } from 'zod';
import { RECORD_FIELDS, type RecordKind } from '../recordFields';
import { chargeSchema } from './charge';
import { checkoutSessionSchema } from './checkoutSession';
import { customerSchema } from './customer';
import { invoiceSchema } from './invoice';
import { linkSchema } from './link';
import { currencyCode, decimalText, uuid } from './primitives';

/** Records that the node makes up itself, because the service's answer is empty or says too little. */

/** Output of link delete, whose success has no body. */
export const deletedLinkSchema = z.object({ id: uuid, deleted: z.literal(true) });

/** Output of charge refund: the answer's message, and the charge's balance after the refund. */
export const refundResultSchema = z.object({
	charge_id: uuid,
	amount: decimalText,
	currency: currencyCode,
	message: z.string(),
	refund_total: decimalText,
	remaining: decimalText,
});

const madeField = z.string().nullable();

/** Output of Simplify for a record. */
function simplified(kind: RecordKind, schema: z.AnyZodObject) {
	const shape = schema.shape as z.ZodRawShape;
	const entries = RECORD_FIELDS[kind].simplified.map((name) => [name, shape[name] ?? madeField]);
	return z.object(Object.fromEntries(entries) as z.ZodRawShape);
}

export const simplifiedSchemas = {
	charge: simplified('charge', chargeSchema),
	checkoutSession: simplified('checkoutSession', checkoutSessionSchema),
	customer: simplified('customer', customerSchema),
	invoice: simplified('invoice', invoiceSchema),
	link: simplified('link', linkSchema),
};

/** Output of Simplify for an event of a charge. */
export const chargeEventItemSchema = z
	.object({ event: z.string(), event_id: z.string() })
	.merge(simplifiedSchemas.charge);

export type DeletedLink = z.infer<typeof deletedLinkSchema>;
