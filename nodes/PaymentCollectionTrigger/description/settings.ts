import type { IPollFunctions } from 'n8n-workflow';
import { includeSensitiveDataField } from '../../shared/fields/includeSensitiveDataField';
import { propertiesOf } from '../../shared/fields/field';
import { FieldValues } from '../../shared/fields/readFields';
import { simplifyField } from '../../shared/fields/simplifyField';
import { refuseWholeExpressions } from '../../shared/input/wholeExpressions';
import { StatusFilter } from '../../shared/charges/statusFilter';
import type { PollSettings, StartFrom } from '../pollSettings';
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

/** What the user chose, checked. */
export interface Settings extends PollSettings {
	/** Those that are sent, by the service's names. */
	readonly filters: Readonly<Record<string, string>>;
	readonly simplify: boolean;
	readonly includeSensitiveData: boolean;
}

/** @throws {InputError} naming the field, for literals and expressions alike */
export function readSettings(context: IPollFunctions): Settings {
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
