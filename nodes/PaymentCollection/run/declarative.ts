import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
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
			return toOutput(item, await operation(item));
		} catch (error) {
			if (this.continueOnFail()) return [toErrorOutput(error, this.getNode(), index)];
			throw toNodeError(error, this.getNode(), index);
		}
	};
}
