import { z } from 'zod';
import { dateTime, integer, uuid } from './primitives';

/** docs/service.md, Customers. */
export const customerSchema = z.object({
	id: uuid,
	created: dateTime,
	first_name: z.string(),
	last_name: z.string(),
	business_name: z.string(),
	job_title: z.string(),
	province: integer,
	city: z.string(),
	street: z.string(),
	zip_code: z.string(),
	email: z.string(),
	phone_number: z.string(),
	country: z.string(),
});

/**
 * GET /v1/customers: filters. A search parameter is described (first name, last name and email) but its
 * name is not documented; `search` is assumed, the name that the charge list uses.
 */
export const customerFiltersSchema = z
	.object({
		business_name: z.string().optional(),
		email: z.string().optional(),
		first_name: z.string().optional(),
		id: z.string().optional(),
		last_name: z.string().optional(),
		search: z.string().optional(),
	})
	.strict();

export type Customer = z.infer<typeof customerSchema>;
export type CustomerFilters = z.infer<typeof customerFiltersSchema>;
