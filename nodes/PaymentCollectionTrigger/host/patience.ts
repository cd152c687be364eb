import type { IPollFunctions } from 'n8n-workflow';
import { fromMs, latest, shift } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import type { KnownAccount } from '../cursor/stored';
import { NodeMemory } from './nodeMemory';

/** A page that fails for longer, and in more polls, may fail for good. */
const PATIENCE_MS = 15 * 60_000;
const MIN_TRIES = 3;

/** Polls under one key that could not tell whose list it is; no state was stored since the first of them. */
interface Waiting {
	readonly account: string;
	/** When the first of them began. */
	readonly sinceMs: number;
	/** The same, or when the newest charge that it read was created, if the clock is slow. */
	readonly askedAt: Instant;
	readonly count: number;
	/** The account counts as another one, and asking has left no time to read its list. */
	readonly isOver: boolean;
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
	{
		nowMs,
		newest,
		isOutOfTime,
	}: { nowMs: number; newest: Instant | undefined; isOutOfTime: boolean },
): boolean {
	const now = fromMs(nowMs);
	const { sinceMs, askedAt, count } = waitingFor(context, account) ?? {
		sinceMs: nowMs,
		askedAt: latest(now, newest ?? now),
		count: 0,
	};
	const isLast = count >= MIN_TRIES && Math.abs(nowMs - sinceMs) >= PATIENCE_MS;
	const isOver = isLast && isOutOfTime;
	waiting.set(context, { account, sinceMs, askedAt, count: count + 1, isOver });
	return !isLast;
}

/** Another account as it was when its list was asked for first: what came in while the question waited is new. */
export function whenAskedFirst(
	context: IPollFunctions,
	account: string,
	lookbackMs: number,
): KnownAccount | undefined {
	const { askedAt } = waitingFor(context, account) ?? {};
	if (askedAt === undefined) return undefined;
	return { account, seenUpTo: askedAt, windowStart: shift(askedAt, -lookbackMs) };
}

/** Whether to ask whose list it is: no more where that alone takes all the time of a poll. */
export const mayAsk = (context: IPollFunctions, account: string): boolean =>
	waitingFor(context, account)?.isOver !== true;

/**
 * A state was stored, and the question ends with it. Where it was stored under another key, that may be one of the same
 * account, and what came in since is told.
 */
export function stopWaiting(context: IPollFunctions): void {
	waiting.delete(context);
}

function waitingFor(context: IPollFunctions, account: string): Waiting | undefined {
	const found = waiting.get(context);
	return found?.account === account ? found : undefined;
}
