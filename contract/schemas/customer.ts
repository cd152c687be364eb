import { z } from 'zod';
import { dateTime, freeText, integer, numberText, simplified, uuid } from './primitives';

/** docs/service.md, Customers. */
export const customerSchema = z.object({
	id: simplified(1, uuid),
	created: simplified(2, dateTime),
	first_name: simplified(3, freeText),
	last_name: simplified(4, freeText),
	business_name: simplified(5, freeText),
	job_title: simplified(10, freeText),
	province: integer,
	city: simplified(8, freeText),
	street: freeText,
	zip_code: freeText,
	email: simplified(6, freeText),
	phone_number: simplified(7, numberText),
	country: simplified(9, freeText),
});

/**
 * GET /v1/customers: filters. A search parameter is described (first name, last name and email) but its
 * name is not documented; `search` is assumed, the name that the charge list uses.
 */
export const customerFiltersSchema = z.strictObject({
	business_name: z.string().optional(),
	email: z.string().optional(),
	first_name: z.string().optional(),
	id: z.string().optional(),
	last_name: z.string().optional(),
	search: z.string().optional(),
});

export type Customer = z.infer<typeof customerSchema>;
export type CustomerFilters = z.infer<typeof customerFiltersSchema>;
