import { EARLIEST, latest, shift } from '../../shared/timestamps';
import { isOlderThan } from '../list/chargePages';
import type { ChargePage } from '../list/chargePages';
import type { Watch } from '../state/state';
import { newestListed } from './run';
import type { Run } from './run';

/** Pages that a poll reads until all watched charges were looked at once. */
const FIRST_PAGES = 50;
/** A page that fails for longer is left out. */
const PATIENCE_MS = 86_400_000;

/** Reads the next pages of the watched days, round and round from the new end. */
export async function sweep(run: Run): Promise<void> {
	const { state, list, settings } = run;
	const { watch } = state;
	if (watch === undefined) return;
	if (state.newest !== undefined) {
		const from = shift(newestListed(run), -settings.watchMs);
		watch.from = latest(from, watch.from ?? from);
	}
	const { from = EARLIEST } = watch;
	const isEnd = (page: ChargePage) =>
		list.isOldEnd(page) || (list.isByDate && isOlderThan(page, from));
	let pages = watch.isComplete ? settings.sweepPages : Math.max(FIRST_PAGES, settings.sweepPages);
	const last = await list.walk((watch.place ??= { nextPage: list.newEnd }), (page) => {
		run.judge.lookAt(page);
		pages -= 1;
		return pages === 0 || isEnd(page);
	});
	if (last === 'failed' || (last !== 'none' && isEnd(last))) endSweep(watch, run.nowMs);
}

function endSweep(watch: Watch, nowMs: number): void {
	const isLong = Math.abs(nowMs - watch.sweptSinceMs) > PATIENCE_MS;
	if (!watch.place?.hasFailed || isLong) {
		watch.isComplete = true;
		watch.sweptSinceMs = nowMs;
	}
	delete watch.place;
}
