import type { ModelCharge } from '../service/charge';
import type { Life } from './life';
import { SECOND_MS } from '../time';
import { hasStatus, isWanted, showsItself } from '../userChoices';
import type { TriggerSettings } from '../userChoices';

export interface FilterChange {
	readonly before: TriggerSettings;
	readonly next: TriggerSettings;
	readonly life: Life;
	/** The most that n8n's clock was wrong by. */
	readonly worstErrorMs: number;
}

/**
 * What a change of filters makes of a charge that is listed and not known as old: it begins a baseline whose silence
 * ends at the last poll.
 *
 * @returns `old`: not to be told; `grey`: nobody can say; undefined: as before
 */
export function sideAfterChange(
	charge: ModelCharge,
	{ before, next, life, worstErrorMs }: FilterChange,
): 'old' | 'grey' | undefined {
	const wasWanted = isWanted(charge, before.filters);
	// What the new filters leave out may be told or not when they are taken back.
	if (!isWanted(charge, next.filters)) return wasWanted ? 'grey' : undefined;
	const errorMs = worstErrorMs + SECOND_MS;
	const isAfter = charge.createdMs > life.lastPollAt + errorMs;
	const isBefore = charge.createdMs < life.lastPollBeganAt - errorMs;
	const hasArrived = charge.shownSequence > life.lastPollSequence;
	if (wasWanted) {
		// Not told yet: of the backlog, if its row can show it; late, or as good as late, if it came since.
		return !showsItself(before.filters) || (hasArrived && !isAfter) ? 'grey' : undefined;
	}
	if (isAfter) return hasArrived ? undefined : 'grey';
	// What came to a wanted status while filters left it out is told when they are taken back, if it was seen before.
	const hasChanged = next.statuses !== null && charge.statuses.length > 1;
	return isBefore && !hasArrived && !hasChanged && hasStatus(charge, next) ? 'old' : 'grey';
}
