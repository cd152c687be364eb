import { z } from 'zod';
import { chargeSchema } from './charge';
import { checkoutSessionSchema } from './checkoutSession';
import { customerSchema } from './customer';
import { invoiceSchema } from './invoice';
import { linkSchema } from './link';
import {
	currencyCode,
	decimalText,
	freeText,
	integer,
	madeText,
	rankOf,
	simplified,
	uuid,
} from './primitives';

/** Fields that the nodes make of others, for Simplify. */
export const MADE_FIELDS = {
	/** It is not documented who the `user` of a charge is, so the payer is the card holder. */
	charge: { payer_name: simplified(5, madeText), net: simplified(9, decimalText) },
	checkoutSession: {
		customer_name: simplified(8, madeText),
		customer_email: simplified(9, madeText),
	},
};

/** The records as the service has them. */
export const SERVICE_RECORDS = {
	charge: chargeSchema,
	checkoutSession: checkoutSessionSchema,
	customer: customerSchema,
	invoice: invoiceSchema,
	link: linkSchema,
} as const satisfies Record<string, z.AnyZodObject>;

/** The same with the fields that the nodes make. */
export const RECORDS = {
	...SERVICE_RECORDS,
	charge: chargeSchema.extend(MADE_FIELDS.charge),
	checkoutSession: checkoutSessionSchema.extend(MADE_FIELDS.checkoutSession),
};

export type RecordKind = keyof typeof RECORDS;

/** Names of the fields that Simplify keeps, in its order. */
export function simplifiedNames(kind: RecordKind): string[] {
	const ranked = Object.entries<z.ZodTypeAny>(RECORDS[kind].shape).flatMap(([name, type]) => {
		const rank = rankOf(type);
		return rank === undefined ? [] : [{ name, rank }];
	});
	return ranked.sort((one, other) => one.rank - other.rank).map(({ name }) => name);
}

/** Output of Simplify for a record. */
function simplifiedSchema(kind: RecordKind): z.AnyZodObject {
	const shape: z.ZodRawShape = RECORDS[kind].shape;
	return z.object(
		Object.fromEntries(simplifiedNames(kind).map((name) => [name, shape[name] ?? z.never()])),
	);
}

/** Records that the node makes itself, because the service's response is empty or says too little. */
export const OWN_RECORDS = {
	/** Output of link delete, whose success has no body. */
	deletedLink: z.object({ id: uuid, deleted: z.literal(true) }),
	/** Output of charge refund: the response's message, the charge's balance after the refund, and whose charge it is. */
	refundResult: z.object({
		charge_id: uuid,
		amount: decimalText,
		currency: currencyCode,
		message: freeText,
		refund_total: decimalText,
		remaining: decimalText,
		reference_id: integer,
		payer_name: madeText,
	}),
};

/** The results of the operations, as the editor previews them. */
export const OUTPUTS = {
	charge: simplifiedSchema('charge'),
	checkoutSession: simplifiedSchema('checkoutSession'),
	customer: simplifiedSchema('customer'),
	invoice: simplifiedSchema('invoice'),
	link: simplifiedSchema('link'),
	/** An event of a charge. */
	chargeEvent: z
		.object({ event: z.string(), refunded_amount: decimalText })
		.merge(simplifiedSchema('charge'))
		.extend({ event_id: z.string() }),
	...OWN_RECORDS,
};

export type OutputName = keyof typeof OUTPUTS;

export type DeletedLink = z.infer<typeof OWN_RECORDS.deletedLink>;
