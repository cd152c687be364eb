import { DAY_MS, EARLIEST, latest, shift } from '../../shared/timestamps';
import { isOlderThan, type Page } from '../list/pages';
import { newestListed, type Poll } from './judge';

/** Pages that a poll reads until all watched charges were looked at once. */
const FIRST_PAGES = 50;

/** Reads the next pages of the watched days, round and round from the new end; those that this poll has read cost nothing. */
export async function sweep(poll: Poll): Promise<void> {
	const { state, list, settings, nowMs } = poll;
	const { watch } = state;
	if (watch === undefined) return;
	const from = latest(shift(newestListed(poll), -settings.watchMs), watch.from ?? EARLIEST);
	watch.from = from;
	const isEnd = (page: Page) => list.isOldEnd(page) || (list.isByDate && isOlderThan(page, from));
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
