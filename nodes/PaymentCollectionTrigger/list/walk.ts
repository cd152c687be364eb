import type { Place } from '../state/state';
import type { ChargeList } from './chargeList';
import type { ChargePage } from './chargePages';

/** Pages in a row that may fail before another place is asked whether the service is down. */
const FAILURES_BEFORE_PROBE = 3;

/**
 * Reads page after page towards the old end of the list. Pages that fail are passed over, unless the service is down.
 *
 * @param place moved on with each page that was read
 * @param visit says whether the page is the last one that is of interest
 * @returns whether that page, or the end of the list, was reached; if not, the next poll goes on from `place`
 */
export async function walk(
	list: ChargeList,
	place: Place,
	visit: (page: ChargePage) => boolean,
): Promise<boolean> {
	for (let failures = 0; ; ) {
		const number = place.nextPage + list.step * failures;
		const page = await list.read(number);
		if (page === 'failed') {
			failures += 1;
			if (failures === FAILURES_BEFORE_PROBE && !(await list.answersFarFrom(number))) return false;
			continue;
		}
		// Pages that failed have had their turn, and may take all the time that there is.
		if (failures > 0) Object.assign(place, { nextPage: number, hasFailed: true });
		if (page === 'none') return false;
		place.nextPage = number + list.step;
		failures = 0;
		if (visit(page) || list.isOldEnd(page)) return true;
	}
}
