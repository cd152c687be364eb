import { z } from 'zod';

/** docs/service.md, Errors: the one shape shown. Status codes and the values of code are not documented. */
export const errorSchema = z.object({
	error: z.object({ message: z.string(), code: z.string() }),
});

export type ErrorBody = z.infer<typeof errorSchema>;
