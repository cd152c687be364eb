import { clock } from '../clock';
import { InputError, notOfKind } from '../errors/reportedError';
import { asSeen, plainText } from '../values';
import { isNothing, type CheckContext } from './inputChecks';
import { DAY_MS, parseInstant, toMs, type Instant } from '../timestamps';

const DAY_LENGTH = 'YYYY-MM-DD'.length;
/** Matches a date with a time and its offset from UTC. */
const OFFSET = /^.{11}[\d:., ]*(?:Z|[+-][\d:]+)$/i;
/** A day that a node or a driver has turned into a moment, in whatever time zone: 2026-01-31T00:00:00.000Z. */
const MIDNIGHT = /^.{10}[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
/** Earlier dates have no offset in the time zone database, and the first years have fewer digits in JavaScript. */
const FIRST_TIME_ZONES = '1800';

/** Reads a date, with or without a time: text, luxon's DateTime or a Date. @throws {InputError} if it is none, or does not exist */
export function readDate(date: unknown, label: string, { timeZone }: CheckContext): Instant {
	if (isNothing(date)) throw new InputError(`${label} is empty`);
	const text = dateText(date);
	const instant = parseInstant(text) && parseInstant(toUtc(text, timeZone));
	if (instant !== undefined) return instant;
	const examples = 'a date such as 2026-01-31 or a date-time such as 2026-01-31T09:00:00Z';
	throw notOfKind(date, label, `be ${examples}`);
}

/**
 * Checks a calendar date after today (POST /v1/links, expiry_date). The time zone of the service's day is not documented: the
 * workflow's is assumed, as for `$today` in an expression. A date-time with an offset counts as its day in that time zone,
 * unless it is midnight in its own offset. Anything else counts as written.
 *
 * @param timeZone IANA name of the workflow's time zone
 */
export function checkFutureDate(value: unknown, label: string, timeZone: string): string {
	const date = dayOf(asSeen(dateText(value)), timeZone);
	if (date === undefined) throw notOfKind(value, label, 'be a date in the form YYYY-MM-DD');
	const today = dayIn(timeZone, clock.now());
	if (date <= today) {
		throw new InputError(`${label} is ${date}: it must be in the future, and today is ${today}`);
	}
	return date;
}

function dayOf(text: string, timeZone: string): string | undefined {
	const instant = parseInstant(text);
	if (instant === undefined) return undefined;
	const isMoment = OFFSET.test(text) && !MIDNIGHT.test(text);
	return isMoment ? dayIn(timeZone, toMs(instant)) : text.slice(0, DAY_LENGTH);
}

/** YYYY-MM-DD, as Swedish writes dates. */
const dayIn = (timeZone: string, ms: number): string =>
	new Intl.DateTimeFormat('sv-SE', { timeZone }).format(ms).padStart(DAY_LENGTH, '0');

/** `$now` and the like are luxon's DateTime, whose text has its own offset. */
function dateText(value: unknown): string {
	if (typeof value !== 'object' || value === null) return plainText(value);
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	if (!('toISO' in value) || typeof value.toISO !== 'function') return '';
	return plainText((value.toISO as () => unknown).call(value));
}

/**
 * Turns a local time, as the editor's date picker gives it, into UTC, and returns other texts unchanged. When the clocks skip
 * 02:30, it counts as 01:30; a time that comes twice counts as the first. So a period that begins there misses nothing.
 */
function toUtc(text: string, timeZone: string): string {
	const local = text.trim().replace(' ', 'T');
	if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/.test(local)) return text;
	if (local < FIRST_TIME_ZONES) return text;
	const asUtcMs = Date.parse(`${local}${local.includes('T') ? '' : 'T00:00'}Z`);
	if (Number.isNaN(asUtcMs)) return text;
	// Uses the offsets before and after any change of the clocks nearby.
	const instants = [-DAY_MS, DAY_MS].map((ms) => asUtcMs - offsetMsAt(asUtcMs + ms, timeZone));
	const isMeant = (ms: number): boolean => ms + offsetMsAt(ms, timeZone) === asUtcMs;
	const meant = instants.filter(isMeant);
	return new Date(Math.min(...(meant.length > 0 ? meant : instants))).toISOString();
}

function offsetMsAt(ms: number, timeZone: string): number {
	const local = new Intl.DateTimeFormat('sv-SE', {
		timeZone,
		dateStyle: 'short',
		timeStyle: 'medium',
	}).format(ms);
	return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(ms / 1000) * 1000;
}
