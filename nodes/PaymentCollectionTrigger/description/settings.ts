import type { IPollFunctions } from 'n8n-workflow';
import { CHARGE_FILTERS } from '../../shared/chargeFilters';
import { refuseWholeExpressions } from '../../shared/collections';
import { filtersToQuery } from '../../shared/filters';
import { checkBoolean, checkInteger, checkOneOf } from '../../shared/inputChecks';
import { InputError } from '../../shared/inputError';
import { EVENT_NAMES } from '../changes/events';
import type { EventName } from '../changes/events';
import { StatusFilter } from '../changes/statusFilter';
import type { PollSettings } from '../poll';
import { readStart } from './startFrom';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Options that are whole numbers: how messages call them, and what they may be. */
export const WHOLE_NUMBERS = {
	lookbackMinutes: { field: 'Lookback', byDefault: 60, least: 1, most: 7 * 24 * 60 },
	watchDays: { field: 'Watch Days', byDefault: 7, least: 1, most: 365 },
	sweepPages: { field: 'Sweep Pages', byDefault: 5, least: 1, most: 100 },
	/** 5,000 are about 95 MB while n8n saves the execution, and it can't take more than about 125,000 items. */
	maxChargesPerPoll: { field: 'Max Charges per Poll', byDefault: 5_000, least: 1, most: 50_000 },
} as const;

/** What the user chose, checked. */
export interface Settings extends PollSettings {
	/** Those that are sent, by the service's names. */
	readonly filters: Readonly<Record<string, string>>;
	readonly simplify: boolean;
	readonly includeSensitiveData: boolean;
}

/** @throws {InputError} naming the field, for literals and expressions alike */
export function readSettings(context: IPollFunctions): Settings {
	refuseWholeExpressions(context.getNode().parameters);
	const parameter = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, fallback);
	const whole = (name: keyof typeof WHOLE_NUMBERS): number => {
		const { field, byDefault, least, most } = WHOLE_NUMBERS[name];
		return checkInteger(parameter(`options.${name}`, byDefault), field, least, most);
	};
	const { currency, customerId, search, status, type } = CHARGE_FILTERS;
	const table = { currency, customerId, search, status, type };
	const { status: statuses, ...filters } = filtersToQuery(parameter('filters', {}), table);
	return {
		events: readEvents(parameter('events', [])),
		filters,
		statuses: readStatuses(statuses),
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
		lookbackMs: whole('lookbackMinutes') * MINUTE_MS,
		watchMs: whole('watchDays') * DAY_MS,
		sweepPages: whole('sweepPages'),
		maxCharges: whole('maxChargesPerPoll'),
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

/** One status or several, separated by commas. */
function readStatuses(text: string | undefined): StatusFilter {
	if (text === undefined) return new StatusFilter(undefined);
	const statuses = text.split(',').map((status) => status.trim());
	if (statuses.includes('')) {
		throw new InputError(
			'Filter Status has an empty entry: give one status, or several separated by commas',
		);
	}
	return new StatusFilter(statuses);
}
