import type {
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeParameters,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { Host } from './host';

/** Settings that differ between the polls of a host. */
interface PollSettings {
	readonly activationMode: WorkflowActivateMode;
	readonly budgetMs: number;
	/** The node's static data as n8n gives it to this poll. */
	readonly staticData: IDataObject;
}

const REQUEST_TIMEOUT_MS = 300_000;

/**
 * The part of n8n's poll context that a polling node can use, fast enough for thousands of polls a second.
 * The tests of test/trigger/engine run the same node with n8n's own context.
 */
export function createContext(
	{ workflowId, nodeId, nodeName, parameters, credentials, service, warn }: Host,
	{ activationMode, budgetMs, staticData }: PollSettings,
): IPollFunctions {
	const node: INode = {
		id: nodeId,
		name: nodeName,
		type: 'n8n-nodes-payment-collection.paymentCollectionTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const log = (): void => undefined;
	const context = {
		getNodeParameter: (path: string, fallback?: unknown): unknown =>
			lookUp(parameters, path) ?? fallback,
		getCredentials: async () => ({ ...credentials }),
		getNode: () => node,
		getWorkflow: () => ({ id: workflowId, name: 'Model', active: true }),
		getWorkflowStaticData: () => staticData,
		getMode: () => 'trigger' as const,
		getActivationMode: () => activationMode,
		getPollBudgetMs: () => budgetMs,
		getTimezone: () => 'UTC',
		// Removes the names of workflow and node in front of the text.
		logger: {
			debug: log,
			info: log,
			warn: (line: string) => warn(line.replace(/^.*?”: /, '')),
			error: log,
		},
		helpers: {
			httpRequestWithAuthentication: async (_name: string, request: IHttpRequestOptions) =>
				await service.answer(request.url, request.qs ?? {}, request.timeout ?? REQUEST_TIMEOUT_MS),
		},
	};
	// Polling nodes must not use the rest of n8n's context. A poll that does fails visibly.
	return context as unknown as IPollFunctions;
}

const lookUp = (parameters: INodeParameters, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>((value, name) => (value as IDataObject | null)?.[name], parameters);
