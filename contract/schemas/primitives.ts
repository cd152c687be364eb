import { z } from 'zod';
import { CURRENCY_CODE_LENGTH, MAX_INTEGER } from '../constants';

/**
 * The kind of content of a field. Redaction depends on it. fixed: an identifier, status, currency, amount,
 * date or the like. free: text that people or the service write. number: text whose digits are no card's. secret: sensitive.
 * code: a card's security code. pairs: the merchant's own key-value pairs, each of which is a pair: one that is named token
 * is no payment token.
 */
export type Meaning = 'fixed' | 'free' | 'number' | 'secret' | 'code' | 'pairs' | 'pair';

/** Every text of a record states its meaning, as its `description`. Numbers, booleans and enums are fixed. */
export const means = <Type extends z.ZodTypeAny>(meaning: Meaning, type: Type): Type =>
	type.describe(meaning);

export const fixedText = means('fixed', z.string());
export const freeText = means('free', z.string());
export const numberText = means('number', z.string());
export const secretText = means('secret', z.string());
export const securityCode = means('code', z.string());

const ranks = new WeakMap<z.ZodTypeAny, number>();

/** Simplify keeps the field. @param rank its position among those that it keeps, from 1 */
export function simplified<Type extends z.ZodTypeAny>(rank: number, type: Type): Type {
	const copy = type.describe(type.description ?? '');
	ranks.set(copy, rank);
	return copy;
}

/** Undefined for a field that Simplify leaves out. */
export const rankOf = (type: z.ZodTypeAny): number | undefined => ranks.get(type);

/** A field that the nodes make of others, for Simplify; null where those are empty. */
export const madeText = means('free', z.string()).nullable();

/** docs/service.md, Conventions. */

/** Money in decimal notation: digits, at most one dot, an optional minus. */
export const decimalText = means(
	'fixed',
	z.string().regex(/^-?\d+(\.\d+)?$/, 'must be a decimal number as text'),
);

/** ISO 8601 date and time with an optional fraction and an offset or Z. */
export const dateTime = means('fixed', z.string().datetime({ offset: true }));

/** ISO 8601 calendar date, YYYY-MM-DD. */
export const calendarDate = means('fixed', z.string().date());

export const uuid = means('fixed', z.string().uuid());

export const uri = means('free', z.string().url());

/** ISO 4217 code. */
export const currencyCode = means(
	'fixed',
	z.string().regex(new RegExp(`^[A-Z]{${CURRENCY_CODE_LENGTH}}$`)),
);

export const integer = z.number().int().max(MAX_INTEGER);

/** The acting user of an invoice, a charge and their events (docs/service.md, Invoices, sub-objects). */
export const userSchema = z.object({
	id: uuid,
	first_name: freeText,
	last_name: freeText,
});

/**
 * An entry of an invoice's log, and the one event of a charge. The types `created` (invoice) and `authorised` (charge) are
 * shown, others are not.
 */
export const eventSchema = z.object({
	created: dateTime,
	type: freeText,
	message: freeText,
	user: userSchema,
});

/** Item of a link and of an invoice. */
export const itemSchema = z.object({
	id: uuid,
	amount: decimalText,
	total_amount: decimalText,
	name: freeText,
	quantity: integer,
	sku: numberText,
});
