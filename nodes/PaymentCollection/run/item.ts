import type { IDataObject } from 'n8n-workflow';
import { itemText } from '../../shared/errors/reportedError';
import type { AnyField } from '../../shared/fields/field';
import type { Endpoint } from '../../shared/service/request';
import type { RequestSettings } from '../../shared/service/requestOptions';
import { FieldValues } from '../../shared/fields/readFields';
import { isTool, warnUser, toolArguments, type ItemContext } from '../../shared/n8nFeatures';
import { openTransport, type Transport } from '../../shared/service/transport';
import { hashOf, onePer } from '../../shared/values';
import type { WriteId } from '../writes/sentWrites';
import { runMemoryOf, type RunMemory } from './runMemory';
import type { RecordOutput } from './simplifiedOutput';

export interface Item {
	readonly context: ItemContext;
	readonly index: number;
	readonly endpoint: Endpoint;
	readonly transport: Transport;
	readonly run: RunMemory;
	/** Whether a model calls the node. */
	readonly isTool: boolean;
	/**
	 * The values of the operation's fields for this item, read and checked at the first call.
	 * @throws {InputError} naming field, limit and the value's size
	 */
	readonly values: () => FieldValues;
	/** Shows the user something next to the result. */
	readonly warn: (message: string) => void;
	/** Like `warn`, but each text only once, for the first item that it concerns. */
	readonly warnOnce: (message: string) => void;
	/**
	 * Identifies the operation's write of this item over all attempts of Retry On Fail, whatever each would send. With what is
	 * sent, also over executions that share an ID.
	 */
	readonly writeId: (sent?: unknown) => WriteId;
}

/** What an operation does for one item: records of the service, secrets not yet removed; or what leaves the node. */
export type RunOperation = (item: Item, definition: OperationDefinition) => Promise<IDataObject[]>;

interface WriteDefinition {
	/** One item's result in words, for the error of another item; undefined when nothing was changed. */
	readonly describeEffect: (result: IDataObject) => string | undefined;
	/** Added to the message of an error before which nothing was sent: a model may read nothing but the message. */
	readonly not: string;
	/** Shown where an agent's model calls it: what to set yourself, and what to let the model set. */
	readonly toolNotice: string;
	/** A refund: items are done one by one, and people read `not`, too. */
	readonly movesMoney?: boolean;
}

/**
 * One operation, said once: what the editor shows of it, n8n's custom operation (all items) and its routing (one call of
 * a model) are all made from this.
 */
export interface OperationDefinition {
	readonly endpoint: Endpoint;
	readonly fields: readonly AnyField[];
	/** How many requests one item allows at the same time, over all items; missing for the usual number. */
	readonly concurrency?: (values: FieldValues) => number;
	readonly name: string;
	readonly action: string;
	readonly description: string;
	readonly run: RunOperation;
	/** Whether `run` gives records as they leave the node: a list makes them so page by page. */
	readonly givesItems?: boolean;
	readonly output: RecordOutput;
	/** Missing for an operation that only reads. */
	readonly write?: WriteDefinition;
}

/** All fields of an operation. Simplify stands above Options, as in n8n's own nodes. */
export function fieldsOf({ fields, output }: OperationDefinition): readonly AnyField[] {
	const end = fields.findIndex(({ name }) => name === 'options');
	return fields.toSpliced(end < 0 ? fields.length : end, 0, ...output.fields);
}

/** A parameter's value for one item. n8n throws where the fallback is undefined. */
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

/**
 * @param stop holds back what has not left yet
 * @throws {InputError | CredentialError} before anything is sent
 */
export async function openItem(
	context: ItemContext,
	index: number,
	definition: OperationDefinition,
	stop?: AbortSignal,
): Promise<Item> {
	const { endpoint, concurrency } = definition;
	const fields = fieldsOf(definition);
	const run = runMemoryOf(context);
	const { limiter } = run;
	let read: FieldValues | undefined;
	const values = (): FieldValues => (read ??= readFields(context, index, fields));
	// Before the first wait: items that begin together must all have said how many requests they allow.
	if (concurrency !== undefined) limiter.limitConcurrency(concurrency(values()));
	const settings = itemParameter(context, index, 'requestOptions', {}) as RequestSettings;
	const sentBy = concurrency === undefined ? 'otherOperation' : 'getMany';
	const options = { itemIndex: index, limiter, settings, sentBy, stop } as const;
	const transport = await openTransport(context, options);
	return {
		context,
		index,
		endpoint,
		transport,
		run,
		isTool: isTool(context.getNode()),
		values,
		warn: (message) => warn(context, index, message),
		warnOnce: (message) => warnOnce(context, index, message),
		writeId: (sent) => writeIdOf(context, index, endpoint, sent),
	};
}

function readFields(context: ItemContext, index: number, fields: readonly AnyField[]): FieldValues {
	const parameter = (name: string, fallback: unknown): unknown =>
		itemParameter(context, index, name, fallback);
	const values = new FieldValues(fields, parameter, context.getNode(), context.getTimezone());
	for (const field of values.leftOut) {
		warnOnce(context, index, `'${field}' was not sent because it is empty`);
	}
	return values;
}

/** By context: another attempt of Retry On Fail shows its own. */
const warningsOf = onePer(() => new Set<string>());

function warnOnce(context: ItemContext, index: number, text: string): void {
	const warnings = warningsOf(context);
	if (!warnings.has(text)) warn(context, index, text);
	warnings.add(text);
}

const warn = (context: ItemContext, index: number, text: string): void =>
	warnUser(context, text, (total) => itemText({ index, total }));

/** See {@link Item.writeId}. */
export function writeIdOf(
	context: ItemContext,
	index: number,
	{ method, path }: Endpoint,
	sent?: unknown,
): WriteId {
	const run = runMemoryOf(context);
	const executionId = context.getExecutionId();
	const isOneRun = toolArguments(context) !== undefined || !executionId;
	// n8n's own run index of the node is another for each time that a loop runs it.
	const execution: unknown[] = isOneRun
		? ['run', run.id]
		: ['execution', executionId, context.getWorkflowDataProxy(index)['$runIndex']];
	return {
		step: JSON.stringify([...execution, context.getNode().id, index, method, path]),
		run,
		values: hashOf([sent]),
	};
}
