import type { INodeProperties } from 'n8n-workflow';
import { chargeFilterFields } from '../../shared/fields/chargeFilterFields';
import { includeSensitiveDataField } from '../../shared/fields/includeSensitiveData';
import { WHOLE_NUMBERS } from './settings';

const { currency, customerId, search, type } = chargeFilterFields;

/** Unlike that of the list it takes several, since the trigger applies it itself. */
const status: INodeProperties = {
	...chargeFilterFields.status,
	placeholder: 'e.g. authorised, captured',
	description:
		'Only charges with this status, or with one of several separated by commas. A charge that gets it later, within Watch Days, is told then.',
};

/** A number whose default and limits are those that the poll checks. */
const wholeNumber = (
	name: keyof typeof WHOLE_NUMBERS,
	displayName: string,
	description: string,
): INodeProperties => {
	const { byDefault, least, most } = WHOLE_NUMBERS[name];
	const typeOptions = { minValue: least, maxValue: most, numberPrecision: 0 };
	return { displayName, name, type: 'number', typeOptions, default: byDefault, description };
};

const optionFields: INodeProperties[] = [
	includeSensitiveDataField,
	wholeNumber(
		'lookbackMinutes',
		'Lookback (Minutes)',
		'A charge may appear in the list so long after its creation time and is still found. Longer costs a larger stored state.',
	),
	wholeNumber(
		'maxChargesPerPoll',
		'Max Charges per Poll',
		'New charges that one execution gets at most. What is left follows with the next polls, oldest first. Lower it when memory is short.',
	),
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		default: '',
		displayOptions: { show: { startFrom: ['date'] } },
		description: 'Charges created from then on are emitted',
	},
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{
				name: 'Beginning',
				value: 'beginning',
				description: 'Every charge there is, over as many polls as it takes',
			},
			{ name: 'Date', value: 'date', description: 'Charges created from a date on' },
			{ name: 'Now', value: 'now', description: 'Charges that come in after activation' },
		],
		default: 'now',
		description:
			'What the very first poll takes for new. Once the trigger has run for an account, changing this has no effect.',
	},
	wholeNumber(
		'sweepPages',
		'Sweep Pages',
		'Pages of up to 100 charges that each poll reads again, beside the newest, to find refunds and changes of status. Not used for Charge Created alone.',
	),
	wholeNumber(
		'watchDays',
		'Watch Days',
		'How old a charge may be for its refunds and changes of status to be found. Not used for Charge Created alone.',
	),
];

/** Everything that the editor shows of the trigger, below the poll times that n8n adds. */
export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'Charge Created',
				value: 'charge.created',
				description: 'A charge is in the list that was not there before',
			},
			{
				name: 'Charge Refunded',
				value: 'charge.refunded',
				description: 'The refunded total of a charge of the last days has grown',
			},
			{
				name: 'Charge Status Changed',
				value: 'charge.statusChanged',
				description:
					'A charge of the last days has got a status that it did not have before. With a Status filter, only changes to one of its statuses are told.',
			},
		],
		default: ['charge.created'],
		description:
			'Each item is the charge with the name of the event and an event_id that is the same whenever the same event is told again',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [currency, customerId, search, status, type],
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: optionFields,
	},
];
