import { DAY_MS, EARLIEST, latest, shift } from '../../shared/timestamps';
import { isOlderThan, type Page } from '../list/pages';
import { newestUpToNow, type Poll } from './judge';

/** Pages that a poll reads until all watched charges were looked at once. */
const FIRST_PAGES = 50;

/** Reads the next pages of the watched days, starting over at the new end when it has reached the old one; those that this poll has read cost nothing. */
export async function sweep(poll: Poll): Promise<void> {
	const { state, list, settings, nowMs } = poll;
	const { watch } = state;
	if (watch === undefined) return;
	const from = latest(shift(newestUpToNow(poll), -settings.watchMs), watch.from ?? EARLIEST);
	watch.from = from;
	// Whether the list is by date is not known before a round has ended.
	const isByDate = list.isByDate && state.lastRound !== undefined;
	const isEnd = (page: Page) => list.isOldEnd(page) || (isByDate && isOlderThan(page, from));
	const pages = watch.isComplete ? settings.sweepPages : Math.max(FIRST_PAGES, settings.sweepPages);
	const most = list.requests + pages;
	const place = (watch.place ??= { nextPage: list.newEnd });
	const last = await list.walk(place, (page) => {
		poll.judge.lookAt(page);
		return isEnd(page) || list.requests >= most;
	});
	if (last === 'none' || (last !== 'failed' && !isEnd(last))) return;
	// A page that fails for longer is left out.
	const isLong = Math.abs(nowMs - watch.sweptSinceMs) > DAY_MS;
	if (!place.hasFailed || isLong) Object.assign(watch, { isComplete: true, sweptSinceMs: nowMs });
	delete watch.place;
}
