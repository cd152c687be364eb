import { CHARGE_FIELDS } from '../../../../../contract/recordFields';
import { InputError } from '../../../../shared/errors/inputError';
import { clock, utcText } from '../../../../shared/clock';
import {
	eventFilters,
	eventsField,
	statusField,
	watchDaysField,
} from '../../../../shared/fields/eventFields';
import {
	optionsField,
	type AnyField,
	type CheckContext,
	type Field,
} from '../../../../shared/fields/field';
import { includeSensitiveDataField } from '../../../../shared/fields/commonFields';
import { readDate } from '../../../../shared/input/dates';
import { isNothing } from '../../../../shared/input/inputChecks';
import { presentAt, toMs, type Instant } from '../../../../shared/timestamps';
import { outputFields } from '../../../run/outputFields';

/** @throws {InputError} for what is no date, and for one in the future */
function readPast(value: unknown, field: string, context: CheckContext): Instant {
	if (isNothing(value)) throw new InputError(`${field} is empty`);
	const instant = readDate(value, field, context);
	if (instant <= presentAt(clock.now())) return instant;
	throw new InputError(
		`${field} is ${utcText(toMs(instant))}: it must not be in the future, and now is ${utcText(clock.now())}`,
	);
}

export const sinceField = {
	displayName: 'Since',
	name: 'since',
	type: 'dateTime',
	default: '',
	required: true,
	hint: 'Reads all charges, 100 at a time, since the service does not say in which order it lists them',
	description:
		'From when on events are given, that moment included. Begin some time before the last event that you have: one that comes again has the same event_id.',
	check: readPast,
} satisfies Field<Instant>;

export const pastEvents = eventsField({
	'charge.created': 'A charge was created since then',
	'charge.refunded':
		'A charge was refunded since then, wholly or in part: one for each of its refunds',
	'charge.statusChanged':
		'The status that a charge of the last days has now. With a Status filter, only that of charges in one of its statuses.',
});

export const presentStatuses = statusField('What counts is the status that a charge has now.');

export const watchedDays = watchDaysField(
	'How long before Since a charge may have been created for its refunds and its status to be given.',
);

export const fields: readonly AnyField[] = [
	sinceField,
	pastEvents,
	eventFilters(presentStatuses),
	...outputFields(CHARGE_FIELDS),
	optionsField([includeSensitiveDataField, watchedDays]),
];
