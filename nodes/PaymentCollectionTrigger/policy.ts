import { earliest, fromMs, shift } from './timestamps';
import type { Instant } from './timestamps';

/** The host's clock may be wrong by as much without any effect. */
const CLOCK_TOLERANCE_MS = 15 * 60_000;

/** What the user chose, and the moment, as far as decisions depend on them. */
export interface Policy {
	readonly lookbackMs: number;
	/** Charges that one poll emits at most. */
	readonly maxCharges: number;
	/** What was created after it is dated into the future. */
	readonly present: Instant;
	/** Surely no future, even if the host's clock is fast. */
	readonly past: Instant;
}

export function policyAt(nowMs: number, chosen: Pick<Policy, 'lookbackMs' | 'maxCharges'>): Policy {
	return {
		...chosen,
		present: fromMs(nowMs + CLOCK_TOLERANCE_MS),
		past: fromMs(nowMs - CLOCK_TOLERANCE_MS),
	};
}

/**
 * Up to when charges may be forgotten once they are read: the lookback before the newest one. The host's clock
 * only holds it back, so that a charge that is dated into the future can't move it past the others.
 */
export const horizonOf = (newest: Instant, { past, lookbackMs }: Policy): Instant =>
	shift(earliest(newest, past), -lookbackMs);
