import { clock } from '../../shared/clock';
import { fromMs, latest } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import type { Cursor } from '../cursor/cursor';
import { MOST_AHEAD_MS } from '../dates';
import { ChargeList } from '../list/chargeList';
import { isLast } from '../list/chargePage';
import type { ChargePage } from '../list/chargePage';
import type { FetchPage, RawPage } from '../list/chargePages';
import { pageFromNewEnd, pageHolding } from '../list/coordinates';
import { KnownCharges } from './knownCharges';

/** Pages of charges that came in since the last poll, at most. */
const MAX_PAGES = 20;

/** Whose list it is. */
export type Recognition =
	| { readonly kind: 'same' | 'another' }
	| {
			readonly kind: 'unknown';
			/** When the newest charge that was read was created. */
			readonly newest: Instant | undefined;
			/** Asking has left no time to read the list. */
			readonly isOutOfTime: boolean;
	  };

const SAME: Recognition = { kind: 'same' };

/** Hands the answers that were read to find out whose list it is to the poll that follows, once each. */
export function readingAhead(fetchPage: FetchPage): { ahead: FetchPage; after: FetchPage } {
	const answers = new Map<number, RawPage>();
	return {
		ahead: async (page) => {
			const answer = await fetchPage(page);
			answers.set(page, answer);
			return answer;
		},
		after: async (page) => {
			const answer = answers.get(page);
			answers.delete(page);
			return answer ?? (await fetchPage(page));
		},
	};
}

/**
 * Whether the list is the one that a state of another key or base URL is about: then the key was renewed, or the service
 * has moved. A charge that the state knows tells.
 *
 * @returns `unknown` when none was found, but not all that may show one could be read
 * @throws {ServiceFailure} when no page could be read
 */
export async function isListOf(
	former: Cursor,
	fetchPage: FetchPage,
	deadlineMs: number,
): Promise<Recognition> {
	const cursor = structuredClone(former);
	const list = new ChargeList(fetchPage, cursor, deadlineMs);
	const known = new KnownCharges(former);
	// None of the far future.
	const latestDate = fromMs(clock.now() + MOST_AHEAD_MS);
	let newest: Instant | undefined;
	// A service to test with, begun anew, may have the same IDs, but at other times.
	const showsKnown = (page: ChargePage | undefined): boolean =>
		(page?.rows ?? []).some(({ key, created }) => {
			if (created <= latestDate) newest = latest(newest ?? created, created);
			return known.hasCreated(key, created);
		});
	for (const number of likelyPages(cursor)) if (showsKnown(await list.read(number))) return SAME;
	let hasFailed = list.hasFailed(pageToldLast(cursor) ?? 1);
	for (let offset = 0; offset < MAX_PAGES; offset++) {
		const number = pageFromNewEnd(offset, cursor.list);
		if (number === undefined) break;
		const page = await list.read(number);
		if (showsKnown(page)) return SAME;
		hasFailed ||= page === undefined;
		// It does not remember older ones.
		const isOld = (page?.rows ?? []).every(({ created }) => created < former.window.start);
		const isEnd =
			cursor.list.newEnd === 'firstPage' && page !== undefined && isLast(page, cursor.list);
		if (page !== undefined && (isOld || isEnd)) break;
	}
	if (!list.hasLearned && list.error !== undefined) throw list.error;
	const { isOutOfTime } = list.requests;
	return hasFailed ? { kind: 'unknown', newest, isOutOfTime } : { kind: 'another' };
}

/** Where charges stand that the state knows, if the list has not changed much. */
function* likelyPages(cursor: Cursor): Generator<number> {
	yield pageFromNewEnd(0, cursor.list) ?? 1;
	// It is there however short another account's list is, and may say how long that is.
	yield 1;
	const toldLast = pageToldLast(cursor);
	if (toldLast !== undefined) yield toldLast;
}

/** What a backlog has told last stands below what is left of it, however much that is. */
function pageToldLast({ unread: [left], list }: Cursor): number | undefined {
	return left !== undefined && left.from > 0 ? pageHolding(left.from - 1, list) : undefined;
}
