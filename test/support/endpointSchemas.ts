import type { z } from 'zod';
import type { EndpointName } from '../../contract/constants';
import {
	chargeFiltersSchema,
	chargeSchema,
	refundAnswerSchema,
	refundSchema,
} from '../../contract/schemas/charge';
import { checkoutSessionSchema } from '../../contract/schemas/checkoutSession';
import { customerFiltersSchema, customerSchema } from '../../contract/schemas/customer';
import { invoiceSchema } from '../../contract/schemas/invoice';
import { linkCreateFieldsSchema, linkEditSchema, linkSchema } from '../../contract/schemas/link';
import { envelopeSchema } from '../../contract/schemas/list';

export interface EndpointSchemas {
	readonly body?: z.AnyZodObject;
	/** Filters, without the page of a list. */
	readonly query?: z.AnyZodObject;
	/** The response of a success; the customer list is wrapped unless it is switched. */
	readonly answer: z.ZodTypeAny | undefined;
}

const link = linkSchema.strict();

export const ENDPOINT_SCHEMAS = {
	linkCreate: { body: linkCreateFieldsSchema, answer: link },
	linkGet: { answer: link },
	linkEdit: { body: linkEditSchema, answer: link },
	linkDelete: { answer: undefined },
	invoiceGet: { answer: invoiceSchema.strict() },
	chargeList: {
		query: chargeFiltersSchema,
		answer: envelopeSchema(chargeSchema.strict()).strict(),
	},
	chargeRefund: { body: refundSchema, answer: refundAnswerSchema.strict() },
	checkoutGet: { answer: checkoutSessionSchema.strict() },
	customerList: {
		query: customerFiltersSchema,
		answer: envelopeSchema(customerSchema.strict()).strict().array().length(1),
	},
} satisfies Record<EndpointName, EndpointSchemas>;

type Answers = { [Name in EndpointName]: (typeof ENDPOINT_SCHEMAS)[Name]['answer'] };

export type AnswerOf<Name extends EndpointName> = Answers[Name] extends z.ZodTypeAny
	? z.infer<Answers[Name]>
	: undefined;
