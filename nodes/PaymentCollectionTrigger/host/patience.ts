import type { IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { NodeMemory } from './nodeMemory';

/** A page that fails for longer, and in more polls, may fail for good. */
const PATIENCE_MS = 15 * 60_000;
const MIN_TRIES = 3;

/** Polls that could not tell whose list it is. */
const tries = new NodeMemory<{ readonly since: number; readonly count: number }>();

/** Whether the question whose list it is may wait for the next poll. */
export function mayAskAgain(context: IPollFunctions, account: string): boolean {
	const { since, count } = tries.get(context, account) ?? { since: clock.now(), count: 0 };
	tries.set(context, { since, count: count + 1 }, account);
	return count < MIN_TRIES || Math.abs(clock.now() - since) < PATIENCE_MS;
}
