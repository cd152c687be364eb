import type { Cursor } from '../cursor/cursor';
import { ChargeList } from '../list/chargeList';
import type { ChargePage } from '../list/chargePage';
import type { FetchPage, RawPage } from '../list/chargePages';
import type { ChargeRow } from '../list/chargeRow';
import { pageFromNewEnd, pageHolding } from '../list/coordinates';
import { KnownCharges } from './knownCharges';

/** Pages of charges that came in since the last poll, at most. */
const MAX_PAGES = 20;

/** Hands the answers that were read to find out whose list it is to the poll that follows, once each. */
export function readingAhead(fetchPage: FetchPage): { ahead: FetchPage; after: FetchPage } {
	const answers = new Map<number, RawPage>();
	return {
		ahead: async (page, deadlineMs) => {
			const answer = await fetchPage(page, deadlineMs);
			answers.set(page, answer);
			return answer;
		},
		after: async (page, deadlineMs) => {
			const answer = answers.get(page);
			answers.delete(page);
			return answer ?? (await fetchPage(page, deadlineMs));
		},
	};
}

/**
 * Whether the list is the one that a state of another key or base URL is about: then the key was renewed, or the service
 * has moved. A charge that the state knows tells.
 *
 * @throws {ServiceFailure} when no page could be read
 */
export async function isListOf(
	former: Cursor,
	fetchPage: FetchPage,
	deadlineMs: number,
): Promise<boolean> {
	const known = new KnownCharges(former);
	// A service to test with, begun anew, may have the same IDs, but at other times.
	const showsKnown = (page: ChargePage | undefined): boolean =>
		rowsOf(page).some(({ key, created }) => known.hasCreated(key, created));
	const cursor = structuredClone(former);
	const list = new ChargeList(fetchPage, cursor, deadlineMs);
	// It is there however long the list is, and may say how long that is.
	await list.read(1);
	// What a backlog has told last stands below what is left of it, however much that is.
	const [left] = cursor.unread;
	if (left !== undefined && left.from > 0)
		if (showsKnown(await list.read(pageHolding(left.from - 1, cursor.list)))) return true;
	for (let offset = 0; offset < MAX_PAGES; offset++) {
		const number = pageFromNewEnd(offset, cursor.list);
		if (number === undefined || !list.mayRead) break;
		const page = await list.read(number);
		if (page === undefined) continue;
		if (showsKnown(page)) return true;
		// It does not remember older ones.
		if (rowsOf(page).every(({ created }) => created < former.window.start)) break;
	}
	if (!list.hasLearned && list.error !== undefined) throw list.error;
	return false;
}

const rowsOf = (page: ChargePage | undefined): ChargeRow[] =>
	(page?.slots ?? []).flatMap(({ row }) => row ?? []);
