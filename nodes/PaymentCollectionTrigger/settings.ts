import type { IPollFunctions } from 'n8n-workflow';
import { CHARGE_FILTERS } from '../shared/chargeFilters';
import { refuseWholeExpressions } from '../shared/collections';
import { filtersToQuery } from '../shared/filters';
import { checkBoolean, checkInteger, checkOneOf } from '../shared/inputChecks';
import { InputError, shown } from '../shared/inputError';
import { plainText } from '../shared/plainText';
import { EVENT_NAMES } from './events';
import type { EventName } from './events';
import type { StartFrom } from './startFrom';
import { parseInstant } from './timestamps';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const DEFAULTS = {
	lookbackMinutes: 60,
	watchDays: 7,
	sweepPages: 5,
	/** About 95 MB while n8n saves the execution. */
	maxChargesPerPoll: 5_000,
} as const;

export const LIMITS = {
	lookbackMinutes: { least: 1, most: 7 * 24 * 60 },
	watchDays: { least: 1, most: 365 },
	sweepPages: { least: 1, most: 100 },
	/** n8n can't take more than about 125,000 items from one node. */
	maxChargesPerPoll: { least: 1, most: 50_000 },
} as const;

/** What the user chose, checked. Durations in milliseconds. */
export interface Settings {
	readonly events: ReadonlySet<EventName>;
	/** By the service's names. */
	readonly filters: Readonly<Record<string, string>>;
	readonly simplify: boolean;
	readonly includeSensitiveData: boolean;
	readonly startFrom: StartFrom;
	readonly lookbackMs: number;
	readonly watchMs: number;
	/** Pages that a poll reads at most to look for refunds and changes of status, beside page 1. */
	readonly sweepPages: number;
	readonly maxCharges: number;
}

/** @throws {InputError} naming the field, for literals and expressions alike */
export function readSettings(context: IPollFunctions): Settings {
	refuseWholeExpressions(context.getNode().parameters);
	const parameter = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, fallback);
	const whole = (name: keyof typeof DEFAULTS, field: string): number => {
		const { least, most } = LIMITS[name];
		return checkInteger(parameter(`options.${name}`, DEFAULTS[name]), field, least, most);
	};
	const { currency, customerId, search, status, type } = CHARGE_FILTERS;
	return {
		events: readEvents(parameter('events', [])),
		filters: filtersToQuery(parameter('filters', {}), {
			currency,
			customerId,
			search,
			status,
			type,
		}),
		simplify: checkBoolean(parameter('simplify', true), 'Simplify'),
		includeSensitiveData: checkBoolean(
			parameter('options.includeSensitiveData', false),
			'Include Sensitive Data',
		),
		startFrom: readStart(
			parameter('options.startFrom', 'now'),
			parameter('options.startDate', ''),
			context.getTimezone(),
		),
		lookbackMs: whole('lookbackMinutes', 'Lookback') * MINUTE_MS,
		watchMs: whole('watchDays', 'Watch Days') * DAY_MS,
		sweepPages: whole('sweepPages', 'Sweep Pages'),
		maxCharges: whole('maxChargesPerPoll', 'Max Charges per Poll'),
	};
}

function readEvents(value: unknown): ReadonlySet<EventName> {
	const names: unknown[] = Array.isArray(value) ? value : [value];
	const events = names.filter((name) => name !== '' && name !== undefined);
	if (events.length === 0) throw new InputError('Events is empty: choose at least one');
	return new Set(
		events.map((name) => {
			checkOneOf(name, 'Events', EVENT_NAMES);
			return name as EventName;
		}),
	);
}

function readStart(kind: unknown, date: unknown, timeZone: string): StartFrom {
	switch (checkOneOf(kind, 'Start From', ['now', 'date', 'beginning'])) {
		case 'now':
			return { kind: 'now' };
		case 'beginning':
			return { kind: 'beginning' };
	}
	const instant = parseInstant(inTimeZone(plainText(date), timeZone));
	if (instant === undefined) {
		throw new InputError(
			`Start Date is ${shown(date)}: it must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:00:00Z`,
		);
	}
	return { kind: 'date', date: instant };
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
