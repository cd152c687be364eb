import type { IDataObject } from 'n8n-workflow';
import type { OutputName } from '../../contract/schemas/records';
import { isCollection, optionsField, type AnyField, type Field } from '../shared/fields/field';
import type { FieldValues } from '../shared/fields/readFields';
import type { ItemContext } from '../shared/n8nFeatures';
import type { ItemOptions } from '../shared/records/recordItem';
import type { Endpoint } from '../shared/service/request';
import type { Transport } from '../shared/service/transport';

/** Which write of which item: the same in every attempt of Retry On Fail, another when a loop really runs the node again. */
export interface WriteId {
	/** Execution, node, run index, item index and endpoint. */
	readonly step: string;
	/** The run's memory, the same in every attempt: it proves a retry, whatever the values are now. */
	readonly run: object;
	/** A hash of what would be sent; distinguishes two writes where executions share an ID. */
	readonly values: string;
}

export interface Item {
	readonly context: ItemContext;
	readonly index: number;
	readonly endpoint: Endpoint;
	/** The operation in words: "Get many charges". */
	readonly action: string;
	readonly transport: Transport;
	/** Whether a model calls the node. */
	readonly isTool: boolean;
	/**
	 * The values of the operation's fields for this item, read and checked at the first call.
	 * @throws {InputError} naming field, limit and the value's size
	 */
	readonly values: () => FieldValues;
	/** The user's choice of what leaves the node of each record. */
	readonly output: () => ItemOptions;
	/** The service's records as they leave the node. */
	readonly toItems: (records: readonly IDataObject[]) => IDataObject[];
	/** Notes the result of the item's write, in words, for the error of another item; undefined if it changed nothing. */
	readonly noteDone: (effect: string | undefined) => void;
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

/** Runs an operation for one item. @returns what leaves the node */
export type RunOperation = (item: Item) => Promise<IDataObject[]>;

/** What an operation returns. */
export interface RecordOutput {
	/** The schema that the editor previews. */
	readonly name: OutputName;
	/** The user's choice of the fields to keep; missing for records that the node makes itself. */
	readonly fields?: readonly Field[];
	/** Names of the fields to keep; undefined for all. */
	readonly kept?: (values: FieldValues) => readonly string[] | undefined;
}

export interface WriteDefinition {
	/** Added to the message of an error before which nothing was sent: a model may read nothing but the message. */
	readonly not: string;
	/** Shown where an agent's model calls it: what to set yourself, and what to let the model set. */
	readonly toolNotice: string;
	/** A refund: items are done one by one, and people read `not`, too. */
	readonly movesMoney?: boolean;
	/** Empty for a write that takes no Idempotency Key. */
	readonly keyFields: readonly Field[];
}

/** Of a write. Only writes/onceOnly.ts makes one: no other run can be sure that nothing is sent twice. */
export type OnceOnly = RunOperation & { readonly [isOnceOnly]: true };

declare const isOnceOnly: unique symbol;

interface Operation {
	readonly fields: readonly AnyField[];
	/** How many requests one item allows at the same time, over all items; missing for the usual number. */
	readonly concurrency?: (values: FieldValues) => number;
	readonly name: string;
	readonly action: string;
	readonly description: string;
	readonly output: RecordOutput;
}

interface ReadOperation extends Operation {
	readonly endpoint: Extract<Endpoint, { method: 'GET' }>;
	readonly run: RunOperation;
	readonly write?: undefined;
}

interface WriteOperation extends Operation {
	readonly endpoint: Exclude<Endpoint, { method: 'GET' }>;
	readonly run: OnceOnly;
	readonly write: WriteDefinition;
}

/**
 * One operation, defined once: its properties in the editor, n8n's custom operation (all items) and its routing (one call
 * by a model) are all made from this.
 */
export type OperationDefinition = ReadOperation | WriteOperation;

/** All fields of an operation. Simplify stands above Options, as in n8n's own nodes. */
export function fieldsOf({ fields, output, write }: OperationDefinition): readonly AnyField[] {
	const options = fields.filter(isCollection).find(({ name }) => name === 'options');
	const offered = [...(options?.fields ?? []), ...(write?.keyFields ?? [])];
	const byName = offered.sort((one, other) => (one.displayName < other.displayName ? -1 : 1));
	return [
		...fields.filter((field) => field !== options),
		...(output.fields ?? []),
		...(offered.length === 0 ? [] : [optionsField(byName)]),
	];
}
