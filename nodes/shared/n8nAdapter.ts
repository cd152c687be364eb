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
 * The only place for differences between the versions of n8n that the package runs on: 1.123 and newer. Features are
 * detected; version numbers are never compared. Each comment says since which n8n a feature exists.
 */

/** A custom operation's context, or a declarative one's. */
export type ItemContext = IExecuteFunctions | IExecutePaginationFunctions;

/** The time for a poll outside of n8n's scheduler. */
const USUAL_POLL_MS = 300_000;

/** Since 2.38. In 2.36 and 2.37, n8n doesn't say how long a tick of its scheduler may take: the usual time is assumed. */
export const allowedPollMs = (context: IPollFunctions): number =>
	(context as { getPollBudgetMs?: () => number }).getPollBudgetMs?.() ?? USUAL_POLL_MS;

/** True in a tick of n8n's scheduler: its mode is `update`, and its time is not the usual one. */
export const isScheduledTick = (context: IPollFunctions): boolean =>
	context.getActivationMode() === 'update' && allowedPollMs(context) !== USUAL_POLL_MS;

/** Adds to a poll's error how long the service asks n8n to wait. n8n before 2.37 ignores it and keeps polling. */
export function askToWait(error: NodeApiError, retryAfterMs: number | undefined): void {
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	Object.assign(error, { failure: { cause: 'rate-limited', ...wait } });
}

/** Aborted when the execution is stopped. In all versions, but not in the editor's searches. */
export const cancelSignalOf = (context: IAllExecuteFunctions): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** n8n's log itself does not say which workflow and node a line is about. */
export function logWarning(context: IAllExecuteFunctions, text: string): void {
	const { id, name } = context.getWorkflow();
	context.logger.warn(`Workflow “${name}” (${id}), node “${context.getNode().name}”: ${text}`);
}

/** Warns next to the result in custom operations, elsewhere in the log. @param item names the item, given the number of items */
export function warnUser(context: ItemContext, text: string, item: (of: number) => string): void {
	if ('addExecutionHints' in context) {
		const message = item(context.getInputData().length) + text;
		context.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
	} else logWarning(context, text);
}

/** n8n's memory of keys. In all versions, but not where MCP Server Trigger, an older agent or n8n's Agents run a tool. */
export function processedDataOf(context: ItemContext): DeduplicationHelperFunctions | undefined {
	const { helpers } = context;
	// n8n stores keys by workflow and node. Outside of an execution, both differ in each call.
	return 'checkProcessedAndRecord' in helpers && isExecuted(context) ? helpers : undefined;
}

/** False where n8n's Agents call the node: outside of any workflow, and with another node for each call. */
const isExecuted = (context: ItemContext): boolean => Boolean(context.getExecutionId());

/** One object for each execution, shared by its nodes, runs and tool calls. In n8n's Agents, one for each call. */
export const executionOf = (context: ItemContext): object =>
	isExecuted(context) ? context.getContext('flow') : context.getExecuteData();

/**
 * A model's arguments, where MCP Server Trigger or an older agent runs the node as a tool: the same object in every attempt
 * of the call. Its attempts have different run indexes, so neither those nor the agent's execute data show a retry.
 */
export function toolArguments(context: ItemContext): object | undefined {
	if (!('getItemIndex' in context)) return undefined;
	const read = (): object => context.getInputData(0, NodeConnectionTypes.AiTool).json;
	// Outside of a tool, n8n creates an empty item at each read. A model's arguments can be empty, too.
	return read() === read() ? read() : undefined;
}

/** True if a model calls the node: n8n gives tools another type. In 1.123 to 2.20, a tool's failure ends the execution. */
export const isTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');

/**
 * Marks a failed item for On Error: Continue (using error output). Since 2.34.4, n8n recognizes one by its JSON of only
 * `error` and `details`; before, it would send a refused refund to the success output. Every version recognizes an `error`
 * next to the JSON, but replaces all of the JSON with its message. As it is not enumerable, n8n's copy of the item omits it.
 */
export function markFailed(
	context: IExecuteFunctions,
	item: INodeExecutionData,
	error: Error,
): INodeExecutionData {
	if (context.getNode().onError !== 'continueErrorOutput') return item;
	return Object.defineProperty(item, 'error', { value: error, enumerable: false });
}

export interface SystemError {
	readonly message: string;
	readonly name?: unknown;
	readonly errors?: unknown;
	readonly code?: unknown;
	readonly syscall?: unknown;
	readonly cause?: unknown;
}

/**
 * The cause of an error. n8n 1.123 to 2.33 wipes it: the fault's code is then in `httpCode`, and the HTTP client's text, such
 * as "connect ECONNREFUSED 127.0.0.1:80", is the first of `messages`.
 */
export function causeOf(error: SystemError): unknown {
	if (error.cause !== undefined) return error.cause;
	const { httpCode, messages } = error as { httpCode?: unknown; messages?: unknown };
	const message: unknown = Array.isArray(messages) ? messages[0] : undefined;
	if (typeof httpCode !== 'string' || typeof message !== 'string') return undefined;
	// A status is no error in our requests, so the response had begun and broke off.
	if (/^\d/.test(httpCode)) return { message, code: 'ERR_BAD_RESPONSE' };
	if (!/^[A-Z]/.test(httpCode)) return undefined;
	const [syscall, code] = message.split(' ');
	return { message, code: httpCode, ...(code === httpCode ? { syscall } : {}) };
}
