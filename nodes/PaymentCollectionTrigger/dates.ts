import { EARLIEST, latest, presentAt } from '../shared/timestamps';
import type { Instant } from '../shared/timestamps';

/** Of the newest dates, so many are looked at: single charges with a wrong date don't tell how late it is. */
export const NEWEST_KEPT = 5;

/** A date that is later than this from now is wrong, however slow the host's clock is. */
export const MOST_AHEAD_MS = 86_400_000;

/** The newest of the dates that are not in the future, the newest first. */
export function newestOf(dates: Iterable<Instant>, nowMs: number): Instant[] {
	const present = presentAt(nowMs);
	const newest: Instant[] = [];
	for (const date of dates) {
		const least = newest[NEWEST_KEPT - 1];
		if (date > present || (least !== undefined && date <= least)) continue;
		newest.push(date);
		newest.sort().reverse();
		newest.length = Math.min(newest.length, NEWEST_KEPT);
	}
	return newest;
}

/**
 * The newest date that is not in the future: where several lie behind the host's clock, the clock is slow, and they
 * are not wrong.
 */
export function newestAgreed(dates: readonly Instant[], nowMs: number): Instant {
	const agreed = newestOf(dates, Number.POSITIVE_INFINITY).at(-1) ?? EARLIEST;
	return latest(newestOf(dates, nowMs)[0] ?? EARLIEST, agreed);
}

/** Whether no date is older than the one before it. */
export const isSorted = (dates: readonly Instant[]): boolean =>
	dates.every((date, at) => at === 0 || date >= (dates[at - 1] ?? date));
