import { type IDataObject, type INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { includeSensitiveDataField, simplifyField } from '../../shared/fields/kinds';
import { redactRecords } from '../../shared/redaction/redactRecord';
import { shownText } from '../../shared/redaction/redactText';
import type { Item, OperationDefinition } from './item';

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

export function jsonsOf(
	{ transport: { apiKey }, values, warnOnce }: Item,
	{ toItems }: OperationDefinition,
): (records: readonly IDataObject[]) => IDataObject[] {
	// Only what reads has options of its output. A write's values must not be read here: its result may be an earlier try's.
	const noted = (jsons: IDataObject[]): IDataObject[] => {
		const name = roundedIn(jsons);
		if (name !== undefined) warnOnce(`${shownText(name, apiKey)} ${ROUNDED}`);
		return jsons;
	};
	if (toItems === undefined) {
		return (records) => noted(redactRecords(records, { apiKey, includeSensitiveData: false }));
	}
	const options = {
		apiKey,
		includeSensitiveData: values().of(includeSensitiveDataField) ?? false,
		simplify: values().orDefault(simplifyField),
	};
	return (records) => noted(toItems(records, options));
}

const ROUNDED =
	'holds a whole number above 9007199254740991: n8n’s JSON has rounded it, and its last digits are not those of the service';

/** The name of a field with a number that JSON may have rounded. */
function roundedIn(value: unknown, name = ''): string | undefined {
	if (Number.isInteger(value)) return Number.isSafeInteger(value) ? undefined : name;
	if (typeof value !== 'object' || value === null) return undefined;
	for (const key in value) {
		const one: unknown = Reflect.get(value, key);
		const found = roundedIn(one, Array.isArray(value) ? name : key);
		if (found !== undefined) return found;
	}
	return undefined;
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
