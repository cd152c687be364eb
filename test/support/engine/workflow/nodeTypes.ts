import '../environment';

import { DirectoryLoader, RoutingNode, type ExecuteContext } from 'n8n-core';
import { commonPollingParameters } from 'n8n-core/dist/nodes-loader/constants';
import {
	UnexpectedError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
} from 'n8n-workflow';

import { NoOp } from './workflowNodes';

/** Prefix of the nodes in saved workflows. */
const PACKAGE_NAME = 'n8n-nodes-payment-collection';

export interface PreparedNodeType {
	type: INodeType;
	/** How often the engine called the node, and the errors as the node threw them. */
	recorded: { tries: number; thrown: unknown[] };
}

/**
 * Does to a node type what n8n does when it loads a package and looks the type up: the package
 * name in front, the parameters n8n adds, and an `execute` for a declarative node. The given
 * object stays as it is, since the tests of one file share it.
 */
export function prepareNodeType(nodeType: INodeType): PreparedNodeType {
	const recorded: PreparedNodeType['recorded'] = { tries: 0, thrown: [] };
	// n8n calls it with the context as `this`, so it can be taken off the object.
	const { execute } = nodeType as { execute?: Execute };
	const description: INodeTypeDescription = {
		...nodeType.description,
		name: `${PACKAGE_NAME}.${nodeType.description.name}`,
		properties: [
			...(nodeType.description.polling === true ? commonPollingParameters : []),
			...nodeType.description.properties,
		],
	};
	const type = Object.create(nodeType, {
		description: { value: description, enumerable: true },
		execute: { value: execute, writable: true, enumerable: true },
	}) as INodeType;
	DirectoryLoader.applyDeclarativeNodeOptionParameters(type);

	const run = execute ?? declarativeExecute(type);
	if (run !== undefined) type.execute = recording(run, recorded);

	if (nodeType.customOperations !== undefined) {
		const value = likewise(nodeType.customOperations, (byName) =>
			likewise(byName, (run) => recording(run, recorded)),
		);
		Object.defineProperty(type, 'customOperations', { value });
	}
	return { type, recorded };
}

/** The same object with other values, its prototype included: n8n finds `constructor` there, too. */
function likewise<Value, Changed>(
	values: Readonly<Record<string, Value>>,
	change: (value: Value) => Changed,
): Record<string, Changed> {
	const entries = Object.entries(values).map(([name, value]) => [name, change(value)] as const);
	const empty = Object.create(Object.getPrototypeOf(values) as object | null) as object;
	return Object.assign(empty, Object.fromEntries(entries));
}

type Execute = NonNullable<INodeType['execute']>;

/** n8n adds an `execute` to a node with `requestDefaults`. Our polling node has none. */
function declarativeExecute(type: INodeType): Execute | undefined {
	if (type.description.requestDefaults === undefined) return undefined;
	return async function (this: IExecuteFunctions) {
		const data = await new RoutingNode(this as ExecuteContext, type).runNode();
		return data ?? [];
	};
}

function recording<This, Args extends unknown[], Result>(
	run: (this: This, ...args: Args) => Promise<Result>,
	recorded: PreparedNodeType['recorded'],
): (this: This, ...args: Args) => Promise<Result> {
	return async function (this: This, ...args: Args) {
		recorded.tries += 1;
		try {
			return await run.apply(this, args);
		} catch (error) {
			recorded.thrown.push(error);
			throw error;
		}
	};
}

export class HarnessNodeTypes implements INodeTypes {
	private readonly types = new Map<string, INodeType>();

	constructor(...types: INodeType[]) {
		for (const type of [new NoOp(), ...types]) this.types.set(type.description.name, type);
	}

	/** A tool is the same node under another name. n8n decides by that name which fields it shows. */
	getByName(name: string): INodeType {
		const type = this.types.get(name);
		if (type !== undefined) return type;
		const node = this.types.get(name.replace(/Tool$/, ''));
		if (node === undefined) throw new UnexpectedError(`Unknown node type "${name}"`);
		const description = { ...node.description, name };
		return Object.create(node, { description: { value: description } }) as INodeType;
	}

	getByNameAndVersion(name: string): INodeType {
		return this.getByName(name);
	}

	getKnownTypes(): IDataObject {
		return {};
	}
}

export function latestVersion({ version, defaultVersion }: INodeTypeDescription): number {
	return defaultVersion ?? (Array.isArray(version) ? Math.max(...version) : version);
}
