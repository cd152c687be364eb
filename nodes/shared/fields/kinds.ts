import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CURRENCIES } from '../../../contract/currencies.generated';
import { MAX_INTEGER } from '../../../contract/constants';
import { InputError } from '../errors/reportedError';
import {
	checkBoolean,
	checkCurrency,
	checkInteger,
	checkOneOf,
	checkRequiredText,
	checkText,
	checkUuid,
	isNothing,
} from '../input/inputChecks';
import { inPath, type Check, type Field } from './field';

/**
 * The kinds of fields: how the editor takes a value and how it is checked, so that a limit is said once for both. What
 * the editor refuses is only a help, since expressions and agents pass it by; the check is what holds. At the end, two
 * fields that many operations have.
 */

/** @param maxLength characters at most */
export const text = (maxLength?: number) => ({
	type: 'string' as const,
	check: (value: unknown, field: string) => checkText(value, field, maxLength),
});

export const requiredText = {
	type: 'string',
	check: (value: unknown, field: string) => checkRequiredText(value, field),
} as const;

/** A text with a check of its own. */
export const textThat = <Value>(check: Check<Value>) => ({ type: 'string' as const, check });

export const trueOrFalse = {
	type: 'boolean',
	check: (value: unknown, field: string) => checkBoolean(value, field),
} as const;

export const wholeNumber = (least: number, most = MAX_INTEGER) => ({
	type: 'number' as const,
	typeOptions: { minValue: least, maxValue: most, numberPrecision: 0 },
	check: (value: unknown, field: string) => checkInteger(value, field, least, most),
});

/** @param options in alphabetical order, as n8n shows them */
export const oneOf = <const Value extends string>(
	options: ReadonlyArray<INodePropertyOptions & { readonly value: Value }>,
) => ({
	type: 'options' as const,
	options: [...options],
	check: (value: unknown, field: string) =>
		checkOneOf(
			value,
			field,
			options.map((option) => option.value),
		),
});

/** Active ISO 4217 codes with names, for a list that the editor lets the user search. An expression may give any code. */
export const currencyKind = {
	type: 'options',
	options: CURRENCIES.map(({ code, name }) => ({ name: `${code} - ${name}`, value: code })),
	default: '',
	description: 'ISO 4217 code of the currency. An expression may give any three letters.',
	check: (value: unknown, field: string) => checkCurrency(value, field),
} as const;

const EXAMPLE_ID = 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b';

/** The ID of the record that an operation is about. */
export const idField = (
	displayName: string,
	name: string,
	description: string,
	check: Check<string> = checkUuid,
): Field<string> => ({
	displayName,
	name,
	...textThat(check),
	default: '',
	required: true,
	placeholder: EXAMPLE_ID,
	description,
	sent: inPath,
});

/**
 * One record chosen from the account's own, or by its ID.
 *
 * @param what the record in a sentence: "customer"
 * @param searchListMethod of the node that uses it
 */
export const locator = (
	what: string,
	searchListMethod: string,
	check: Check<string>,
): Pick<Field<string>, 'type' | 'default' | 'modes' | 'check'> => ({
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: `Select a ${what}…`,
			typeOptions: { searchListMethod, searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: EXAMPLE_ID,
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
						errorMessage: `A ${what} ID is a UUID`,
					},
				},
			],
		},
	],
	check,
});

/**
 * A list of entries that have fields of their own.
 *
 * @param least entries needed
 * @param most entries allowed
 */
export function listOf(
	entry: { readonly displayName: string; readonly name: string; readonly fields: readonly Field[] },
	{ least = 0, most = Infinity }: { least?: number; most?: number },
) {
	const { displayName, name: part, fields } = entry;
	const values: INodeProperties[] = fields.map(({ check, label, ...shown }) => shown);
	return {
		type: 'fixedCollection' as const,
		typeOptions: {
			multipleValues: true,
			sortable: true,
			...(least > 0 ? { minRequiredFields: least } : {}),
			...(most < Infinity ? { maxAllowedFields: most } : {}),
		},
		options: [{ displayName, name: part, values }],
		part,
		check: ((value, field, context) => {
			const entries = entriesOf(value, part);
			const { length } = entries;
			if (length < least || length > most) {
				const limit = length < least ? `at least ${least} is needed` : `the limit is ${most}`;
				throw new InputError(`${field} has ${length} entries: ${limit}`);
			}
			return entries.map((given, index) => {
				const place = `${field} → ${displayName} ${index + 1} →`;
				return Object.fromEntries(
					fields.map(({ name, displayName: title, check }) => [
						name,
						check(given[name], `${place} ${title}`, context),
					]),
				) as IDataObject;
			});
		}) satisfies Check<IDataObject[]>,
	};
}

/** n8n gives a single entry as an object, and an agent's tool may give anything. */
function entriesOf(value: unknown, part: string): IDataObject[] {
	const list: unknown = asObject(value)[part];
	if (isNothing(list)) return [];
	return Array.isArray(list) ? list.map(asObject) : [asObject(list)];
}

const asObject = (value: unknown): IDataObject =>
	typeof value === 'object' && value !== null ? (value as IDataObject) : {};

/** Whether whole records leave a node, or the fields that matter most. */
export const simplifyField = {
	displayName: 'Simplify',
	name: 'simplify',
	...trueOrFalse,
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
} as const satisfies Field<boolean>;

/** docs/service.md, Charges: card data and tokens are sensitive. */
export const includeSensitiveDataField = {
	displayName: 'Include Sensitive Data',
	name: 'includeSensitiveData',
	...trueOrFalse,
	default: false,
	hint: 'Whoever may see the executions of the workflow sees them too',
	description:
		'Whether to keep card data and payment tokens in the output, where n8n stores them with the execution. Security codes are always removed.',
} as const satisfies Field<boolean>;
