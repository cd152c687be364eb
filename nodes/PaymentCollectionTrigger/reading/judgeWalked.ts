import type { Walk } from '../cursor/cursor';
import type { ChargePage } from '../list/chargePage';
import type { ChargeRow } from '../list/chargeRow';
import { directionOf } from '../list/newEnd';
import { latest, shift } from '../timestamps';
import { presentAt } from './begin';
import { payBack } from './ledger';
import { isUnread, judgePage } from './run';
import type { Run } from './run';
import { withNewest } from './walkState';

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
	readonly isFromTop: boolean;
}

/**
 * Judges the rows of a page that the walk has come to, the newest first.
 * @returns false when one of them has to wait for the next poll, and the walk with it
 */
export function judgeWalked(run: Run, page: ChargePage, present: Walk, steps: Steps): boolean {
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
		own.some(
			({ row, unreadableKey }) =>
				row === undefined && !(unreadableKey !== undefined && novelty.known.has(unreadableKey)),
		);
	if (showsTwice || hidesOne) present.isUnsure = true;
	for (const { key } of rows) steps.keys.add(key);
	steps.unreadable += own.length - rows.length;
	steps.pages.push(page);
	learnOrder(run, present, rows);
	const dates = rows.map(({ created }) => created);
	present.newest = withNewest(present.newest, dates, presentAt(run.nowMs));
	return true;
}

/** In a list by date no page holds a charge much newer than the one before it, nor one of the window behind older ones. */
function learnOrder(
	{ cursor, lookbackMs, nowMs }: Run,
	present: Walk,
	rows: readonly ChargeRow[],
): void {
	const start = latest(cursor.window.start, cursor.knownSince);
	const [newest] = withNewest(
		[],
		rows.map(({ created }) => created),
		presentAt(nowMs),
	);
	const { pageNewest, sawOlderPage } = present;
	const isMuchNewer =
		newest !== undefined && pageNewest !== undefined && newest > shift(pageNewest, lookbackMs);
	const isBehindOlder = sawOlderPage && newest !== undefined && newest >= start;
	if (isMuchNewer || isBehindOlder) present.sawDisorder = true;
	// It may also be in order from the other end: a walk to the old end tells.
	const direction = directionOf(rows);
	// Without a count nothing else shows that a walk has ended too early.
	const isUnclear = direction === 'unclear' && cursor.list.length.kind === 'uncounted';
	if (isUnclear) present.sawDisorder = true;
	if (present.sawDisorder || direction === 'newToOld') cursor.list.order = 'none';
	const isOlder = rows.length > 0 && rows.every(({ created }) => created < start);
	if (isOlder) present.sawOlderPage = true;
	if (newest !== undefined) present.pageNewest = newest;
}
