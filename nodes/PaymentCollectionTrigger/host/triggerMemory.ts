import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { allowedPollMs, isScheduledTick } from '../../shared/n8nAdapter';
import type { Instant } from '../../shared/timestamps';
import { nodeKey, type NodeContext } from '../../shared/values';

/** Long enough for a backlog, short enough that polls rarely overlap. */
const MAX_READING_MS = 120_000;
/** Time kept for the end of the poll, and for n8n. */
const RESERVE_MS = 2_000;

/** The process's memory of a trigger, whatever n8n has stored. */
export interface TriggerMemory {
	/** The poll in progress: n8n may start the next one meanwhile, or activate the trigger again. */
	underWay?: { readonly expiresAt: number } | undefined;
	/** Start of a first poll whose failure was forgiven: charges created since then are new. */
	firstTried?: Instant | undefined;
	/**
	 * The state of the last poll. n8n does not save the state of a poll without items, forgets it when a node is renamed, and
	 * may poll with an older copy (docs/n8n-engine.md, Polling).
	 */
	last?: LastPoll | undefined;
}

export interface LastPoll {
	readonly stored: IDataObject;
	/** Serial of the newest state that n8n has certainly saved; 0 if unknown, -1 if a tick of its scheduler found no state. */
	readonly savedSerial: number;
	/** The last tick with items, until the next poll shows whether n8n took them. If not, `before` counts. */
	readonly emission?: {
		readonly serial: number;
		readonly before: LastPoll | undefined;
		readonly endedAt: number;
		readonly isScheduled: boolean;
	};
}

const memories = new Map<string, TriggerMemory>();

/** @returns the trigger's memory, which the caller changes in place */
export function memoryOf(context: NodeContext): TriggerMemory {
	const key = nodeKey(context);
	const memory = memories.get(key) ?? {};
	memories.set(key, memory);
	return memory;
}

/** Milliseconds after which the last request of this poll must have ended. */
export const readingMs = (context: IPollFunctions): number =>
	Math.max(1, Math.min(allowedPollMs(context) - RESERVE_MS, MAX_READING_MS));

/** `activation`: the first poll after a user publishes. `start`: the first after n8n starts. Later ones are ticks, by a timer or by n8n's scheduler. */
export type PollKind = 'activation' | 'start' | 'tick' | 'scheduledTick';

export const isTick = (kind: PollKind): boolean => kind === 'tick' || kind === 'scheduledTick';

/** Contexts that have had their first poll. All polls after n8n's start or a publishing share one; a scheduled tick has its own. */
export const polled = new WeakSet<IPollFunctions>();

/**
 * The first poll of a context is a tick only if it is by n8n's scheduler: the time allowed for the poll shows that
 * (docs/n8n-engine.md, Polling). Another instance that takes over counts as n8n's start.
 */
export function pollKind(context: IPollFunctions): PollKind {
	if (isScheduledTick(context)) return 'scheduledTick';
	if (polled.has(context)) return 'tick';
	const mode = context.getActivationMode();
	return mode === 'init' || mode === 'leadershipChange' ? 'start' : 'activation';
}

/** Admits one poll of a trigger at a time. A first poll always runs: a user or n8n's start waits for it. */
export function enter(context: IPollFunctions, kind: PollKind) {
	const memory = memoryOf(context);
	if (isTick(kind) && clock.elapsed() < (memory.underWay?.expiresAt ?? 0)) return undefined;
	const own = { expiresAt: clock.elapsed() + allowedPollMs(context) };
	memory.underWay = own;
	/** False once another poll has replaced it: then it must not store anything. */
	const isCurrent = () => memory.underWay === own;
	return {
		isCurrent,
		end: () => {
			if (isCurrent()) memory.underWay = undefined;
		},
	};
}
