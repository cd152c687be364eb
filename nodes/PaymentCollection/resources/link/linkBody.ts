import type { IDataObject } from 'n8n-workflow';
import { LINK_STATUSES } from '../../../../contract/enums';
import {
	MAX_CUSTOM_FIELDS,
	MAX_DISCOUNT_PERCENTAGE,
	MAX_NOTE_LENGTH,
	MAX_TITLE_LENGTH,
	MIN_DISCOUNT_PERCENTAGE,
	MIN_ITEM_QUANTITY,
	MIN_LINK_ITEMS,
	MIN_PAYMENT_EXPIRY_LIMIT,
} from '../../../../contract/limits';
import type { LinkCreate, LinkEdit } from '../../../../contract/schemas/link';
import { InputError } from '../../../shared/errors/inputError';
import {
	checkBoolean,
	checkCurrency,
	checkFutureDate,
	checkInteger,
	checkOneOf,
	checkRequiredText,
	checkText,
	checkUrl,
	isNothing,
} from '../../../shared/input/inputChecks';
import { moneyToSend } from '../../../shared/money';
import type { Item } from '../../run/item';

type Check = (value: unknown) => unknown;

/** Optional fields of POST /v1/links by their service names, named to the user as the editor names them. */
const OPTIONAL_CHECKS = {
	allow_installment_a: (value) => checkBoolean(value, 'Allow Installment A'),
	allow_installment_b: (value) => checkBoolean(value, 'Allow Installment B'),
	allow_service_fee: (value) => checkBoolean(value, 'Allow Service Fee'),
	allow_tip: (value) => checkBoolean(value, 'Allow Tip'),
	custom_fields: checkCustomFields,
	discount_percentage: (value) =>
		checkInteger(value, 'Discount Percentage', MIN_DISCOUNT_PERCENTAGE, MAX_DISCOUNT_PERCENTAGE),
	failure_url: (value) => checkUrl(value, 'Failure URL'),
	note: (value) => checkText(value, 'Note', MAX_NOTE_LENGTH),
	shipping_address_required: (value) => checkBoolean(value, 'Shipping Address Required'),
	success_url: (value) => checkUrl(value, 'Success URL'),
	title: checkTitle,
} as const satisfies Partial<Record<keyof LinkCreate, Check>>;

/**
 * The body of POST /v1/links: every field checked and nothing that the user left empty.
 *
 * @param item its body is what n8n gathered from the fields
 * @throws {InputError} naming field, limit and the value's size
 */
export function linkCreateBody({ body, parameter, context }: Item): IDataObject {
	const currency = checkCurrency(body.currency, 'Currency');
	const optional: IDataObject = {};
	for (const [name, check] of Object.entries<Check>(OPTIONAL_CHECKS)) {
		if (isSet(body[name])) optional[name] = check(body[name]) as IDataObject[string];
	}
	return {
		currency,
		items: checkItems(body.items, currency),
		...optional,
		...expiryRule(parameter, context.getTimezone()),
	};
}

/**
 * The body of PATCH /v1/links/{id}/edit.
 *
 * @throws {InputError} also when there is nothing to change
 */
export function linkEditBody({ body }: Item): IDataObject {
	const { title, status } = body satisfies { [field in keyof LinkEdit]?: unknown };
	if (isMissing(title) && isMissing(status)) {
		throw new InputError(
			'There is nothing to update: Update Fields is empty',
			'Add a title or a status under Update Fields.',
		);
	}
	return {
		...(isMissing(title) ? {} : { title: checkTitle(title) }),
		...(isMissing(status) ? {} : { status: checkOneOf(status, 'Status', LINK_STATUSES) }),
	};
}

/** The editor leaves an empty list behind when the last entry was removed. */
const isSet = (value: unknown): boolean =>
	!isNothing(value) && !(Array.isArray(value) && value.length === 0);

/** An empty title is a title, one that its expression did not find is none. */
const isMissing = (value: unknown): boolean => value === undefined || value === null;

function checkTitle(value: unknown): string {
	return checkText(value, 'Title', MAX_TITLE_LENGTH);
}

/** Entries of a fixed collection; n8n gives a single one as an object. */
const entriesOf = (value: unknown): IDataObject[] =>
	isNothing(value) ? [] : ((Array.isArray(value) ? value : [value]) as IDataObject[]);

function checkItems(value: unknown, currency: string): IDataObject[] {
	const items = entriesOf(value);
	if (items.length < MIN_LINK_ITEMS) {
		throw new InputError(`Items has ${items.length} entries: at least ${MIN_LINK_ITEMS} is needed`);
	}
	return items.map(({ name, amount, quantity }, index) => {
		const place = `Items → Item ${index + 1} →`;
		return {
			name: checkRequiredText(name, `${place} Name`),
			amount: moneyToSend(amount, `${place} Amount`, { currency }),
			quantity: checkInteger(quantity, `${place} Quantity`, MIN_ITEM_QUANTITY),
		};
	});
}

function checkCustomFields(value: unknown): IDataObject[] {
	const fields = entriesOf(value);
	if (fields.length > MAX_CUSTOM_FIELDS) {
		throw new InputError(
			`Custom Fields has ${fields.length} entries: the limit is ${MAX_CUSTOM_FIELDS}`,
		);
	}
	return fields.map(({ name }, index) => ({
		name: checkRequiredText(name, `Custom Fields → Field ${index + 1} → Name`),
	}));
}

/** Rule 1 of POST /v1/links: only one of payment_expiry_limit and expiry_date. */
function expiryRule(parameter: Item['parameter'], timeZone: string): IDataObject {
	const expiry = checkOneOf(parameter('expiry', 'never'), 'Expiry', [
		'never',
		'afterPayments',
		'onDate',
	]);
	if (expiry === 'afterPayments') {
		const limit = parameter('paymentExpiryLimit');
		return {
			payment_expiry_limit: checkInteger(limit, 'Payment Expiry Limit', MIN_PAYMENT_EXPIRY_LIMIT),
		};
	}
	return expiry === 'onDate'
		? { expiry_date: checkFutureDate(parameter('expiryDate'), 'Expiry Date', timeZone) }
		: {};
}
