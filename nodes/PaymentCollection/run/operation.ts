import type { IDataObject } from 'n8n-workflow';
import type { ToItems } from '../../shared/records/recordItem';
import type { Item, ItemOperation } from './item';

/** What an operation does for one item: records of the service, secrets not yet removed; or what leaves the node. */
export type RunOperation = (item: Item, definition: OperationDefinition) => Promise<IDataObject[]>;

/** What a write needs beside what a read needs. */
interface WriteDefinition {
	/** One item's result in words, for the error of another item; undefined when nothing was changed. */
	readonly describeEffect: (result: IDataObject) => string | undefined;
	/** Shown where an agent's model calls it: what to set by hand, and what to leave to the model. */
	readonly toolNotice: string;
	/** Whether items go strictly one after another. */
	readonly oneByOne?: boolean;
}

/**
 * One operation, said once: what the editor shows of it, n8n's custom operation (all items) and its routing (an agent's
 * older tool path) are all made from this.
 */
export interface OperationDefinition extends ItemOperation {
	/** In the list of operations: "Get Many". */
	readonly name: string;
	/** In the list of what the node can do: "Get many charges". */
	readonly action: string;
	readonly description: string;
	readonly run: RunOperation;
	/** Whether `run` gives records as they leave the node: a list makes them so page by page. */
	readonly givesItems?: boolean;
	/** How its records leave the node, where they can be simplified. */
	readonly toItems?: ToItems;
	/** Missing for an operation that only reads. */
	readonly write?: WriteDefinition;
}

/** The operations of a resource by the values that workflows save. In alphabetical order, as n8n shows them. */
export type Operations = Readonly<Record<string, OperationDefinition>>;
