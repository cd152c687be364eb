import { type IDataObject, type INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { includeSensitiveDataField, simplifyField } from '../../shared/fields/kinds';
import { redactRecords } from '../../shared/redaction/redactRecord';
import type { Item } from './item';
import type { OperationDefinition } from './operation';

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
	{ toItems }: OperationDefinition,
): (records: readonly IDataObject[]) => IDataObject[] {
	// Only what reads has options of its output. A write's values must not be read here: its result may be an earlier try's.
	if (toItems === undefined) {
		return (records) => redactRecords(records, { apiKey, includeSensitiveData: false });
	}
	const options = {
		apiKey,
		includeSensitiveData: values().of(includeSensitiveDataField) ?? false,
		simplify: values().orDefault(simplifyField),
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
