import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ToItem } from '../../shared/records/recordItem';
import type { Endpoint } from '../../shared/service/transport';
import type { Item } from './item';

/** What an operation does for one item: records of the service, secrets not yet removed. */
export type RunOperation = (item: Item) => Promise<IDataObject[]>;

/** What a write needs beside what a read needs. */
export interface WriteDefinition {
	/** One item's result in words, for the error of another item; undefined when nothing was changed. */
	readonly describeEffect: (result: IDataObject) => string | undefined;
	/** Whether items go strictly one after another. */
	readonly oneByOne?: boolean;
}

/**
 * One operation, said once: n8n's custom operation (all items) and its routing (an agent's older tool path) are both
 * made from this, so neither says again where the request goes or what is in it.
 */
export interface OperationDefinition {
	readonly endpoint: Endpoint;
	/** As the editor shows them. A field's routing says under which name it goes into the body. */
	readonly fields: readonly INodeProperties[];
	readonly run: RunOperation;
	/** How its records leave the node, where they can be simplified. */
	readonly toItem?: ToItem;
	/** Missing for an operation that only reads. */
	readonly write?: WriteDefinition;
}

/** The operations of a resource by their names. */
export type Operations = Readonly<Record<string, OperationDefinition>>;

/** The fields of all operations of a resource; each says itself for which operation it is shown. */
export const fieldsOf = (operations: Operations): INodeProperties[] =>
	Object.values(operations).flatMap(({ fields }) => fields);
