import { z } from 'zod';
import { CHARGE_TYPES } from '../../contract/constants';
import { chargeSchema, refundSchema } from '../../contract/schemas/charge';
import { uuid } from '../../contract/schemas/primitives';

/** Bodies of the control surface. Those of switches and faults are declared with what they change. */

/** New charges in one call: enough for any demo, and no way to fill the memory by a typing error. */
const MAX_INSERTED = 10_000;

/** Any fields of a charge, and the two that only filters know. */
const chargeDraftSchema = chargeSchema
	.partial()
	.extend({ customer_id: uuid.optional(), type: z.enum(CHARGE_TYPES).optional() })
	.strict();

export const insertBodySchema = z
	.object({
		count: z.number().int().min(1).max(MAX_INSERTED).default(1),
		charge: chargeDraftSchema.optional(),
	})
	.strict()
	.refine(({ count, charge }) => count === 1 || charge?.id === undefined, {
		message: 'charge.id: several charges cannot share an id',
	});

export const refundBodySchema = refundSchema.partial();

export const statusBodySchema = z.object({ status: z.string().min(1) }).strict();

export const resetBodySchema = z.object({ seed: z.number().int().optional() }).strict();

export const idParamsSchema = z.object({ id: z.string() });

export const faultParamsSchema = z.object({ id: z.coerce.number().int() });
