import type { IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { fromMs, latest, shift } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import type { FormerAccount } from '../cursor/stored';
import { NodeMemory } from './nodeMemory';

/** A page that fails for longer, and in more polls, may fail for good. */
const PATIENCE_MS = 15 * 60_000;
const MIN_TRIES = 3;
/** After so long it is another question. */
const SAME_QUESTION_MS = 4 * PATIENCE_MS;

/** Polls that could not tell whose list it is: when the first of them was, and what it had seen. */
interface Waiting {
	readonly sinceMs: number;
	readonly seenUpTo: Instant;
	readonly count: number;
}

const waiting = new NodeMemory<Waiting>();

function waitingOf(context: IPollFunctions, account: string): Waiting | undefined {
	const kept = waiting.get(context, account);
	const isSame = kept !== undefined && Math.abs(clock.now() - kept.sinceMs) < SAME_QUESTION_MS;
	return isSame ? kept : undefined;
}

/**
 * Whether the question whose list it is may wait for the next poll.
 *
 * @param newest when the newest charge that was read was created
 */
export function mayAskAgain(
	context: IPollFunctions,
	account: string,
	newest: Instant | undefined,
): boolean {
	const nowMs = clock.now();
	const now = fromMs(nowMs);
	const { sinceMs, seenUpTo, count } = waitingOf(context, account) ?? {
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
): FormerAccount | undefined {
	const { seenUpTo } = waitingOf(context, account) ?? {};
	if (seenUpTo === undefined) return undefined;
	return { account, seenUpTo, windowStart: shift(seenUpTo, -lookbackMs) };
}
