import { SET_ASIDE } from '../cursor/cursor';
import type { Cursor, UnreadRange } from '../cursor/cursor';
import type { ChargePage } from '../list/chargePage';
import { datesOf } from '../list/chargeRow';
import { isSorted } from '../dates';
import { directionOf } from '../list/newEnd';
import { pageHolding } from '../list/coordinates';
import { judgePage } from './run';
import type { Run } from './run';
import { owe } from './ledger';
import { reclaimAbove, reclaimBelow } from './reclaim';
import { mergeRanges, rangeAt } from './unreadRanges';

/** Pages of ranges set aside that one poll tries again. */
const RETRIES = 2;
/** Requests for one row in one poll: a page may hold others than it was asked for, when more came in meanwhile. */
const MAX_TRIES = 3;

/**
 * Reads what is unread, the oldest first. A page that fails holds up what lies above it for some polls, so that
 * charges are told in their order; then it is set aside, and tried again in every poll.
 */
export async function readUnread(run: Run): Promise<void> {
	const { cursor, novelty, tries } = run;
	await reclaimBelow(run);
	while (novelty.room > 0) {
		const range = cursor.unread.find(
			({ from, failures }) => failures < SET_ASIDE && (tries.get(from) ?? 0) < MAX_TRIES,
		);
		if (range === undefined) break;
		const { from } = range;
		tries.set(from, (tries.get(from) ?? 0) + 1);
		const outcome = await readAt(run, from);
		if (outcome === 'noTime') return;
		if (outcome === 'failed' && !isSetAside(run, from)) return;
	}
}

/** Tries what was set aside once more, when there is time left: where that is a lot, each page in its turn. */
export async function retrySetAside(run: Run): Promise<void> {
	const { cursor, novelty } = run;
	for (let retries = 0; retries < RETRIES && novelty.room > 0; retries++) {
		const aside = cursor.unread.filter(({ failures }) => failures >= SET_ASIDE);
		const { retriedUpTo = 0 } = cursor;
		const range = aside.find(({ to }) => to > retriedUpTo) ?? aside[0];
		if (range === undefined) return;
		const at = range.to > retriedUpTo ? Math.max(range.from, retriedUpTo) : range.from;
		cursor.retriedUpTo = endOnPage(cursor, range, at);
		await readAt(run, at);
	}
}

/** Up to where a range goes on the page that holds one of its coordinates. */
function endOnPage({ list }: Cursor, range: UnreadRange, coordinate: number): number {
	const number = pageHolding(coordinate, list);
	let end = coordinate + 1;
	while (end < range.to && pageHolding(end, list) === number) end += 1;
	return end;
}

const isSetAside = ({ cursor }: Run, from: number): boolean =>
	cursor.unread.some((range) => range.from === from && range.failures >= SET_ASIDE);

async function readAt(run: Run, coordinate: number): Promise<'read' | 'failed' | 'noTime'> {
	const { cursor, list } = run;
	const number = pageHolding(coordinate, cursor.list);
	const page = await list.read(number);
	if (page === undefined) {
		if (!list.hasFailed(number)) return 'noTime';
		countFailure(run, coordinate);
		return 'failed';
	}
	judgePage(run, page);
	const range = rangeAt(cursor, coordinate);
	if (takeFrom(run, page) > 0 && range !== undefined) await reclaimAbove(run, range);
	const isThere = page.slots.some((slot) => slot.coordinate === coordinate);
	if (isThere || pageHolding(coordinate, cursor.list) !== number) return 'read';
	countFailure(run, coordinate);
	return 'failed';
}

/**
 * Judges the rows of a page that are unread, from the oldest on, and takes them out of the ranges.
 * @returns how many were known
 */
function takeFrom(run: Run, page: ChargePage): number {
	const { cursor, novelty, seen } = run;
	const low = page.slots[0]?.coordinate ?? 0;
	const order = isSorted(datesOf(page.rows)) ? 'byDate' : directionOf(page.rows);
	const left: UnreadRange[] = [];
	let known = 0;
	for (const range of cursor.unread) {
		const from = Math.max(range.from, low);
		const to = Math.min(range.to, low + page.slots.length);
		if (from >= to) {
			left.push(range);
			continue;
		}
		if (range.from < from) left.push({ ...range, to: from });
		for (let at = from; at < to; at++) {
			const row = page.slots[at - low]?.row;
			if (row === undefined) {
				// It is passed over, and tried again.
				left.push({ ...range, from: at, to: at + 1, failures: SET_ASIDE });
				continue;
			}
			const verdict = novelty.judgeUnread(row, range, order);
			if (verdict === 'waiting') {
				left.push({ ...range, from: at, to });
				break;
			}
			if (verdict === 'known') known += 1;
			if (verdict === 'known' || (verdict !== 'new' && range.backlog === undefined))
				owe(cursor, range.since);
			seen.set(row.key, row);
		}
		if (to < range.to) left.push({ ...range, from: to });
	}
	cursor.unread = mergeRanges(left);
	return known;
}

/** The page that holds a coordinate failed, or ends before it: the part of the range that stands there bears it. */
function countFailure({ cursor, failed: counted }: Run, coordinate: number): void {
	if (counted.has(coordinate)) return;
	counted.add(coordinate);
	cursor.unread = mergeRanges(
		cursor.unread.flatMap((range) => {
			if (range.from !== coordinate) return [range];
			const end = endOnPage(cursor, range, coordinate);
			const failed = { ...range, to: end, failures: range.failures + 1 };
			return end < range.to ? [failed, { ...range, from: end }] : [failed];
		}),
	);
}
