import { itemText } from '../../shared/errors/reportedError';
import type { AnyField } from '../../shared/fields/field';
import type { Endpoint } from '../../shared/service/request';
import type { RequestSettings } from '../../shared/service/requestOptions';
import { FieldValues } from '../../shared/fields/readFields';
import { isTool, warnUser, toolArguments, type ItemContext } from '../../shared/n8nAdapter';
import { openTransport } from '../../shared/service/transport';
import { hashOf, onePer } from '../../shared/values';
import { includeSensitiveDataField } from '../../shared/fields/kinds';
import { toItems, type ItemOptions } from '../../shared/records/recordItem';
import { shownText } from '../../shared/redaction/redactText';
import {
	fieldsOf,
	type AnyItem,
	type OperationDefinition,
	type RecordOutput,
	type WriteId,
} from '../operation';
import { runMemoryOf } from './runMemory';

/** The context of a routing is already that of one item. @param fallback not undefined: n8n would throw */
export function itemParameter(
	context: ItemContext,
	index: number,
	name: string,
	fallback: unknown,
): unknown {
	return 'getItemIndex' in context
		? context.getNodeParameter(name, fallback)
		: context.getNodeParameter(name, index, fallback);
}

/** @param stop keeps requests from being sent @throws {InputError | CredentialError} before anything is sent */
export async function openItem(
	context: ItemContext,
	index: number,
	definition: OperationDefinition,
	stop?: AbortSignal,
): Promise<AnyItem> {
	const { endpoint, action, concurrency, output } = definition;
	const fields = fieldsOf(definition);
	const { limiter, effects } = runMemoryOf(context);
	let read: FieldValues | undefined;
	const values = (): FieldValues => (read ??= readFields(context, index, fields));
	// Before the first await: items that begin together must all have stated how many requests they allow.
	limiter.limitConcurrency(concurrency?.(values()));
	const settings = itemParameter(context, index, 'requestOptions', {}) as RequestSettings;
	const sentBy = concurrency === undefined ? 'otherOperation' : 'getMany';
	const options = { itemIndex: index, limiter, settings, sentBy, stop } as const;
	const transport = await openTransport<Endpoint>(context, options);
	const { apiKey } = transport;
	const onRounded = (field: string): void =>
		warnOnce(context, index, `${shownText(field, apiKey)} ${ROUNDED}`);
	const itemOptions = (): ItemOptions => ({ apiKey, onRounded, ...chosenIn(output, values) });
	return {
		context,
		index,
		endpoint,
		action,
		transport,
		isTool: isTool(context.getNode()),
		values,
		itemOptions,
		toItems: (records) => toItems(records, itemOptions()),
		noteDone: (effect) => effects.noteDone(index, effect),
		warn: (message) => warn(context, index, message),
		warnOnce: (message) => warnOnce(context, index, message),
		writeId: (content) => writeIdOf(context, index, endpoint, content),
	};
}

const ROUNDED =
	'contains a whole number above 9007199254740991: n8n’s JSON has rounded it, and its last digits are not those of the service';

function chosenIn({ kept }: RecordOutput, values: () => FieldValues): Partial<ItemOptions> {
	if (kept === undefined) return {};
	try {
		const read = values();
		const includeSensitiveData = read.of(includeSensitiveDataField) ?? false;
		return { includeSensitiveData, fields: kept(read) };
	} catch {
		// Happens only if a value has become unreadable since an earlier attempt wrote: its result is then returned whole.
		return {};
	}
}

function readFields(context: ItemContext, index: number, fields: readonly AnyField[]): FieldValues {
	const parameter = (name: string, fallback: unknown): unknown =>
		itemParameter(context, index, name, fallback);
	const values = new FieldValues(fields, parameter, context.getNode(), context.getTimezone());
	for (const label of values.leftOut) {
		warnOnce(context, index, `'${label}' was not sent because it is empty`);
	}
	return values;
}

/** Per context, so that every attempt of Retry On Fail shows its own. */
const warningsOf = onePer(() => new Set<string>());

function warnOnce(context: ItemContext, index: number, text: string): void {
	const warnings = warningsOf(context);
	if (!warnings.has(text)) warn(context, index, text);
	warnings.add(text);
}

const warn = (context: ItemContext, index: number, text: string): void =>
	warnUser(context, text, (total) => itemText({ index, total }));

export function writeIdOf(
	context: ItemContext,
	index: number,
	{ method, path }: Endpoint,
	content?: unknown,
): WriteId {
	const run = runMemoryOf(context);
	const executionId = context.getExecutionId();
	const hasNoOwnId = toolArguments(context) !== undefined || !executionId;
	// n8n's run index of the node differs in each iteration of a loop.
	const execution: unknown[] = hasNoOwnId
		? ['run', run.id]
		: ['execution', executionId, context.getWorkflowDataProxy(index)['$runIndex']];
	return {
		step: JSON.stringify([...execution, context.getNode().id, index, method, path]),
		run,
		hash: hashOf([content]),
	};
}
