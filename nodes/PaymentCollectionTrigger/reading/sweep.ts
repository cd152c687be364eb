import { EARLIEST, latest, shift } from '../../shared/timestamps';
import { isOlderThan } from '../list/chargePages';
import type { ChargePage } from '../list/chargePages';
import { walk } from '../list/walk';
import type { Place } from '../list/walk';
import type { Watch } from '../state/state';
import { lookAt, newestListed } from './run';
import type { Run } from './run';

/** Pages that a poll reads until all watched charges were looked at once. */
const FIRST_PAGES = 50;
/** A page that fails for longer is left out. */
const PATIENCE_MS = 86_400_000;

/**
 * Reads the next pages of the watched days, round and round from the new end.
 */
export async function sweep(run: Run): Promise<void> {
	const { state, list, settings } = run;
	const { watch } = state;
	if (watch === undefined) return;
	if (state.newest !== undefined) {
		const from = shift(newestListed(run), -settings.watchMs);
		watch.from = latest(from, watch.from ?? from);
	}
	const isDownwards = state.list.newEnd === 'last' && state.list.isByDate;
	const first = isDownwards ? state.list.lastPage - watch.pagesDone : 1 + watch.pagesDone;
	const place: Place = { nextPage: first, step: isDownwards ? -1 : 1 };
	const pages = watch.isComplete ? settings.sweepPages : Math.max(FIRST_PAGES, settings.sweepPages);
	let left = pages;
	const round = { isOver: false };
	const isOver = await walk(list, place, (page) => {
		lookAt(run, page);
		round.isOver = isEnd(run, watch, page, place.step);
		left -= 1;
		return left > 0 && !round.isOver ? 'goOn' : 'end';
	});
	// Not over for want of time, but since page after page fails.
	const isBarred = !isOver && list.mayRead;
	if (place.hasFailed || isBarred) watch.hasFailed = true;
	watch.pagesDone += Math.abs(place.nextPage - first);
	const isBehindEnd = isOver && (place.nextPage < 1 || list.isBehindEnd(place.nextPage));
	if (round.isOver || isBehindEnd || isBarred) endRound(watch, run.nowMs);
}

function isEnd({ state, list }: Run, { from }: Watch, page: ChargePage, step: number): boolean {
	const isListEnd = step === 1 ? list.isLast(page) : page.number === 1;
	return isListEnd || (state.list.isByDate && isOlderThan(page, from ?? EARLIEST));
}

function endRound(watch: Watch, nowMs: number): void {
	const isLong = Math.abs(nowMs - watch.sweptSinceMs) > PATIENCE_MS;
	if (!watch.hasFailed || isLong) {
		watch.isComplete = true;
		watch.sweptSinceMs = nowMs;
	}
	delete watch.hasFailed;
	watch.pagesDone = 0;
}
