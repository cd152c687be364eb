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

/** By context, which serves all polls from one activation to the next; for durable ticks by what they share. */
const runs = new WeakMap<object, Run | undefined>();

/** Under durable cursors every tick has a context of its own, and two may be due in the same second. */
const isDurableTick = (context: IPollFunctions): boolean =>
	context.getActivationMode() === 'update' && pollBudgetMs(context) < USUAL_BUDGET_MS;

/** What the durable ticks of one node have in common. */
interface DurableTicks {
	/** The cursor that the last poll with items began with, and when it ended. */
	emittedFrom?: { readonly cursor: string; readonly endedAt: number };
}

/** n8n reads the cursor of a tick before it starts it: one that was due together with another may hold the same. */
const STALE_CURSOR_MS = 10_000;

export type PollKind = 'activation' | 'start' | 'tick';

/**
 * Why this poll runs: a user published the workflow, n8n started (or another instance took over), or the schedule
 * is due. The activation mode alone can't tell (engine.md, Polling 4): the first poll of a context is not a tick,
 * unless its budget is a durable tick's.
 */
export function pollKind(context: IPollFunctions): PollKind {
	const mode: WorkflowActivateMode = context.getActivationMode();
	if (runs.has(context) || isDurableTick(context)) return 'tick';
	return mode === 'init' || mode === 'leadershipChange' ? 'start' : 'activation';
}

/**
 * Marks the poll as under way, since n8n starts the next one when the first outlasts its interval.
 *
 * @returns undefined when another one is under way, or has just emitted what this one would emit again; else
 * whether this one still is the one, and how to end it
 */
export function beginPoll(
	context: IPollFunctions,
	budgetMs: number,
): { isCurrent: () => boolean; end: () => void; undo: () => void } | undefined {
	const guard = isDurableTick(context) ? durableTicksOf(context) : context;
	const other = runs.get(guard);
	if (other !== undefined && clock.now() < other.expiresAt) return undefined;
	if (isStale(context)) return undefined;
	const run: Run = { expiresAt: clock.now() + budgetMs };
	runs.set(guard, run);
	const isCurrent = () => runs.get(guard) === run;
	return {
		isCurrent,
		end: () => {
			if (isCurrent()) runs.set(guard, undefined);
		},
		// n8n repeats a first poll that threw: it is the first one again.
		undo: () => {
			if (isCurrent()) runs.delete(guard);
		},
	};
}

/** By workflow and node. The node's id stays when it is renamed, which its static data does not. */
const remembered = new Map<string, IDataObject>();
const durableTicks = new Map<string, DurableTicks>();

const nodeKey = (context: IPollFunctions): string =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id]);

/** Sets what is kept of a node, which is then the last to be dropped. */
function keep<Kept>(map: Map<string, Kept>, key: string, value: Kept): Kept {
	map.delete(key);
	map.set(key, value);
	const [oldest] = map.keys();
	if (map.size > MAX_REMEMBERED && oldest !== undefined) map.delete(oldest);
	return value;
}

function durableTicksOf(context: IPollFunctions): DurableTicks {
	const key = nodeKey(context);
	return keep(durableTicks, key, durableTicks.get(key) ?? {});
}

const storedText = (context: IPollFunctions): string =>
	JSON.stringify(context.getWorkflowStaticData('node')[STATIC_DATA_KEY] ?? null);

/** Whether a tick holds the cursor from before a poll whose items n8n has just taken: it would emit them again. */
function isStale(context: IPollFunctions): boolean {
	if (!isDurableTick(context)) return false;
	const { emittedFrom } = durableTicksOf(context);
	return (
		emittedFrom !== undefined &&
		clock.now() - emittedFrom.endedAt < STALE_CURSOR_MS &&
		emittedFrom.cursor === storedText(context)
	);
}

/** Where the cursor stands in the node's static data. */
const STATIC_DATA_KEY = 'cursor';

/**
 * The cursor of an account: n8n's, or the one in memory while n8n has none. A null poll at activation is not saved
 * under durable cursors, and what n8n holds may be another account's (engine.md, Polling 6 and 10).
 */
export function loadCursor(context: IPollFunctions, account: string): Cursor | undefined {
	const stored = context.getWorkflowStaticData('node')[STATIC_DATA_KEY];
	const candidates = [stored, remembered.get(nodeKey(context))].map(parseCursor);
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
	if (emitsItems && isDurableTick(context)) {
		durableTicksOf(context).emittedFrom = { cursor: storedText(context), endedAt: clock.now() };
	}
	// Only a whole new value is sure to be noticed, and only a change is worth a save.
	if (JSON.stringify(data[STATIC_DATA_KEY]) !== JSON.stringify(next)) data[STATIC_DATA_KEY] = next;
	if (!emitsItems) keep(remembered, nodeKey(context), next);
}
