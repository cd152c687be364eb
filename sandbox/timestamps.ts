import { z } from 'zod';
import { chargeSchema } from '../contract/schemas/charge';
import { checkoutSessionSchema } from '../contract/schemas/checkoutSession';
import { customerSchema } from '../contract/schemas/customer';
import { invoiceSchema } from '../contract/schemas/invoice';
import { linkSchema } from '../contract/schemas/link';
import { dateTime } from '../contract/schemas/primitives';

/** Notations of one instant: the API documentation says only ISO 8601. */
export const TIMESTAMP_FORMATS = ['z-millis', 'micros', 'offset+04:00', 'no-fraction'] as const;
export type TimestampFormat = (typeof TIMESTAMP_FORMATS)[number];

const GULF_OFFSET_MS = 4 * 60 * 60 * 1000;

/**
 * A timestamp in a notation; `no-fraction` cuts the fraction off.
 *
 * @param micros what follows the milliseconds, three digits, in the notation that has room for it
 */
export function timestamp(ms: number, format: TimestampFormat, micros = '000'): string {
	const utc = new Date(ms).toISOString();
	switch (format) {
		case 'z-millis':
			return utc;
		case 'micros':
			return utc.replace('Z', `${micros}Z`);
		case 'offset+04:00':
			return new Date(ms + GULF_OFFSET_MS).toISOString().replace('Z', '+04:00');
		case 'no-fraction':
			return utc.replace(/\.\d+/, '');
	}
}

/** The names of every field that the contract declares a date-time. */
const TIMESTAMP_FIELDS = new Set(
	[chargeSchema, checkoutSessionSchema, customerSchema, invoiceSchema, linkSchema].flatMap(
		timestampFieldsOf,
	),
);

function timestampFieldsOf(schema: z.ZodTypeAny): string[] {
	if (schema instanceof z.ZodArray) return timestampFieldsOf(schema.element as z.ZodTypeAny);
	if (!(schema instanceof z.ZodObject)) return [];
	return Object.entries(schema.shape as z.ZodRawShape).flatMap(([name, field]) =>
		field === dateTime ? [name] : timestampFieldsOf(field),
	);
}

/** JSON of an answer with all its timestamps in the given notation. */
export function serialise(answer: unknown, format: TimestampFormat): string {
	return JSON.stringify(answer, (name, value: unknown) => {
		if (!TIMESTAMP_FIELDS.has(name) || typeof value !== 'string') return value;
		const [, micros] = /\.\d{3}(\d{3})/.exec(value) ?? [];
		return timestamp(Date.parse(value), format, micros);
	});
}
