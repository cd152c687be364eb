import type { Cursor, ListFacts } from '../cursor/cursor';
import type { ChargePage } from '../list/chargePage';
import { pageFromNewEnd, pageHolding } from '../list/coordinates';
import { forgetNewEnd } from './ledger';
import { judgePage } from './run';
import type { Run } from './run';
import { MAX_REPEATS } from '../walk/walkEnd';
import { begin } from './begin';
import { isUnread } from './unreadRanges';

/**
 * Pages that are tried when the one at the new end fails: a row that breaks a page should not hide the others. The last
 * one tried is the first of the list where that is the old end: it is there whatever the count says.
 */
const TRIES = 3;
/** Pages that may follow the one that was the last. */
const MAX_FOLLOWING = 50;

/**
 * Reads the page at the list's new end, and what lies right below the rows that came in: where rows left unnoticed,
 * more are new than the count says.
 */
export async function readNewEnd(run: Run): Promise<void> {
	const { cursor, list } = run;
	const isFirstAnswer = cursor.list.length.kind === 'unknown';
	const pages: ChargePage[] = [];
	for (let offset = 0; offset < TRIES && pages.length === 0; offset++) {
		const isLastTry = offset === TRIES - 1 && cursor.list.newEnd === 'lastPage';
		const number = isLastTry ? 1 : (pageFromNewEnd(offset, cursor.list) ?? 1);
		const page = await list.read(number);
		if (page !== undefined) pages.push(page);
		// Another page is no answer to what there was no time to ask.
		else if (!list.hasFailed(number)) return;
	}
	const [first] = pages;
	if (first === undefined || cursor.list.length.kind === 'unknown') return;
	if (first.slots.length === 0) retreat(cursor, first.number);
	if (cursor.list.newEnd === 'lastPage') {
		// Only the first answer can be the wrong page: it told where the new end is.
		const number = isFirstAnswer ? pageFromNewEnd(0, cursor.list) : undefined;
		const last = (number === undefined ? undefined : await list.read(number)) ?? first;
		if (last !== first) pages.push(last);
		// A list that has grown beyond its count has a wrong one.
		pages.push(...(await following(run, last, isFirstAnswer)));
	}
	if (isFirstAnswer) begin(run, pages);
	for (const page of pages) judgePage(run, page);
	await readOnWhileNew(run, first);
}

/**
 * Without a count, only reading on shows where the list ends now. What could not be told would be forgotten behind what
 * is newer, so the list counts as read no further than that.
 */
async function following(run: Run, from: ChargePage, isFirst: boolean): Promise<ChargePage[]> {
	const { cursor, list, novelty } = run;
	const pages: ChargePage[] = [];
	if (!isFirst) judgePage(run, from);
	let last = from;
	const seen = new Set(keysOf(from));
	let isOpen = last.slots.length > 0;
	const mayFollow = () => pages.length < MAX_FOLLOWING && list.requests.mayRead && novelty.room > 0;
	while ((last.end === 'open' || isDenied(last, cursor.list)) && mayFollow()) {
		const page = await list.read(last.number + 1);
		if (page === undefined) break;
		const keys = keysOf(page);
		// Behind the end, some services give rows of the last pages once more.
		isOpen = page.slots.length > 0 && (keys.length === 0 || keys.some((key) => !seen.has(key)));
		if (!isOpen) break;
		for (const key of keys) seen.add(key);
		if (!isFirst) judgePage(run, page);
		pages.push(page);
		last = page;
	}
	const { length, pageSize } = cursor.list;
	if (length.kind !== 'uncounted') return pages;
	length.seen = (last.number - 1) * pageSize + last.slots.length;
	length.isOpen = last.end === 'open' && isOpen && novelty.room > 0;
	return pages;
}

/** A full page ends where the count says, and names another one: some counts go no further than a maximum. */
const isDenied = ({ end, saysNext, slots }: ChargePage, { pageSize }: ListFacts): boolean =>
	end === 'byCount' && saysNext === true && slots.length === pageSize;

const keysOf = ({ rows }: ChargePage): string[] => rows.map(({ key }) => key);

/** No rows where the last ones should be: the list ends before them, if it is what it was taken for. */
function retreat(cursor: Cursor, number: number): void {
	const { list } = cursor;
	const { length, pageSize } = list;
	if (length.kind !== 'uncounted' || number === 1) {
		forgetNewEnd(cursor);
		return;
	}
	const seen = Math.min(length.seen, (number - 1) * pageSize);
	list.length = { kind: 'uncounted', seen, isOpen: false };
}

async function readOnWhileNew(run: Run, first: ChargePage): Promise<void> {
	const { cursor, list, novelty } = run;
	const isNew = ({ slots: [lowest] }: ChargePage): boolean =>
		lowest?.row !== undefined && novelty.taken.has(lowest.row.key);
	const newest = cursor.unread.at(-1);
	const top = newest?.failures === 0 ? newest.from : undefined;
	let below = top ?? (isNew(first) ? first.slots[0]?.coordinate : undefined);
	let repeats = 0;
	let content: string | undefined;
	while (below !== undefined && below > 0 && list.requests.mayRead) {
		if (novelty.room <= 0) {
			// Without a count no unread range holds what may come below: only a walk can find it.
			run.leftBehind ||= cursor.list.length.kind === 'uncounted';
			return;
		}
		const next = below - 1;
		if (isUnread(cursor, next)) return;
		const page = await list.read(pageHolding(next, cursor.list));
		if (page === undefined) return;
		const newBefore = novelty.taken.size;
		judgePage(run, page);
		// Whole pages that came in meanwhile make others show again; but some services give the last page again and again.
		repeats = novelty.taken.size === newBefore ? repeats + 1 : 0;
		if (repeats > MAX_REPEATS || (repeats > 0 && page.content === content)) return;
		content = page.content;
		const lowest = page.slots[0]?.coordinate;
		below = lowest !== undefined && lowest < below && isNew(page) ? lowest : undefined;
	}
}
