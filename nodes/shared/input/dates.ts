import { InputError, quoted } from '../errors/inputError';
import type { CheckContext } from '../fields/field';
import { plainText } from '../plainText';
import { parseInstant } from '../timestamps';
import type { Instant } from '../timestamps';

/**
 * A date, or a date with a time: text, or what an expression gives, such as luxon's DateTime or a Date.
 *
 * @throws {InputError} when it is none, or one that does not exist
 */
export function readDate(date: unknown, field: string, { timeZone }: CheckContext): Instant {
	const text = dateText(date);
	const instant = exists(text) ? parseInstant(inTimeZone(text, timeZone)) : undefined;
	if (instant !== undefined) return instant;
	throw new InputError(
		`${field} is ${quoted(date)}: it must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:00:00Z`,
	);
}

/** `$now` and the like are luxon's DateTime, whose text has its own offset. */
function dateText(value: unknown): string {
	if (typeof value !== 'object' || value === null) return plainText(value);
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	if (!('toISO' in value) || typeof value.toISO !== 'function') return '';
	return plainText((value.toISO as () => unknown).call(value));
}

/** Whether a text's day and hour are on the calendar and the clock: else 30 February would be read as 2 March. */
function exists(text: string): boolean {
	const [, date, time = ''] = /^(\d{4}-\d{2}-\d{2})(?:[T ]([\d:.,]*))?/i.exec(text.trim()) ?? [];
	const midnight = Date.parse(`${date}T00:00:00Z`);
	if (Number.isNaN(midnight)) return false;
	const isDay = new Date(midnight).toISOString().startsWith(`${date}T`);
	// The end of a day may be written as its 24th hour.
	return isDay && (!time.startsWith('24') || /^24[0:.,]*$/.test(time));
}

/** The editor's date picker gives a date-time without an offset, meant in the workflow's time zone. */
function inTimeZone(text: string, timeZone: string): string {
	const local = text.trim().replace(' ', 'T');
	if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/.test(local)) return text;
	const asUtcMs = Date.parse(`${local}${local.includes('T') ? '' : 'T00:00'}Z`);
	if (Number.isNaN(asUtcMs)) return text;
	// Twice, since the offset at the instant that was meant may be another one.
	const once = asUtcMs - offsetMsAt(asUtcMs, timeZone);
	return new Date(asUtcMs - offsetMsAt(once, timeZone)).toISOString();
}

function offsetMsAt(ms: number, timeZone: string): number {
	const local = new Intl.DateTimeFormat('sv-SE', {
		timeZone,
		dateStyle: 'short',
		timeStyle: 'medium',
	}).format(ms);
	return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(ms / 1000) * 1000;
}
