import type { IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { allowedPollMs, isScheduledTick } from '../../shared/n8nFeatures';
import { memoryOf } from './triggerMemory';

/** Long enough for a backlog, short enough that polls rarely overlap. */
const MAX_READING_MS = 120_000;
/** For deciding, and for n8n. */
const RESERVE_MS = 2_000;

/** Milliseconds after which the last request of this poll must have ended. */
export const readingMs = (context: IPollFunctions): number =>
	Math.max(1, Math.min(allowedPollMs(context) - RESERVE_MS, MAX_READING_MS));

export type PollKind = 'activation' | 'start' | 'tick';

/** Contexts whose first poll has not thrown. One serves all polls of an activation, but each tick of the scheduler has its own. */
export const polled = new WeakSet<IPollFunctions>();

/**
 * Why this poll runs: a user published the workflow, n8n started (or another instance took over), or the schedule
 * is due. The activation mode alone doesn't show it (docs/n8n-engine.md, Polling): the first poll of a context is no tick,
 * unless its budget is that of n8n's scheduler.
 */
export function pollKind(context: IPollFunctions): PollKind {
	if (polled.has(context) || isScheduledTick(context)) return 'tick';
	const mode = context.getActivationMode();
	return mode === 'init' || mode === 'leadershipChange' ? 'start' : 'activation';
}

/**
 * Lets one poll of a trigger in at a time.
 *
 * @returns undefined when another one is under way, unless this one is the first of its registration: what a user
 * publishes now is tried now
 */
export function enter(context: IPollFunctions, kind: PollKind) {
	const memory = memoryOf(context);
	const { underWay: other } = memory;
	if (kind === 'tick' && other !== undefined && clock.elapsed() < other.expiresAt) return undefined;
	const own = { expiresAt: clock.elapsed() + allowedPollMs(context) };
	memory.underWay = own;
	/** Whether none has taken its place: only then may it store anything. */
	const isCurrent = () => memory.underWay === own;
	return {
		isCurrent,
		end: () => {
			if (isCurrent()) memory.underWay = undefined;
		},
	};
}
