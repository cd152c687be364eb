import { type IDataObject, type INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { toNodeError, type ItemPlace } from '../../shared/errors/reportedError';
import { includeSensitiveDataField } from '../../shared/fields/kinds';
import { toItems, type ItemOptions } from '../../shared/records/recordItem';
import { isTool, type ItemContext } from '../../shared/n8nFeatures';
import { shownText } from '../../shared/redaction/redactText';
import { CredentialError, apiKeyRemover } from '../../shared/service/credential';
import { withNot } from '../writes/outcome';
import { sentWrites } from '../writes/sentWrites';
import { writeIdOf } from './item';
import type { Item, OperationDefinition } from '../operation';
import { runMemoryOf } from './runMemory';

/** Runs an operation for an item. @returns n8n items: without secrets, and linked to the input item that they came from */
export async function outputOf(
	item: Item,
	definition: OperationDefinition,
): Promise<INodeExecutionData[]> {
	const { context, index } = item;
	const records = await definition.run(item, definition);
	// Noted before anything else is done with the records, so that no later fault can hide it.
	if (definition.write)
		runMemoryOf(context).effects.addDone(index, records, definition.write.describeEffect);
	const isMade = definition.givesItems === true;
	const jsons = isMade
		? records
		: warnedOfRounding(item, toItems(records, itemOptions(item, definition)));
	// One for all of them, as n8n's own nodes have it: it is stored once then.
	const pairedItem = { item: index };
	return jsons.map((json) => ({ json, pairedItem }));
}

/** What is to leave of the records. Nothing is read where nothing can be chosen. */
export function itemOptions(item: Item, { output }: OperationDefinition): ItemOptions {
	const { apiKey } = item.transport;
	if (output.kept === undefined) return { apiKey };
	try {
		const values = item.values();
		const includeSensitiveData = values.of(includeSensitiveDataField) ?? false;
		return { apiKey, includeSensitiveData, fields: output.kept(values) };
	} catch {
		// Only where an earlier attempt has written: its result leaves whole, whatever can't be read anymore.
		return { apiKey };
	}
}

/** Warns of a number that JSON may have rounded. @returns the same items */
export function warnedOfRounding(item: Item, jsons: IDataObject[]): IDataObject[] {
	const name = roundedIn(jsons);
	if (name !== undefined) item.warnOnce(`${shownText(name, item.transport.apiKey)} ${ROUNDED}`);
	return jsons;
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

/** An item's error as n8n shows it: without the API key, and with what was sent, or left in doubt by an earlier attempt. */
export async function itemError(
	thrown: unknown,
	context: ItemContext,
	{ endpoint, write }: OperationDefinition,
	place: ItemPlace,
): Promise<Error> {
	const { index } = place;
	const node = context.getNode();
	// Of its credential, people need not read what was not done.
	const saysNot =
		isTool(node) || (write?.movesMoney === true && !(thrown instanceof CredentialError));
	const isSent = (): boolean =>
		sentWrites.recall(writeIdOf(context, index, endpoint)) !== undefined;
	const error = write && saysNot && !isSent() ? withNot(thrown, write.not) : thrown;
	const clean = await apiKeyRemover(context, index);
	const { effects } = runMemoryOf(context);
	return toNodeError(effects.errorWithDoubt(index, error, clean), node, place, clean);
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
