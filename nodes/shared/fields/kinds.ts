// The kinds of fields: the editor's settings and the check of a value, so that a limit is stated once for both. The editor's
// limits only help the user, since expressions and agents bypass them. Two fields of both nodes are at the end.

import { jsonParse, type IDataObject, type INodePropertyOptions } from 'n8n-workflow';
import { CURRENCIES } from '../../../contract/currencies.generated';
import { MAX_INTEGER } from '../../../contract/constants';
import { InputError, notOfKind } from '../errors/reportedError';
import { isRecord, trimmed } from '../values';
import {
	checkBoolean,
	checkCurrency,
	checkFilter,
	checkInteger,
	checkOneOf,
	checkRequiredText,
	checkText,
	checkUuid,
	isNothing,
	type Check,
	type CheckContext,
} from '../input/inputChecks';
import { inPath, inTool, propertiesOf, within, type Field, type Sent } from './field';

export const text = (maxLength: number) => ({
	type: 'string' as const,
	check: (value: unknown, label: string) => checkText(value, label, maxLength),
});

export const textThat = <Value>(check: Check<Value>) => ({ type: 'string' as const, check });

export const requiredText = textThat(checkRequiredText);

export const filterText = { ...textThat(checkFilter), default: '' };

export const trueOrFalse = { type: 'boolean', check: checkBoolean } as const;

export const wholeNumber = (least: number, most = MAX_INTEGER) => ({
	type: 'number' as const,
	typeOptions: { minValue: least, maxValue: most, numberPrecision: 0 },
	check: (value: unknown, label: string) => checkInteger(value, label, least, most),
});

/** @param options in alphabetical order, as n8n shows them */
export const oneOf = <const Value extends string>(
	options: ReadonlyArray<INodePropertyOptions & { readonly value: Value }>,
) => ({
	type: 'options' as const,
	options: [...options],
	check: (value: unknown, label: string) => {
		const allowed = options.map((option) => option.value);
		return checkOneOf(value, label, allowed);
	},
});

export const currencyKind = {
	type: 'options',
	options: CURRENCIES.map(({ code, name }) => ({ name: `${code} - ${name}`, value: code })),
	default: '',
	description: 'ISO 4217 code of the currency. An expression can return any three-letter code.',
	check: checkCurrency,
} as const;

const EXAMPLE_ID = 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b';

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

/** Chooses a charge or a customer from a list or by its ID. @param use its purpose, as a sentence */
const locator =
	(displayName: 'Charge' | 'Customer', searchListMethod: string, howToSearch: string) =>
	(use: string, check: Check<string>, sent: Sent): Field<string> => ({
		displayName,
		name: `${displayName.toLowerCase()}Id`,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${displayName.toLowerCase()}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: EXAMPLE_ID },
		],
		description: `${use} ${howToSearch}`,
		check,
		sent,
	});

export const chargeLocator = locator(
	'Charge',
	'searchCharges',
	'Search the list, for example by the payer’s name.',
);

export const customerLocator = locator(
	'Customer',
	'searchCustomers',
	'Type in the list to search by name or email address.',
);

interface ListKind {
	readonly displayName: string;
	readonly name: string;
	readonly fields: readonly Field[];
	readonly least?: number;
	readonly most?: number;
}

export function listOf(kind: ListKind) {
	const { displayName, name, fields, least = 0, most = Infinity } = kind;
	return {
		type: 'fixedCollection' as const,
		typeOptions: {
			multipleValues: true,
			sortable: true,
			...(least > 0 ? { minRequiredFields: least } : {}),
			...(most < Infinity ? { maxAllowedFields: most } : {}),
		},
		options: [{ displayName, name, values: propertiesOf(fields) }],
		check: ((value, label, context) => {
			const list: unknown = isRecord(value) ? value[name] : undefined;
			// n8n gives a single entry as an object, and an agent's tool may give anything.
			const entries = Array.isArray(list) ? list : isNothing(list) ? [] : [list];
			const advice = `Nothing was sent. Add at least one entry. n8n doesn’t pass on a single expression for the whole of ${label}: for that, enter it as JSON.`;
			const isBlank = (entry: unknown): boolean =>
				isRecord(entry) && fields.every((one) => entry[one.name] === one.default);
			// n8n drops an expression for the whole field. One for its list of entries becomes a blank entry for each character.
			const isLost = list === undefined || (entries.length > 1 && entries.every(isBlank));
			const needed = isLost ? { ...kind, least: 1 } : kind;
			return checkEntries(isLost ? [] : entries, needed, { label, context, advice });
		}) satisfies Check<IDataObject[]>,
	};
}

/** The same list as an array or JSON text, as a workflow or a model has it. @param example of the JSON */
export const listAsJson = (kind: ListKind, example: string) => ({
	// A field of type json has no placeholder, and shows an error while it is empty.
	type: 'string' as const,
	typeOptions: { rows: 4 },
	default: '',
	placeholder: `e.g. ${example}`,
	check: ((value, label, context) => {
		const list: unknown =
			typeof value === 'string' ? jsonParse(trimmed(value), { fallbackValue: null }) : value;
		const advice = `Enter a list such as ${example}, or an expression that returns one. Nothing was sent.`;
		// XML nodes return a list of one as an object.
		const entries = isRecord(list) ? [list] : list;
		if (Array.isArray(entries)) return checkEntries(entries, kind, { label, context, advice });
		throw notOfKind(value, label, 'be a JSON list', advice);
	}) satisfies Check<IDataObject[]>,
});

function checkEntries(
	entries: readonly unknown[],
	{ displayName, fields, least = 0, most = Infinity }: ListKind,
	{ label, context, advice }: { label: string; context: CheckContext; advice: string },
): IDataObject[] {
	const { length } = entries;
	if (length > most) throw new InputError(`${label} has ${length} entries: the limit is ${most}`);
	if (length < least) {
		throw new InputError(`${label} has ${length} entries: at least ${least} is required`, advice);
	}
	return entries.map((entry, index) => {
		const place = within(label, `${displayName} ${index + 1}`);
		const names = fields.map(({ name }) => name);
		// If there is only one field, an entry can be its bare value.
		const [first = '', ...others] = names;
		const isBare = others.length === 0 && !isRecord(entry);
		const given: unknown = isBare ? { [first]: entry } : entry;
		if (!isRecord(given) || names.every((name) => !(name in given))) {
			throw notOfKind(entry, place, `have ${names.join(', ')}`, advice);
		}
		return Object.fromEntries(
			fields.map(({ name, displayName: title, check }) => [
				name,
				check(given[name], within(place, title), context),
			]),
		) as IDataObject;
	});
}

export const simplifyField = {
	displayName: 'Simplify',
	name: 'simplify',
	...trueOrFalse,
	default: true,
	// A tool has Output instead, as n8n requires.
	displayOptions: { show: inTool(false) },
	description: 'Whether to return a simplified version of the response instead of the raw data',
} as const satisfies Field<boolean>;

export const includeSensitiveDataField = {
	displayName: 'Include Sensitive Data',
	name: 'includeSensitiveData',
	...trueOrFalse,
	default: false,
	displayOptions: { show: inTool(false) },
	hint: 'Anyone who can view the executions of the workflow can see this data',
	description:
		'Whether to include card data and payment tokens in the output, which n8n stores with the execution. Security codes are always removed.',
} as const satisfies Field<boolean>;
