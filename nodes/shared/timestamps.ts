/** UTC as `2026-01-31T12:00:00`, with a fraction that ends in no zero: compares with `<`, microseconds included. */
export type Instant = string;

/** Every charge was created after it. */
export const EARLIEST: Instant = '0000-01-01T00:00:00';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

const EARLIEST_MS = Date.parse('0000-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59Z');
const SECONDS_LENGTH = '2026-01-31T12:00:00'.length;
const MAX_LENGTH = 64;
const IN_UTC = /T\d{2}:\d{2}:\d{2}[.\d]*Z$/;
const ISO_8601 =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?: ?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?))?)?$/i;

/** Reads an ISO 8601 date-time (docs/service.md, Conventions). Undefined if it is none. Without an offset, UTC is assumed. */
export function parseInstant(text: unknown): Instant | undefined {
	// Longer texts are no date-times.
	const isText = typeof text === 'string' && text.length <= MAX_LENGTH;
	const match = isText ? ISO_8601.exec(text.trim()) : null;
	if (match === null) return undefined;
	const part = (group: number): number => Number(match[group] ?? 0);
	const [year, month, day] = [part(1), part(2), part(3)];
	const [hour, minute, second] = [part(4), part(5), part(6)];
	// The end of a day can be written as 24:00.
	if (hour * 3600 + minute * 60 + second > 86_400 || minute > 59 || second > 60) return undefined;
	// Nearly every timestamp needs no calculation: each month has 28 days.
	const isPlain = second < 60 && hour < 24 && day > 0 && day < 29 && month > 0 && month < 13;
	if (isPlain && IN_UTC.test(match[0])) {
		return withFraction(match[0].slice(0, SECONDS_LENGTH), match[7] ?? '');
	}
	const utc = new Date(0);
	// Date.UTC would put the years 0 to 99 into the last century.
	utc.setUTCFullYear(year, month - 1, day);
	// 30 February would be 2 March.
	if (utc.getUTCMonth() !== month - 1 || utc.getUTCDate() !== day) return undefined;
	utc.setUTCHours(hour, minute, second);
	const ms = utc.getTime() - offsetMinutes(match[8]) * MINUTE_MS;
	return withFraction(fromMs(ms).slice(0, SECONDS_LENGTH), match[7] ?? '');
}

function offsetMinutes(offset: string | undefined): number {
	const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset ?? '') ?? [];
	if (sign === undefined) return 0;
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
}

function withFraction(seconds: string, fraction: string): Instant {
	const digits = fraction.replace(/0+$/, '');
	return digits === '' ? seconds : `${seconds}.${digits}`;
}

/** Milliseconds since the epoch, without fractions of a millisecond. */
export function toMs(instant: Instant): number {
	const fraction = instant.slice(SECONDS_LENGTH + 1, SECONDS_LENGTH + 4).padEnd(3, '0');
	return Date.parse(`${instant.slice(0, SECONDS_LENGTH)}Z`) + Number(fraction);
}

/** Years have four digits: earlier and later moments become the first and the last instant. */
export function fromMs(ms: number): Instant {
	const text = new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS)).toISOString();
	return withFraction(text.slice(0, SECONDS_LENGTH), text.slice(SECONDS_LENGTH + 1, -1));
}

/** The instant `ms` milliseconds later (earlier when negative), exact below the millisecond. */
export function shift(instant: Instant, ms: number): Instant {
	const shiftedMs = toMs(instant) + Math.floor(ms);
	if (shiftedMs < EARLIEST_MS || shiftedMs > LATEST_MS) return fromMs(shiftedMs);
	const text = new Date(shiftedMs).toISOString();
	const belowMs = instant.slice(SECONDS_LENGTH + 4);
	return withFraction(text.slice(0, SECONDS_LENGTH), text.slice(SECONDS_LENGTH + 1, -1) + belowMs);
}

export const earliest = (first: Instant, ...others: Instant[]): Instant =>
	others.reduce((least, instant) => (instant < least ? instant : least), first);

export const latest = (first: Instant, ...others: Instant[]): Instant =>
	others.reduce((most, instant) => (instant > most ? instant : most), first);

/** Tolerance for a host's clock that is slow. */
const CLOCK_TOLERANCE_MS = 15 * MINUTE_MS;

/** Anything later counts as future. */
export const latestPresentAt = (nowMs: number): Instant => fromMs(nowMs + CLOCK_TOLERANCE_MS);
