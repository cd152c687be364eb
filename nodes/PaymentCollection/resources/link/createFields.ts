import type { IDataObject } from 'n8n-workflow';
import {
	MIN_ITEM_QUANTITY,
	MIN_LINK_ITEMS,
	MIN_PAYMENT_EXPIRY_LIMIT,
} from '../../../../contract/constants';
import type { LinkCreate } from '../../../../contract/schemas/link';
import { inBody, type Field } from '../../../shared/fields/field';
import { InputError } from '../../../shared/errors/reportedError';
import {
	currencyKind,
	listAsJson,
	listOf,
	oneOf,
	requiredText,
	textThat,
	wholeNumber,
} from '../../../shared/fields/kinds';
import { checkFutureDate } from '../../../shared/input/dates';
import { checkCurrency } from '../../../shared/input/inputChecks';
import { checkMoney } from '../../../shared/input/moneyCheck';
import { Amount } from '../../../shared/money';

export const currencyField: Field<string> = {
	...inBody<LinkCreate>('currency'),
	...currencyKind,
	required: true,
};

/** Items here are the goods of a link, not n8n's input items. */
const itemFields: ReadonlyArray<Field & { readonly name: keyof LinkCreate['items'][number] }> = [
	{
		displayName: 'Name',
		name: 'name',
		...requiredText,
		default: '',
		required: true,
		placeholder: 'e.g. Workshop ticket',
		description: 'Name of the item, as the customer sees it',
	},
	{
		displayName: 'Amount',
		name: 'amount',
		...textThat((value, label, { body }) => {
			// Decides how many decimal places are allowed.
			const currency = checkCurrency(body['currency'], "'Currency'");
			return checkMoney(value, label, { currency }).text;
		}),
		default: '',
		required: true,
		placeholder: 'e.g. 12.50',
		description: 'Price of one unit, as a decimal number such as 12.50 in the currency’s main unit',
		hint: "For one unit, not for the whole 'Quantity'",
	},
	{
		displayName: 'Quantity',
		name: 'quantity',
		...wholeNumber(MIN_ITEM_QUANTITY),
		default: MIN_ITEM_QUANTITY,
		required: true,
		description: 'How many units are sold',
	},
];

const ITEMS = { displayName: 'Item', name: 'item', fields: itemFields, least: MIN_LINK_ITEMS };

const itemsInputField = {
	displayName: 'Specify Items',
	name: 'itemsInput',
	...oneOf([
		{ name: 'Using Fields Below', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	]),
	default: 'fields',
	description:
		'How to enter the items to pay for. Use JSON to pass an order with any number of lines as one expression.',
} as const satisfies Field<'fields' | 'json'>;

const itemsField: Field<IDataObject[]> = {
	...inBody<LinkCreate>('items'),
	...listOf(ITEMS),
	displayOptions: { show: { itemsInput: ['fields'] } },
	placeholder: 'Add Item',
	// Only the first item of the editor has a default name: an item that a workflow passes without a name is refused.
	default: { item: [{ name: 'Payment', amount: '', quantity: MIN_ITEM_QUANTITY }] },
	required: true,
	description: 'Items to pay for, at least one',
};

const itemsJsonField: Field<IDataObject[]> = {
	...inBody<LinkCreate>('items'),
	displayName: 'Items (JSON)',
	label: 'Items',
	name: 'itemsJson',
	...listAsJson(ITEMS, '[{ "name": "Workshop ticket", "amount": "12.50", "quantity": 2 }]'),
	displayOptions: { show: { itemsInput: ['json'] } },
	required: true,
	description:
		'Items to pay for: a list of objects with name, amount and quantity, as JSON or as an expression such as {{ $json.lines }}. Other keys are ignored.',
};

/** Refuses a list in which every amount is 0. */
const payable = (list: Field<IDataObject[]>): Field<IDataObject[]> => ({
	...list,
	check: (value, label, context) => {
		const items = list.check(value, label, context);
		if (items.some(({ amount }) => Amount.read(amount)?.units !== 0n)) return items;
		throw new InputError(
			`${label} can’t be paid for: every amount is 0`,
			'Enter an amount above 0 for at least one item. Nothing was sent.',
		);
	},
});

export const itemsFields = [itemsInputField, payable(itemsField), payable(itemsJsonField)];

/** The service accepts only one of its two expiry rules, so the user chooses one. */
export const expiryFields: readonly Field[] = [
	{
		displayName: 'Expiry',
		name: 'expiry',
		...oneOf([
			{
				name: 'After Payments',
				value: 'afterPayments',
				description: 'The link expires after a number of payments',
			},
			{
				name: 'Never',
				value: 'never',
				description: 'Any number of payments, until the link is disabled or deleted',
			},
			{
				name: 'On Date',
				value: 'onDate',
				description: 'Any number of payments, until 11:59 PM on a given day',
			},
		]),
		default: 'never',
		description: 'When the link stops accepting payments. The service allows only one rule.',
	},
	{
		...inBody<LinkCreate>('payment_expiry_limit'),
		...wholeNumber(MIN_PAYMENT_EXPIRY_LIMIT),
		default: MIN_PAYMENT_EXPIRY_LIMIT,
		required: true,
		displayOptions: { show: { expiry: ['afterPayments'] } },
		description:
			'Number of payments after which the link expires: 1 for a link that can be paid once',
	},
	{
		...inBody<LinkCreate>('expiry_date'),
		type: 'dateTime',
		typeOptions: { dateOnly: true },
		default: '',
		// `required` would demand a date with every rule: if Expiry is an expression, n8n shows both fields.
		displayOptions: { show: { expiry: ['onDate'] } },
		description:
			'Last day on which the link can be paid. It must be after today. The time zone in which the day ends is not documented.',
		check: (value, label, { timeZone }) => checkFutureDate(value, label, timeZone),
	},
];
