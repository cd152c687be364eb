import { z } from 'zod';
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

export type DeletedLink = z.infer<typeof deletedLinkSchema>;
export type RefundResult = z.infer<typeof refundResultSchema>;
