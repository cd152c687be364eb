import type { IPollFunctions } from 'n8n-workflow';
import { includeSensitiveDataField } from '../../shared/fields/includeSensitiveDataField';
import { propertiesOf } from '../../shared/fields/field';
import { FieldValues } from '../../shared/fields/readFields';
import { simplifyField } from '../../shared/fields/simplifyField';
import { refuseWholeExpressions } from '../../shared/input/wholeExpressions';
import type { EventName } from '../../shared/charges/chargeEvents';
import { StatusFilter } from '../../shared/charges/statusFilter';
import type { Instant } from '../../shared/timestamps';
import {
	lookbackField,
	maxChargesField,
	polledEvents,
	polledStatuses,
	startDateField,
	startFromField,
	sweepPagesField,
	triggerFields,
	watchedDays,
} from './fields';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What the editor shows of the trigger. */
export const triggerProperties = propertiesOf(triggerFields);

/** What the user chose, checked. Durations in milliseconds. */
export interface PollSettings {
	readonly events: ReadonlySet<EventName>;
	readonly statuses: StatusFilter;
	/** The filters that are sent, by the service's names. */
	readonly filters: Readonly<Record<string, string>>;
	readonly startFrom: StartFrom;
	/** How late a charge may show in the list and is still told. A round is due every half of it. */
	readonly lookbackMs: number;
	/** Events of one poll at most. */
	readonly maxCharges: number;
	readonly watchMs: number;
	/** Pages that a poll reads at most to look for refunds and changes of status, beside those it reads anyway. */
	readonly sweepPages: number;
	readonly simplify: boolean;
	readonly includeSensitiveData: boolean;
}

/** What a trigger that never ran takes for new. */
type StartFrom =
	| { readonly kind: 'now' }
	| { readonly kind: 'beginning' }
	| { readonly kind: 'date'; readonly date: Instant };

export const watchesStatuses = ({ events, statuses }: PollSettings): boolean =>
	events.has('charge.statusChanged') || statuses.isSet;

/** Whether charges have to be looked at after they were new. */
export const isWatching = (settings: PollSettings): boolean =>
	settings.events.has('charge.refunded') || watchesStatuses(settings);

/** @throws {InputError} naming the field, for literals and expressions alike */
export function readSettings(context: IPollFunctions): PollSettings {
	refuseWholeExpressions(context.getNode().parameters, triggerFields);
	const values = new FieldValues(
		triggerFields,
		(name, fallback) => context.getNodeParameter(name, fallback),
		{ timeZone: context.getTimezone() },
	);
	return {
		events: values.orDefault(polledEvents),
		filters: values.query,
		statuses: new StatusFilter(values.of(polledStatuses)),
		simplify: values.orDefault(simplifyField),
		includeSensitiveData: values.orDefault(includeSensitiveDataField),
		startFrom: startFromOf(values),
		lookbackMs: values.orDefault(lookbackField) * MINUTE_MS,
		watchMs: values.orDefault(watchedDays) * DAY_MS,
		sweepPages: values.orDefault(sweepPagesField),
		maxCharges: values.orDefault(maxChargesField),
	};
}

function startFromOf(values: FieldValues): StartFrom {
	const kind = values.orDefault(startFromField);
	return kind === 'date' ? { kind, date: values.orDefault(startDateField) } : { kind };
}
