import { z } from 'zod';
import { KEPT_CHARGE_FIELDS, KEPT_CUSTOMER_FIELDS, USER_NAME } from '../recordFields';
import { chargeSchema } from './charge';
import { customerSchema } from './customer';
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

const maskOf = <const Name extends string>(names: readonly Name[]) =>
	Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>;

/** Output of Simplify for a charge; the name is null without a user. */
export const simpleChargeSchema = chargeSchema
	.extend({ [USER_NAME]: z.string().nullable() })
	.pick(maskOf(KEPT_CHARGE_FIELDS));

/** Output of Simplify for an event of a charge. */
export const chargeEventItemSchema = z
	.object({ event: z.string(), event_id: z.string() })
	.merge(simpleChargeSchema);

/** Output of Simplify for a customer. */
export const simpleCustomerSchema = customerSchema.pick(maskOf(KEPT_CUSTOMER_FIELDS));

export type DeletedLink = z.infer<typeof deletedLinkSchema>;
