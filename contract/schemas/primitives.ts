import { z } from 'zod';
import { CURRENCY_CODE_LENGTH, MAX_INTEGER } from '../constants';

/** docs/service.md, Conventions. */

/** Money in decimal notation: digits, at most one dot, an optional minus. */
export const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be a decimal number as text');

/** ISO 8601 date and time with an optional fraction and an offset or Z. */
export const dateTime = z.string().datetime({ offset: true });

/** ISO 8601 calendar date, YYYY-MM-DD. */
export const calendarDate = z.string().date();

export const uuid = z.string().uuid();

export const uri = z.string().url();

/** ISO 4217 code. */
export const currencyCode = z.string().regex(new RegExp(`^[A-Z]{${CURRENCY_CODE_LENGTH}}$`));

export const integer = z.number().int().max(MAX_INTEGER);

/** The acting user of an invoice, a charge and their events (docs/service.md, Invoices, sub-objects). */
export const userSchema = z.object({
	id: uuid,
	first_name: z.string(),
	last_name: z.string(),
});

/**
 * An entry of an invoice's log, and the one event of a charge. The types `created` (invoice) and `authorised` (charge) are
 * shown, others are not.
 */
export const eventSchema = z.object({
	created: dateTime,
	type: z.string(),
	message: z.string(),
	user: userSchema,
});

/** Item of a link and of an invoice. */
export const itemSchema = z.object({
	id: uuid,
	amount: decimalText,
	total_amount: decimalText,
	name: z.string(),
	quantity: integer,
	sku: z.string(),
});
