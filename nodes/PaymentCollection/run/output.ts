import { type IDataObject, type INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { InputError, quoted } from '../../shared/errors/reportedError';
import { includeSensitiveDataField, simplifyField, oneOf } from '../../shared/fields/kinds';
import { isCollection, type AnyField, type Field } from '../../shared/fields/field';
import type { FieldValues } from '../../shared/fields/readFields';
import { checkOneOf } from '../../shared/input/inputChecks';
import type { ItemOptions } from '../../shared/records/recordItem';
import { redactRecords } from '../../shared/redaction/redactRecord';
import type { Item } from './item';
import type { OperationDefinition } from './operation';

const OUTPUT = 'output';
const SELECTED = 'outputFields';

/** Where the node is an agent's tool, n8n's guidelines want a finer choice than Simplify: a model drowns in fields. */
const outputField = {
	displayName: 'Output',
	name: OUTPUT,
	...oneOf([
		{ name: 'Raw', value: 'raw', description: 'Everything that the service gives' },
		{
			name: 'Selected Fields',
			value: 'selectedFields',
			description: 'The ID and the fields that you choose',
		},
		{ name: 'Simplified', value: 'simplified', description: 'The fields that matter most' },
	]),
	default: 'simplified',
	displayOptions: { show: { '@tool': [true] }, hide: { [simplifyField.name]: [false] } },
	description: 'How much of a record the model gets to read',
} as const satisfies Field<'raw' | 'selectedFields' | 'simplified'>;

/** A tool that was saved with Simplify off, before there was Output, goes on so: it shows the switch until it is turned on. */
const savedSimplifyFields: ReadonlyArray<Field<boolean>> = [
	// n8n drops what no field of its name shows, and the switch waits for the value: this one holds it.
	{ ...simplifyField, type: 'hidden', displayOptions: { show: { '@tool': [true] } } },
	{
		...simplifyField,
		// From the root: n8n would take the plain name for a field that waits for itself.
		displayOptions: { show: { '@tool': [true], [`/${simplifyField.name}`]: [false] } },
	},
];

/** What of a record leaves the node: Simplify, and in an agent's tool Output. @param names of the record's fields, the ID first */
export function outputFields(names: readonly string[]): readonly Field[] {
	const [, ...others] = names;
	return [
		{ ...simplifyField, displayOptions: { show: { '@tool': [false] } } },
		...savedSimplifyFields,
		outputField,
		{
			displayName: 'Fields',
			name: SELECTED,
			type: 'multiOptions',
			options: others.map((name) => ({ name, value: name })),
			default: [],
			displayOptions: { show: { '@tool': [true], [OUTPUT]: ['selectedFields'] } },
			description: 'What the model gets to read of a record beside its ID',
			check: (value: unknown, field: string) => {
				if (!Array.isArray(value)) {
					throw new InputError(
						`${field} is ${quoted(value)}: it must be a list of names of fields`,
					);
				}
				return value.map((name) => checkOneOf(name, field, names));
			},
		},
	];
}

/** What the user chose. Outside of a tool n8n drops Output, and Simplify decides. */
function chosenOutput(
	fields: readonly AnyField[],
	values: FieldValues,
): Pick<ItemOptions, 'simplify' | 'selected'> {
	const valueOf = (name: string): unknown => {
		const field = fields.find((one): one is Field => !isCollection(one) && one.name === name);
		return field === undefined ? undefined : values.of(field);
	};
	const output = valueOf(OUTPUT) ?? outputField.default;
	if (output === 'selectedFields')
		return { simplify: false, selected: valueOf(SELECTED) as string[] };
	return { simplify: output === 'simplified' && valueOf(simplifyField.name) !== false };
}

/** Records as n8n items: without secrets, and linked to the input item that they came from. */
export function toOutput(
	item: Item,
	records: readonly IDataObject[],
	definition: OperationDefinition,
): INodeExecutionData[] {
	const jsons = definition.givesItems === true ? records : jsonsOf(item, definition)(records);
	// One for all of them, as n8n's own nodes have it: it is stored once then.
	const pairedItem = { item: item.index };
	return jsons.map((json) => ({ json, pairedItem }));
}

/** How records leave the node. */
export function jsonsOf(
	{ transport: { apiKey }, values }: Item,
	{ fields, toItems }: OperationDefinition,
): (records: readonly IDataObject[]) => IDataObject[] {
	// Only what reads has options of its output. A write's values must not be read here: its result may be an earlier try's.
	if (toItems === undefined) {
		return (records) => redactRecords(records, { apiKey, includeSensitiveData: false });
	}
	const options = {
		apiKey,
		includeSensitiveData: values().of(includeSensitiveDataField) ?? false,
		...chosenOutput(fields, values()),
	};
	return (records) => toItems(records, options);
}

/** A failed item under On Error: Continue. The only keys are those by which n8n knows one (n8nFeatures.ts). */
export function toErrorOutput(error: Error, index: number): INodeExecutionData {
	const { message } = error;
	const description = 'description' in error ? error.description : undefined;
	return {
		json: {
			error: message,
			details: {
				itemIndex: index,
				...(typeof description === 'string' ? { description } : {}),
				...(error instanceof NodeApiError && error.httpCode !== 'none'
					? { httpCode: error.httpCode }
					: {}),
			},
		},
		pairedItem: { item: index },
	};
}
