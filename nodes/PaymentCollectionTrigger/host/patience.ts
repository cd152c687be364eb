import type { IPollFunctions } from 'n8n-workflow';
import { fromMs, latest, shift } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import type { KnownAccount } from '../cursor/stored';
import { NodeMemory } from './nodeMemory';

/** A page that fails for longer, and in more polls, may fail for good. */
const PATIENCE_MS = 15 * 60_000;
const MIN_TRIES = 3;

/** Polls that could not tell whose list it is: when the first of them was, and what it had seen. */
interface Waiting {
	readonly sinceMs: number;
	readonly seenUpTo: Instant;
	readonly count: number;
}

const waiting = new NodeMemory<Waiting>();

/**
 * Whether the question whose list it is may wait for the next poll.
 *
 * @param nowMs when this poll began
 * @param newest when the newest charge that was read was created
 */
export function mayAskAgain(
	context: IPollFunctions,
	account: string,
	{ nowMs, newest }: { nowMs: number; newest: Instant | undefined },
): boolean {
	const now = fromMs(nowMs);
	const { sinceMs, seenUpTo, count } = waiting.get(context, account) ?? {
		sinceMs: nowMs,
		seenUpTo: latest(now, newest ?? now),
		count: 0,
	};
	waiting.set(context, { sinceMs, seenUpTo, count: count + 1 }, account);
	return count < MIN_TRIES || Math.abs(nowMs - sinceMs) < PATIENCE_MS;
}

/** Another account as it was when its list was asked for first: what came in while the question waited is new. */
export function whenAskedFirst(
	context: IPollFunctions,
	account: string,
	lookbackMs: number,
): KnownAccount | undefined {
	const { seenUpTo } = waiting.get(context, account) ?? {};
	if (seenUpTo === undefined) return undefined;
	return { account, seenUpTo, windowStart: shift(seenUpTo, -lookbackMs) };
}

/** The question is answered. */
export function stopWaiting(context: IPollFunctions, account: string): void {
	waiting.delete(context, account);
}
