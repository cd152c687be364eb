import type { CheckContext } from '../../shared/fields/field';
import { InputError, quoted } from '../../shared/errors/inputError';
import { checkOneOf, checkRequiredText } from '../../shared/input/inputChecks';
import { plainText } from '../../shared/plainText';
import { EVENT_NAMES } from '../changes/events';
import type { EventName } from '../changes/events';
import { parseInstant } from '../timestamps';
import type { Instant } from '../timestamps';

/** @throws {InputError} when the date is none */
export function readDate(date: unknown, field: string, { timeZone }: CheckContext): Instant {
	const instant = parseInstant(inTimeZone(plainText(date), timeZone));
	if (instant !== undefined) return instant;
	throw new InputError(
		`${field} is ${quoted(date)}: it must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:00:00Z`,
	);
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

/** At least one of the events. */
export function readEvents(value: unknown, field: string): ReadonlySet<EventName> {
	const names: unknown[] = Array.isArray(value) ? value : [value];
	const chosen = names.filter((name) => name !== '' && name !== undefined);
	if (chosen.length === 0) throw new InputError(`${field} is empty: choose at least one`);
	return new Set(chosen.map((name) => checkOneOf(name, field, EVENT_NAMES)));
}

/** One status or several, separated by commas. */
export function readStatuses(value: unknown, field: string): readonly string[] {
	const statuses = checkRequiredText(value, field)
		.split(',')
		.map((status) => status.trim());
	if (!statuses.includes('')) return statuses;
	throw new InputError(
		`${field} has an empty entry: give one status, or several separated by commas`,
	);
}
