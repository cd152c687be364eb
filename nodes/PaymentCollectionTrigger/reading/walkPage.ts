import { SET_ASIDE } from '../cursor/cursor';
import type { Walk } from '../cursor/cursor';
import type { ChargePage } from '../list/chargePage';
import { coordinateAt, pageHolding } from '../list/coordinates';
import { LATEST, newestOf } from '../timestamps';
import { payBack } from './ledger';
import { learnOrder } from './order';
import { isUnread, judgePage } from './run';
import type { Run } from './run';
import { mergeRanges } from './unreadRanges';

/** What a walk has seen in this poll. */
export interface Steps {
	readonly keys: Set<string>;
	/** Rows that can't be read. */
	unreadable: number;
	/** From the new end on. */
	readonly pages: ChargePage[];
	/** Pages in a row, up to the last one, that showed nothing else than those before. */
	seenPages: number;
	/** It began in this poll, at the new end. */
	readonly isFromNewEnd: boolean;
}

/** Pages in a row that repeat the one before: a single one may have been moved on by a whole page of rows that came in. */
const MAX_REPEATS = 2;
/** Pages in a row that show nothing new before they count as lying behind the end, though it is said that more follow. */
const MAX_SEEN_PAGES = 10;

/**
 * Reads and judges the next page of a walk.
 *
 * @returns `oldEnd` when no page follows, `pause` when the walk has to wait for the next poll
 */
export async function walkPage(
	run: Run,
	present: Walk,
	steps: Steps,
): Promise<'on' | 'oldEnd' | 'pause'> {
	const { cursor, list } = run;
	if (present.below <= 0) return 'oldEnd';
	const isProbe = needsProbe(run, present);
	const number = pageHolding(isProbe ? 0 : present.below - 1, cursor.list);
	const page = await list.read(number);
	if (cursor.walk !== present) return 'on';
	if (page === undefined) {
		if (!list.hasFailed(number) || (!isProbe && mayComeBack(run, present))) return 'pause';
		if (isProbe) present.pages += 1;
		else passOver(run, present, number);
		return list.mayRead ? 'on' : 'pause';
	}
	present.pages += 1;
	present.failures = 0;
	// The row may stand on another page by now, when others have left meanwhile.
	const isElsewhere = pageHolding(present.below - 1, cursor.list) !== number;
	const isFound = page.slots.some(({ coordinate }) => coordinate === present.below - 1);
	if (isProbe || (isElsewhere && !isFound)) return 'on';
	const { newEnd, pageSize, length } = cursor.list;
	const isFirstPage = newEnd === 'firstPage';
	if (page.slots.length === 0 && isFirstPage) {
		return page.isAgain && (await hasMoved(run, number)) ? 'on' : 'oldEnd';
	}
	const isCounted = length.kind === 'counted';
	if (!isCounted && isFirstPage && isBehindEnd(page, present, steps)) return 'oldEnd';
	const isRepeated = !isCounted && page.content === present.pageContent;
	if (!isRepeated && !judgeWalked(run, page, present, steps)) return 'pause';
	present.pageContent = page.content;
	// Where a page is short, there is nothing more of it to come.
	const last = isFirstPage ? number * pageSize - 1 : (number - 1) * pageSize;
	present.below = Math.min(present.below, Math.max(0, coordinateAt(last, cursor.list)));
	const isLast = isFirstPage ? page.end === 'said' : page.number === 1;
	return isLast ? 'oldEnd' : 'on';
}

/** The second page of the first walk is the one at the old end: where it is not there, the count is wrong. */
const needsProbe = ({ cursor: { list } }: Run, { purpose, pages }: Walk): boolean =>
	purpose === 'first' &&
	pages === 1 &&
	list.newEnd === 'firstPage' &&
	list.length.kind === 'counted';

/** Without a count, pages that show what was seen before lie behind the end. */
function isBehindEnd(page: ChargePage, present: Walk, steps: Steps): boolean {
	const { keys, pages } = steps;
	present.repeats = page.content === present.pageContent ? present.repeats + 1 : 0;
	const isSeen =
		pages.length > 0 && page.slots.every(({ row }) => row !== undefined && keys.has(row.key));
	steps.seenPages = isSeen ? steps.seenPages + 1 : 0;
	// Whole pages that came in meanwhile make others show again.
	const most = page.saysNext ? MAX_SEEN_PAGES : MAX_REPEATS;
	return present.repeats >= MAX_REPEATS || steps.seenPages >= most;
}

/** A page that shows the one before once more lies behind the end, or a whole page of rows came in just before. */
async function hasMoved({ list }: Run, number: number): Promise<boolean> {
	const before = await list.read(number - 1);
	list.forget();
	const now = await list.read(number - 1);
	return before !== undefined && now?.content !== before.content;
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

/**
 * Judges the rows of a page that the walk has come to, the newest first.
 * @returns false when one of them has to wait for the next poll, and the walk with it
 */
function judgeWalked(run: Run, page: ChargePage, present: Walk, steps: Steps): boolean {
	const { cursor, novelty } = run;
	judgePage(run, page);
	const own = page.slots.filter(({ coordinate }) => coordinate < present.below);
	const rows = own.flatMap(({ row }) => row ?? []);
	for (const slot of [...own].reverse()) {
		if (slot.row === undefined || isUnread(cursor, slot.coordinate)) continue;
		const verdict = novelty.judgeBacklog(slot.row);
		if (verdict === 'waiting') return false;
		if (verdict === 'new') payBack(run);
	}
	// Rows that stay where they are show once: one that shows twice has kept another from showing.
	const showsTwice = rows.some(({ key }) => steps.keys.has(key));
	// In a list with a count an unread range holds what can't be read; without one, the window has to stay.
	const hidesOne =
		cursor.list.length.kind === 'uncounted' &&
		own.some(({ row, unreadableKey: key }) => !row && !(key && novelty.known.has(key)));
	if (showsTwice || hidesOne) present.isUnsure = true;
	for (const { key } of rows) steps.keys.add(key);
	steps.unreadable += own.length - rows.length;
	steps.pages.push(page);
	learnOrder(run, present, rows);
	const dates = rows.map(({ created }) => created);
	present.newest = newestOf([...present.newest, ...dates], run.nowMs);
	return true;
}
