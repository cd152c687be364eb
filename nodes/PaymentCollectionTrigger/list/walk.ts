import type { ChargeList } from './chargeList';
import type { ChargePage } from './chargePages';

/** Pages in a row that may fail before another place is asked whether the service is down. */
const FAILURES_BEFORE_PROBE = 3;

/** Where a walk stands. */
export interface Place {
	/** The next page to read. */
	nextPage: number;
	readonly step: 1 | -1;
	/** A page failed and was passed over. */
	hasFailed?: true;
}

/**
 * Reads page after page until one is the last. Pages that fail are passed over, unless the service is down.
 *
 * @param place moved on with each page that was read
 * @param visit says whether the page was the last one that is of interest
 * @returns whether the last page of interest, or an end of the list, was reached; if not, the next poll goes on from `place`
 */
export async function walk(
	list: ChargeList,
	place: Place,
	visit: (page: ChargePage) => 'goOn' | 'end',
): Promise<boolean> {
	let failures = 0;
	for (;;) {
		const number = place.nextPage + place.step * failures;
		const isEnd = number < 1 || (failures > 0 && list.isBehindEnd(number));
		if (isEnd) return moveTo(place, number, failures > 0);
		const page = await list.read(number);
		if (page === 'none') {
			// Pages that failed have had their turn, and may take all the time that there is.
			if (failures > 0) moveTo(place, number, true);
			return false;
		}
		if (page === 'failed') {
			if (list.isBehindEnd(number)) return moveTo(place, number, failures > 0);
			failures += 1;
			if (failures === FAILURES_BEFORE_PROBE && !(await list.answersFarFrom(number))) return false;
			continue;
		}
		moveTo(place, number + place.step, failures > 0);
		failures = 0;
		if (visit(page) === 'end') return true;
	}
}

function moveTo(place: Place, nextPage: number, hasFailed: boolean): true {
	place.nextPage = nextPage;
	if (hasFailed) place.hasFailed = true;
	return true;
}
