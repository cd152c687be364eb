import { type IDataObject, type INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { toNodeError, type ItemPlace } from '../../shared/errors/reportedError';
import { includeSensitiveDataField } from '../../shared/fields/kinds';
import { toItems as asTheyCome, type ItemOptions } from '../../shared/records/recordItem';
import type { ItemContext } from '../../shared/n8nFeatures';
import { shownText } from '../../shared/redaction/redactText';
import { apiKeyRemover } from '../../shared/service/credential';
import type { Item, OperationDefinition } from './item';
import { runMemoryOf } from './runMemory';

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
	item: Item,
	definition: OperationDefinition,
): (records: readonly IDataObject[]) => IDataObject[] {
	const { apiKey } = item.transport;
	const { toItems = asTheyCome } = definition;
	const options = { ...chosenOutput(item, definition), apiKey };
	return (records) => {
		const jsons = toItems(records, options);
		const name = roundedIn(jsons);
		if (name !== undefined) item.warnOnce(`${shownText(name, apiKey)} ${ROUNDED}`);
		return jsons;
	};
}

/** What is to leave of the records. Nothing is read where nothing can be chosen. */
function chosenOutput(
	item: Item,
	{ output }: OperationDefinition,
): Pick<ItemOptions, 'fields' | 'includeSensitiveData'> {
	if (output === undefined) return {};
	try {
		const values = item.values();
		const includeSensitiveData = values.of(includeSensitiveDataField) ?? false;
		return { includeSensitiveData, fields: output.kept(values) };
	} catch {
		// Only where an earlier try has written: its result leaves whole, whatever can't be read any more.
		return {};
	}
}

const ROUNDED =
	'contains a whole number above 9007199254740991: n8n’s JSON has rounded it, and its last digits are not those of the service';

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

/** An item's error as n8n shows it: without the API key, and with what an earlier try left in doubt. */
export async function shownError(
	error: unknown,
	context: ItemContext,
	place: ItemPlace,
): Promise<Error> {
	const clean = await apiKeyRemover(context, place.index);
	const { effects } = runMemoryOf(context);
	return toNodeError(effects.addFailed(place.index, error, clean), context.getNode(), place, clean);
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
