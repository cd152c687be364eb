import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INode,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';
import { toNodeError } from '../../shared/failures';
import type { Endpoint } from '../../shared/transport';
import { openItem } from './item';
import type { Operation } from './item';
import { toErrorOutput, toOutput } from './outcome';

/**
 * Routing of a declarative operation: n8n gathers the body from the fields, and a pagination function does the
 * rest in place of n8n's own request. Only there are network faults seen, 401 sent once, requests in flight
 * bounded over all items and items linked; see transport.ts.
 *
 * The URL is the template of the interface document; the identifier is checked and encoded by the transport.
 */
export function routed(endpoint: Endpoint, operation: Operation): INodePropertyRouting {
	return {
		request: { method: endpoint.method, url: endpoint.path },
		send: { paginate: true },
		operations: { pagination: runDeclarative(operation) },
	};
}

function runDeclarative(operation: Operation) {
	return async function (
		this: IExecutePaginationFunctions,
		requestData: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const index = this.getItemIndex();
		try {
			const item = await openItem(this, index, (requestData.options.body ?? {}) as IDataObject);
			return toOutput(item, await operation(item), operation.toItem);
		} catch (error) {
			if (this.continueOnFail()) return [toErrorOutput(error, this.getNode(), index)];
			throw asApiError(toNodeError(error, this.getNode(), index), this.getNode(), index);
		}
	};
}

/**
 * n8n turns a failed operation of a declarative node into a NodeApiError, and on the way replaces a message in which
 * the letters of a system code occur. One that is of that kind already is left alone.
 */
function asApiError(error: Error, node: INode, itemIndex: number): Error {
	if (!(error instanceof NodeOperationError)) return error;
	const { message, description } = error;
	const apiError = new NodeApiError(
		node,
		{ message },
		{ message, description: description ?? '', httpCode: 'none', itemIndex },
	);
	apiError.message = message;
	return apiError;
}
