import type {
	IExecutePaginationFunctions,
	INode,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/constants';
import { InputError, quoted, toNodeError } from '../../shared/errors/reportedError';
import { toolArguments } from '../../shared/n8nAdapter';
import { openItem } from './item';
import type { OperationDefinition } from '../operation';
import { itemError, outputOf, toErrorOutput } from './output';
import { runMemoryOf } from './runMemory';

/**
 * Serves callers that skip custom operations: two of the three ways in which a model calls the node (docs/n8n-engine.md). A
 * pagination function replaces n8n's own request, which would repeat a 401, hide network faults and limit no requests.
 */
export function routed(definition: OperationDefinition): INodePropertyRouting {
	const { method, path } = definition.endpoint;
	return { request: { method, url: path }, ...runBy(definition) };
}

const runBy = (definition: OperationDefinition): INodePropertyRouting => ({
	send: { paginate: true },
	operations: { pagination: runDeclarative(definition) },
});

/** Refuses an operation that does not exist. n8n would send a request to the Base URL and count any answer as a success. */
export const unknownOperation: INodePropertyRouting = runBy({
	name: '',
	action: '',
	description: '',
	endpoint: ENDPOINTS.chargeList,
	fields: [],
	output: { name: 'link' },
	run: async ({ context }) => {
		const { resource, operation } = context.getNode().parameters;
		throw new InputError(
			`There is no 'Operation' ${quoted(operation ?? '')} of 'Resource' ${quoted(resource)}`,
			'Choose these from their lists: they can’t be expressions. For any other request, use the HTTP Request node with this credential. Nothing was sent.',
		);
	},
});

function runDeclarative(definition: OperationDefinition) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const index = this.getItemIndex();
		const call = toolArguments(this);
		const run = runMemoryOf(this);
		if (call !== undefined) run.attempts += 1;
		try {
			return await outputOf(await openItem(this, index, definition), definition);
		} catch (error) {
			// A model's call is one item, whatever the agent itself works on.
			const items = call !== undefined ? undefined : this.getExecuteData().data['main']?.[0];
			const place = { index, total: items?.length ?? 1, isRouted: true };
			const failed = await itemError(error, this, definition, index);
			const nodeError = toNodeError(failed, this.getNode(), place);
			// If the last failure of a tool were thrown, the model would get an empty text and call again.
			const isLastOfTool = run.attempts >= maxAttemptsOf(this.getNode());
			if (this.continueOnFail() || isLastOfTool) return [toErrorOutput(nodeError, index)];
			throw nodeError;
		}
	};
}

/** Attempts per call of a model. */
function maxAttemptsOf({ retryOnFail, maxTries = 3 }: INode): number {
	return retryOnFail === true ? Math.min(5, Math.max(2, maxTries)) : 1;
}
