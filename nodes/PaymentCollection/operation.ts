import type { IDataObject } from 'n8n-workflow';
import type { OutputName } from '../../contract/schemas/records';
import { isCollection, optionsField, type AnyField, type Field } from '../shared/fields/field';
import type { FieldValues } from '../shared/fields/readFields';
import type { ItemContext } from '../shared/n8nAdapter';
import type { ItemOptions } from '../shared/records/recordItem';
import type { Endpoint, ReadEndpoint } from '../shared/service/request';
import type { Transport } from '../shared/service/transport';

/** Identifies a write of an item: the same in every attempt of Retry On Fail, another in each iteration of a loop. */
export interface WriteId {
	/** Names execution (or a model's call), node, run index, item index and endpoint. */
	readonly step: string;
	/** The run's memory object (runMemory.ts): the same in all attempts, whatever the values are by then. */
	readonly run: object;
	/** Hash of the request. n8n's queue can restart an execution under its ID: then only a write with the same hash is the same. */
	readonly hash: string;
}

/** @template To endpoints that the item can send to: only those that read, unless stated */
export interface Item<To extends Endpoint = ReadEndpoint> {
	readonly context: ItemContext;
	readonly index: number;
	readonly endpoint: To;
	/** Example: "Get many charges". */
	readonly action: string;
	readonly transport: Transport<To>;
	readonly isTool: boolean;
	/** Reads and checks the fields at the first call. @throws {InputError} naming field, limit and the value's size */
	readonly values: () => FieldValues;
	readonly itemOptions: () => ItemOptions;
	/** Removes secrets, and the fields that the user did not choose. */
	readonly toItems: (records: readonly IDataObject[]) => IDataObject[];
	/** Notes in words what the item's write changed, for the error of another item. */
	readonly noteDone: (effect: string | undefined) => void;
	readonly warn: (message: string) => void;
	readonly warnOnce: (message: string) => void;
	/** @param content the request, for the hash; without it, the ID finds only writes of this run */
	readonly writeId: (content?: unknown) => WriteId;
}

/** An item that can also send to the endpoints that write. */
export type AnyItem = Item<Endpoint>;

export type RunOperation = (item: Item) => Promise<IDataObject[]>;

export interface RecordOutput {
	/** The schema that the editor previews. */
	readonly name: OutputName;
	/** Let the user choose the fields to keep; missing for records that the node makes itself. */
	readonly fields?: readonly Field[];
	/** Names of the fields to keep; undefined for all. */
	readonly kept?: (values: FieldValues) => readonly string[] | undefined;
}

export interface WriteDefinition {
	/** "NOT refunded": added to an error if nothing was sent. Models always see it, people only if the write moves money. */
	readonly denial: string;
	/** Shown in a tool: what to set yourself, and what to let the model set. */
	readonly toolNotice: string;
	/** Puts one item's result into words, for the error of another item; undefined if nothing was changed. */
	readonly describeEffect: (result: IDataObject) => string | undefined;
	/** Items run one by one, and a write in doubt is never repeated. */
	readonly movesMoney?: boolean;
	/** Empty for a write that takes no Idempotency Key. */
	readonly keyFields: readonly Field[];
}

/** A write's `run` function. Only writes/onceOnly.ts makes one: with any other, Retry On Fail would repeat the write. */
export type OnceOnly = ((item: AnyItem) => Promise<IDataObject[]>) & {
	readonly [isOnceOnly]: true;
};

declare const isOnceOnly: unique symbol;

interface Operation {
	readonly fields: readonly AnyField[];
	/** How many parallel requests this item allows the whole run; missing for the default. */
	readonly concurrency?: (values: FieldValues) => number;
	readonly name: string;
	readonly action: string;
	readonly description: string;
	readonly output: RecordOutput;
}

interface ReadOperation extends Operation {
	readonly endpoint: ReadEndpoint;
	readonly run: RunOperation;
	readonly write?: undefined;
}

interface WriteOperation extends Operation {
	readonly endpoint: Exclude<Endpoint, ReadEndpoint>;
	readonly run: OnceOnly;
	readonly write: WriteDefinition;
}

/** Defines an operation once: its properties, n8n's custom operation and its routing are made from this. */
export type OperationDefinition = ReadOperation | WriteOperation;

/** All fields of an operation: Simplify above Options, as in n8n's own nodes, and the key's fields among these. */
export function fieldsOf({ fields, output, write }: OperationDefinition): readonly AnyField[] {
	const options = fields.filter(isCollection).find(({ name }) => name === 'options');
	const offered = [...(options?.fields ?? []), ...(write?.keyFields ?? [])];
	const sorted = offered.sort((one, other) => (one.displayName < other.displayName ? -1 : 1));
	return [
		...fields.filter((field) => field !== options),
		...(output.fields ?? []),
		...(offered.length === 0 ? [] : [optionsField(sorted)]),
	];
}
