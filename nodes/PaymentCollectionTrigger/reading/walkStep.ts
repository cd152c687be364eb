import { SET_ASIDE } from '../cursor/cursor';
import type { Walk } from '../cursor/cursor';
import { coordinateAt, pageHolding } from '../list/coordinates';
import type { ChargePage } from '../list/chargePage';
import { judgeWalked } from './judgeWalked';
import type { Steps } from './judgeWalked';
import { mergeRanges } from './unreadRanges';
import type { Run } from './run';
import { LATEST } from '../timestamps';

/** Pages in a row that repeat the one before: a single one may have been moved on by a whole page of rows that came in. */
const MAX_REPEATS = 2;
/** Pages in a row that show nothing new before they count as lying behind the end, though it is said that more follow. */
const MAX_SEEN_PAGES = 10;

/**
 * Reads and judges the next page of a walk.
 *
 * @returns `oldEnd` when no page follows, `pause` when the walk has to wait for the next poll
 */
export async function step(
	run: Run,
	present: Walk,
	steps: Steps,
): Promise<'on' | 'oldEnd' | 'pause'> {
	const { cursor, list } = run;
	if (present.below <= 0) return 'oldEnd';
	const isTried = isProbe(run, present);
	const number = pageHolding(isTried ? 0 : present.below - 1, cursor.list);
	const page = await list.read(number);
	if (cursor.walk !== present) return 'on';
	if (page === undefined) {
		if (!list.hasFailed(number) || (!isTried && mayComeBack(run, present))) return 'pause';
		if (isTried) present.pages += 1;
		else passOver(run, present, number);
		return list.mayRead ? 'on' : 'pause';
	}
	present.pages += 1;
	present.failures = 0;
	// The row may stand on another page by now, when others have left meanwhile.
	const isElsewhere = !isTried && pageHolding(present.below - 1, cursor.list) !== number;
	const isFound = page.slots.some(({ coordinate }) => coordinate === present.below - 1);
	if (isTried || (isElsewhere && !isFound)) return 'on';
	const isFirstPage = cursor.list.newEnd === 'firstPage';
	// Without a count, a page that shows nothing but what was seen lies behind the end.
	const isCounted = cursor.list.length.kind === 'counted';
	present.repeats = page.content === present.pageContent ? present.repeats + 1 : 0;
	const isAgain = present.repeats >= MAX_REPEATS;
	if (page.slots.length === 0 && isFirstPage) {
		return page.isAgain && (await hasMoved(run, number)) ? 'on' : 'oldEnd';
	}
	if (!isCounted && isFirstPage && (isAgain || isBehindEnd(page, steps))) return 'oldEnd';
	const isRepeated = !isCounted && present.repeats > 0;
	if (!isRepeated && !judgeWalked(run, page, present, steps)) return 'pause';
	present.pageContent = page.content;
	// Where a page is short, there is nothing more of it to come.
	const { pageSize, newEnd } = cursor.list;
	const last = newEnd === 'firstPage' ? number * pageSize - 1 : (number - 1) * pageSize;
	present.below = Math.min(present.below, Math.max(0, coordinateAt(last, cursor.list)));
	const isLast = isFirstPage ? page.end === 'said' : page.number === 1;
	return isLast ? 'oldEnd' : 'on';
}

/** The second page of the first walk is the one at the old end: where it is not there, the count is wrong. */
const isProbe = ({ cursor: { list } }: Run, { purpose, pages }: Walk): boolean =>
	purpose === 'first' &&
	pages === 1 &&
	list.newEnd === 'firstPage' &&
	list.length.kind === 'counted';

/** A page that shows the one before once more lies behind the end, or a whole page of rows came in just before. */
async function hasMoved({ list }: Run, number: number): Promise<boolean> {
	const before = await list.read(number - 1);
	list.forget();
	const now = await list.read(number - 1);
	return before !== undefined && now?.content !== before.content;
}

function isBehindEnd({ slots, saysNext }: ChargePage, steps: Steps): boolean {
	const { keys, pages } = steps;
	const isSeen =
		pages.length > 0 && slots.every(({ row }) => row !== undefined && keys.has(row.key));
	steps.seenPages = isSeen ? steps.seenPages + 1 : 0;
	// Whole pages that came in meanwhile make others show again.
	return isSeen && steps.seenPages >= (saysNext ? MAX_SEEN_PAGES : MAX_REPEATS);
}

/** Without a count, nobody could find what of the past stands on a page that was left out: it is tried again first. */
function mayComeBack({ cursor: { list } }: Run, present: Walk): boolean {
	if (present.backlog === undefined || list.length.kind === 'counted') return false;
	present.failures += 1;
	return present.failures < SET_ASIDE;
}

/** A page that fails is left out, and what stands on it looked for by another walk, or as unread where it has places. */
function passOver({ cursor }: Run, present: Walk, number: number): void {
	present.isUnsure = true;
	const to = present.below;
	while (present.below > 0 && pageHolding(present.below - 1, cursor.list) === number) {
		present.below -= 1;
	}
	if (present.backlog === undefined || cursor.list.length.kind !== 'counted') return;
	const { since, currency } = present.backlog;
	const upTo = cursor.silence?.upTo ?? LATEST;
	const backlog = currency === undefined ? { upTo } : { upTo, currency };
	const range = { from: present.below, to, since, backlog, failures: SET_ASIDE };
	cursor.unread = mergeRanges([...cursor.unread, range].sort((a, b) => a.from - b.from));
}
