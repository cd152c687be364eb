import {
	NodeConnectionTypes,
	type DeduplicationHelperFunctions,
	type INode,
	type IAllExecuteFunctions,
	type IExecuteFunctions,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type IPollFunctions,
	type NodeApiError,
} from 'n8n-workflow';

/**
 * What differs between the versions of n8n that the package runs on: 1.123 and newer. Whether it is there is found out by
 * looking for it, here and nowhere else; numbers of versions are never compared. Each part says since which n8n it is
 * there, and what is smaller without it.
 */

/** The two kinds of context in which n8n runs an operation: a custom operation's, or a declarative one's. */
export type ItemContext = IExecuteFunctions | IExecutePaginationFunctions;

/** What n8n allows a poll outside of its scheduler. */
const USUAL_POLL_MS = 300_000;

/**
 * Milliseconds that n8n allows a poll. It says so since 2.38: before, a tick of its scheduler, which can be switched on in
 * 2.36 and 2.37, counts as the first poll of an activation, with the usual time.
 */
export const allowedPollMs = (context: IPollFunctions): number =>
	(context as { getPollBudgetMs?: () => number }).getPollBudgetMs?.() ?? USUAL_POLL_MS;

/**
 * A tick of n8n's scheduler, with durable cursors or without, has a context of its own. Its time follows from the
 * scheduler's timeout and lease, and may be longer than the usual one.
 */
export const isScheduledTick = (context: IPollFunctions): boolean =>
	context.getActivationMode() === 'update' && allowedPollMs(context) !== USUAL_POLL_MS;

/**
 * Adds to the error of a poll how long the service asks n8n to wait. Durable cursors heed it; n8n before 2.37 does not
 * know it, and keeps polling.
 */
export function askToWait(error: NodeApiError, retryAfterMs: number | undefined): void {
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	Object.assign(error, { failure: { cause: 'rate-limited', ...wait } });
}

/** Aborted when the execution is stopped. In all versions, but in contexts of an execution only: the editor's searches have none. */
export const cancelSignalOf = (context: IAllExecuteFunctions): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** n8n's log itself does not say which workflow and node a line is about. */
export function logWarning(context: IAllExecuteFunctions, text: string): void {
	const { id, name } = context.getWorkflow();
	context.logger.warn(`Workflow “${name}” (${id}), node “${context.getNode().name}”: ${text}`);
}

/**
 * Shows a warning next to the result, with the item of so many that it is about. In all versions, but in contexts of custom
 * operations only: else the log says it.
 */
export function warnUser(context: ItemContext, text: string, item: (of: number) => string): void {
	if ('addExecutionHints' in context) {
		const message = item(context.getInputData().length) + text;
		context.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
	} else logWarning(context, text);
}

/**
 * n8n's own memory of keys. In all versions, but not where MCP Server Trigger, an older agent or n8n's Agents run the node
 * as a tool. Without it a write with an Idempotency Key is refused before anything is sent.
 */
export function processedDataOf(context: ItemContext): DeduplicationHelperFunctions | undefined {
	const { helpers } = context;
	// It is by workflow and node. Without an execution, each call has new ones.
	return 'checkProcessedAndRecord' in helpers && isExecuted(context) ? helpers : undefined;
}

/** Whether 'Execute step' runs a tool alone: n8n puts a node of its own in the agent's place. In all versions. */
export const isExecutedAlone = (context: ItemContext): boolean =>
	context.getExecuteData().node.type.endsWith('.toolExecutor');

/** Not where n8n's Agents call the node: outside of any workflow, and with another node for each call. */
const isExecuted = (context: ItemContext): boolean => Boolean(context.getExecutionId());

/** The object that n8n keeps for the execution: the same in all runs of all nodes and all calls of tools, but in n8n's Agents. */
export const executionOf = (context: ItemContext): object =>
	isExecuted(context) ? context.getContext('flow') : context.getExecuteData();

/**
 * What the model passed, where MCP Server Trigger or an older agent runs the node as a tool: the same object in every
 * attempt of that call. There each attempt has a run index of its own, so neither it nor the agent's execute data shows a retry.
 */
export function toolArguments(context: ItemContext): object | undefined {
	if (!('getItemIndex' in context)) return undefined;
	const read = (): object => context.getInputData(0, NodeConnectionTypes.AiTool).json;
	// Outside of a tool n8n makes up an empty item at each call. A model's arguments may be empty too.
	return read() === read() ? read() : undefined;
}

/**
 * Whether a model calls the node, wherever n8n does that: as a tool, n8n gives it another type. In n8n 1.123 to 2.20 the
 * engine ends the execution when a tool fails there; newer versions let the model read why.
 */
export const isTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');

/**
 * Marks a failed item for On Error: Continue (using error output). Since 2.34.4 n8n knows one by its JSON, of nothing but
 * `error` and `details`; before, it would send a refund that was refused to the success output.
 *
 * Every version knows one by an `error` next to the JSON. Where that is left on the item, n8n puts the error's message in
 * the place of all its JSON. The error output makes a copy of the item, and copies leave out what is not enumerable.
 */
export function markFailed(
	context: IExecuteFunctions,
	item: INodeExecutionData,
	error: Error,
): INodeExecutionData {
	if (context.getNode().onError !== 'continueErrorOutput') return item;
	return Object.defineProperty(item, 'error', { value: error, enumerable: false });
}

/** What is read of an error on the way to what the system said. */
export interface SystemError {
	readonly message: string;
	readonly name?: unknown;
	readonly errors?: unknown;
	readonly code?: unknown;
	readonly syscall?: unknown;
	readonly cause?: unknown;
}

/**
 * The error below an error. n8n 1.123 to 2.33 wipes it from its own. What is left then is the code of the fault in
 * `httpCode`, and as the first of `messages` the HTTP client's text: "connect ECONNREFUSED 127.0.0.1:80".
 */
export function causeOf(error: SystemError): unknown {
	if (error.cause !== undefined) return error.cause;
	const { httpCode, messages } = error as { httpCode?: unknown; messages?: unknown };
	const message: unknown = Array.isArray(messages) ? messages[0] : undefined;
	if (typeof httpCode !== 'string' || typeof message !== 'string') return undefined;
	// No status is an error to n8n, as requests are made here: the answer had begun, and broke off.
	if (/^\d/.test(httpCode)) return { message, code: 'ERR_BAD_RESPONSE' };
	if (!/^[A-Z]/.test(httpCode)) return undefined;
	const [syscall, code] = message.split(' ');
	return { message, code: httpCode, ...(code === httpCode ? { syscall } : {}) };
}
