import { z } from 'zod';
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

/** Output of Simplify for a charge: some of its fields, and the name of its user, null without one. */
export const simpleChargeSchema = chargeSchema
	.pick({
		id: true,
		created: true,
		reference_id: true,
		total: true,
		currency: true,
		status: true,
		refund_total: true,
		net: true,
		payment_method: true,
	})
	.extend({ user_name: z.string().nullable() });

/** Output of Simplify for a customer: all but where exactly they live. */
export const simpleCustomerSchema = customerSchema.omit({
	province: true,
	street: true,
	zip_code: true,
});

export type SimpleCharge = z.infer<typeof simpleChargeSchema>;
export type SimpleCustomer = z.infer<typeof simpleCustomerSchema>;
export type DeletedLink = z.infer<typeof deletedLinkSchema>;
export type RefundResult = z.infer<typeof refundResultSchema>;
