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
	madeText,
	rankOf,
	simplified,
	uuid,
} from './primitives';

/** Fields that the nodes make of others, for Simplify. */
export const MADE_FIELDS = {
	/** It is not documented who the `user` of a charge is, so the payer is the card holder. */
	charge: { payer_name: simplified(9, madeText) },
	checkoutSession: {
		customer_name: simplified(8, madeText),
		customer_email: simplified(9, madeText),
	},
};

/** The service's records, each with the fields that the nodes make of it. */
export const RECORDS = {
	charge: chargeSchema.extend(MADE_FIELDS.charge),
	checkoutSession: checkoutSessionSchema.extend(MADE_FIELDS.checkoutSession),
	customer: customerSchema,
	invoice: invoiceSchema,
	link: linkSchema,
} as const satisfies Record<string, z.AnyZodObject>;

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
	/** Output of charge refund: the response's message, and the charge's balance after the refund. */
	refundResult: z.object({
		charge_id: uuid,
		amount: decimalText,
		currency: currencyCode,
		message: freeText,
		refund_total: decimalText,
		remaining: decimalText,
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
		.object({ event: z.string(), event_id: z.string() })
		.merge(simplifiedSchema('charge')),
	...OWN_RECORDS,
};

export type OutputName = keyof typeof OUTPUTS;

export type DeletedLink = z.infer<typeof OWN_RECORDS.deletedLink>;
