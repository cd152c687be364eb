import type { Walk } from '../cursor/walk';
import type { ChargePage } from '../list/chargePage';
import { lengthOf } from '../list/coordinates';
import { beginAnew, refuteCount } from '../reading/ledger';
import type { Run } from '../reading/run';
import { MAX_UNSURE } from './walkState';
import type { Steps } from './walkState';

/** Pages in a row that repeat the one before: a single one may have been moved on by a whole page of rows that came in. */
export const MAX_REPEATS = 2;
/** Pages in a row that show nothing new before they count as lying behind the end, though it is said that more follow. */
const MAX_SEEN_PAGES = 10;

/** Without a count, pages that show what was seen before lie behind the end. */
export function isBehindEnd(page: ChargePage, walk: Walk, steps: Steps): boolean {
	const { keys, pages } = steps;
	walk.repeats = page.content === walk.pageContent ? walk.repeats + 1 : 0;
	const isSeen =
		pages.length > 0 && page.slots.every(({ row }) => row !== undefined && keys.has(row.key));
	steps.seenPages = isSeen ? steps.seenPages + 1 : 0;
	// Whole pages that came in meanwhile make others show again.
	const most = page.saysNext ? MAX_SEEN_PAGES : MAX_REPEATS;
	return walk.repeats >= MAX_REPEATS || steps.seenPages >= most;
}

/** A page that shows the one before once more lies behind the end, or a whole page of rows came in just before. */
export async function hasMoved({ list }: Run, number: number): Promise<boolean> {
	const before = await list.read(number - 1);
	list.forget();
	const now = await list.read(number - 1);
	return before !== undefined && now?.content !== before.content;
}

/** An end that the count alone tells is believed once the page behind it was seen to be empty, or the last one short. */
export async function isEndConfirmed(run: Run, { pages, isFromNewEnd }: Steps): Promise<boolean> {
	const { cursor, list } = run;
	const last = cursor.list.newEnd === 'firstPage' ? pages.at(-1) : pages[0];
	const isLast = cursor.list.newEnd === 'firstPage' || isFromNewEnd;
	const isTrusted = last?.end === 'said' && cursor.walk?.purpose !== 'first';
	if (last === undefined || !isLast || isTrusted || last.slots.length === 0) return true;
	if (last.number > 1 && last.slots.length < cursor.list.pageSize) return true;
	const walkBefore = cursor.walk;
	const lengthBefore = lengthOf(cursor.list);
	const next = await list.read(last.number + 1);
	if (cursor.walk !== walkBefore) return false;
	// Where rows came in meanwhile, they have moved others behind what was the end.
	const isNewEnd = cursor.list.newEnd === 'lastPage' && cursor.list.length.kind === 'uncounted';
	const hasGrown = !isNewEnd && lengthOf(cursor.list) !== lengthBefore;
	// Nobody can say whether it was the end. Where none of several walks could ask, what the list says has to do.
	const mayAskAgain = cursor.window.unsureWalks < MAX_UNSURE;
	if (next === undefined && cursor.walk?.purpose === 'first' && mayAskAgain)
		cursor.walk.isUnsure = true;
	if (next === undefined || next.slots.length === 0 || hasGrown) return true;
	if (next.content === last.content) return true;
	if (cursor.list.length.kind === 'counted') refuteCount(cursor);
	else beginAnew(cursor);
	return false;
}
