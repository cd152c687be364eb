import type { IDataObject, IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';
import { clock } from '../shared/clock';
import { parseCursor, storableCursor } from './cursor';
import type { Cursor } from './cursor';

/** What n8n allows a poll where it does not say (engine.md, Polling 4). */
const USUAL_BUDGET_MS = 300_000;
/** Of the budget, for sending requests; the rest is for the last of them, and for n8n. */
const SHARE_FOR_REQUESTS = 0.6;
const MAX_REQUESTS_MS = 120_000;
/** Cursors held in memory, for as many triggers. */
const MAX_REMEMBERED = 1_000;

/** Milliseconds that this poll may take; older n8n versions do not say. */
export function pollBudgetMs(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? USUAL_BUDGET_MS;
}

/** Milliseconds that this poll may go on sending requests for. */
export const requestBudgetMs = (budgetMs: number): number =>
	Math.min(budgetMs * SHARE_FOR_REQUESTS, MAX_REQUESTS_MS);

/** A poll of a context that is under way. */
interface Run {
	readonly expiresAt: number;
}

/** One context serves all polls from one activation to the next, but for durable ticks, which have one each. */
const runs = new WeakMap<object, Run | undefined>();

export type PollKind = 'activation' | 'start' | 'tick';

/**
 * Why this poll runs: a user published the workflow, n8n started (or another instance took over), or the schedule
 * is due. The activation mode alone can't tell (engine.md, Polling 4): the first poll of a context is not a tick,
 * unless its budget is a durable tick's.
 */
export function pollKind(context: IPollFunctions): PollKind {
	const mode: WorkflowActivateMode = context.getActivationMode();
	const isDurableTick = mode === 'update' && pollBudgetMs(context) < USUAL_BUDGET_MS;
	if (runs.has(context) || isDurableTick) return 'tick';
	return mode === 'init' || mode === 'leadershipChange' ? 'start' : 'activation';
}

/**
 * Marks the poll as under way, since n8n starts the next one when the first outlasts its interval.
 *
 * @returns undefined when another one is under way; else whether this one still is the one, and how to end it
 */
export function beginPoll(
	context: object,
	budgetMs: number,
): { isCurrent: () => boolean; end: () => void; undo: () => void } | undefined {
	const other = runs.get(context);
	if (other !== undefined && clock.now() < other.expiresAt) return undefined;
	const run: Run = { expiresAt: clock.now() + budgetMs };
	runs.set(context, run);
	const isCurrent = () => runs.get(context) === run;
	return {
		isCurrent,
		end: () => {
			if (isCurrent()) runs.set(context, undefined);
		},
		// n8n repeats a first poll that threw: it is the first one again.
		undo: () => {
			if (isCurrent()) runs.delete(context);
		},
	};
}

/** By workflow and node. The node's id stays when it is renamed, which its static data does not. */
const remembered = new Map<string, IDataObject>();

const rememberedKey = (context: IPollFunctions): string =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id]);

/** Where the cursor stands in the node's static data. */
const STATIC_DATA_KEY = 'cursor';

/**
 * The cursor of an account: n8n's, or the one in memory while n8n has none. A null poll at activation is not saved
 * under durable cursors, and what n8n holds may be another account's (engine.md, Polling 6 and 10).
 */
export function loadCursor(context: IPollFunctions, account: string): Cursor | undefined {
	const stored = context.getWorkflowStaticData('node')[STATIC_DATA_KEY];
	const candidates = [stored, remembered.get(rememberedKey(context))].map(parseCursor);
	if (stored !== undefined && candidates[0] === undefined) {
		context.logger.warn(
			'The stored state of the Payment Collection Trigger can’t be read: it starts afresh',
		);
	}
	return candidates.find((cursor) => cursor?.account === account);
}

/**
 * Stores the cursor, last of all that a poll does: a throw does not undo it. The memory holds only what a poll
 * left behind that emitted nothing, so that no lost save can take items along.
 */
export function storeCursor(context: IPollFunctions, cursor: Cursor, emitsItems: boolean): void {
	const data = context.getWorkflowStaticData('node');
	const next = storableCursor(cursor);
	// Only a whole new value is sure to be noticed, and only a change is worth a save.
	if (JSON.stringify(data[STATIC_DATA_KEY]) !== JSON.stringify(next)) data[STATIC_DATA_KEY] = next;
	if (emitsItems) return;
	const key = rememberedKey(context);
	remembered.delete(key);
	remembered.set(key, next);
	const [oldest] = remembered.keys();
	if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}
