import { z } from 'zod';

/** docs/service.md, Lists: the query of every list. Default and maximum page_size are not documented. */
export const pageQuerySchema = z.strictObject({
	page: z.coerce.number().int().min(1).optional(),
	page_size: z.coerce.number().int().min(1).optional(),
});

/** docs/service.md, Lists. For customers all four fields are required, for charges that is not documented. */
export const envelopeSchema = <Row extends z.ZodTypeAny>(row: Row) =>
	z.object({
		count: z.number().int().min(0),
		next: z.string().url().nullable(),
		previous: z.string().url().nullable(),
		results: z.array(row),
	});

export type PageQuery = z.infer<typeof pageQuerySchema>;

/** One page as the service answers it. */
export type Envelope<Row> = z.infer<ReturnType<typeof envelopeSchema>> & { results: Row[] };
