import { RECORD_FIELDS, type RecordKind } from '../../../contract/records.generated';
import type { OutputName } from '../../../contract/schemas/records';
import { inTool, type Field } from '../../shared/fields/field';
import { oneOf, simplifyField } from '../../shared/fields/kinds';
import { checkOneOf, isNothing } from '../../shared/input/inputChecks';
import { trimmed } from '../../shared/values';
import type { RecordOutput } from '../operation';

const outputField = {
	displayName: 'Output',
	name: 'output',
	// n8n's guidelines set this order.
	...oneOf([
		{ name: 'Simplified', value: 'simplified', description: 'The most useful fields' },
		{ name: 'Raw', value: 'raw', description: 'All fields' },
		{ name: 'Selected Fields', value: 'selectedFields', description: 'The ID and your choice' },
	]),
	default: 'simplified',
	displayOptions: { show: inTool(true) },
	description: 'Which fields of each record the AI model receives. Too many can confuse it.',
} as const satisfies Field<'simplified' | 'raw' | 'selectedFields'>;

const selectedField = (names: readonly string[]) =>
	({
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		options: names.toSorted().map((name) => ({ name, value: name })),
		default: [],
		displayOptions: { show: { ...inTool(true), output: ['selectedFields'] } },
		description:
			'The fields to return. The ID is always returned. An expression can return a list or comma-separated names.',
		check: (value, label) => {
			const given = typeof value === 'string' ? value.split(',').map(trimmed) : [value].flat();
			return given.filter((name) => !isNothing(name)).map((name) => checkOneOf(name, label, names));
		},
	}) satisfies Field<readonly string[]>;

/** @param name differs from `kind` for an operation that returns events of such records */
export function simplifiedOutput(kind: RecordKind, name: OutputName = kind): RecordOutput {
	const { simplified, all } = RECORD_FIELDS[kind];
	const selected = selectedField(all);
	return {
		name,
		fields: [simplifyField, outputField, selected],
		kept: (values) => {
			// Only one of the two fields is shown.
			const output = values.of(outputField);
			if (output === 'selectedFields') return [...new Set(['id', ...values.orDefault(selected)])];
			return output === 'raw' || values.of(simplifyField) === false ? undefined : simplified;
		},
	};
}
