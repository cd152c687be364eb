import { z } from 'zod';
import { chargeSchema } from '../../contract/schemas/charge';
import { checkoutSessionSchema } from '../../contract/schemas/checkoutSession';
import { customerSchema } from '../../contract/schemas/customer';
import { invoiceSchema } from '../../contract/schemas/invoice';
import { linkSchema } from '../../contract/schemas/link';
import { dateTime } from '../../contract/schemas/primitives';
import type { Switches } from '../behaviour/switches';

/** General convention 4 says ISO 8601 and no more: fraction and offset are a switch. */
type TimestampFormat = Switches['timestampFormat'];

const GULF_OFFSET_MS = 4 * 60 * 60 * 1000;
const SECONDS_LENGTH = '2026-01-31T12:00:00'.length;

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

/**
 * A timestamp in another notation of the same instant (`no-fraction` cuts the fraction off). `micros` keeps
 * digits beyond the millisecond of a timestamp that has them and is in UTC.
 */
function formatTimestamp(text: string, format: TimestampFormat): string {
	const ms = Date.parse(text);
	const utc = new Date(ms).toISOString();
	switch (format) {
		case 'z-millis':
			return utc;
		case 'micros': {
			const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
			return `${utc.slice(0, SECONDS_LENGTH)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
		}
		case 'offset+04:00':
			return new Date(ms + GULF_OFFSET_MS).toISOString().replace('Z', '+04:00');
		case 'no-fraction':
			return `${utc.slice(0, SECONDS_LENGTH)}Z`;
	}
}

/** JSON of an answer with all its timestamps in the given notation. */
export function serialise(answer: unknown, format: TimestampFormat): string {
	return JSON.stringify(answer, (name, value: unknown) =>
		TIMESTAMP_FIELDS.has(name) && typeof value === 'string'
			? formatTimestamp(value, format)
			: value,
	);
}
