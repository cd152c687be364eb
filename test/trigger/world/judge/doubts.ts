import { DEFAULT_PAGE_SIZE } from '../../../../contract/limits';
import type { FaultKind } from '../service/answers';
import type { ModelService } from '../service/service';
import { isCounted, servedSize } from '../service/traits';
import type { Count, Order } from '../service/traits';
import type { Filters } from '../userChoices';

/** Counts that are there and are not those of the list. */
const WRONG_COUNTS: ReadonlySet<Count['kind']> = new Set(['off', 'constant', 'most', 'page']);
/** The newest rows are not on the first answer, and what comes in before they are read looks like them. */
const OLDEST_FIRST: ReadonlySet<Order> = new Set(['oldest', 'insertedOldest']);
/** The answers by which a service says that there is no such page. */
const DENIALS: ReadonlySet<FaultKind> = new Set(['notFound', 'badRequest', 'unprocessable']);
/** When the trigger begins, an order by date that so many pages show is believed. */
const PAGES_TO_BELIEVE = 50;
/** One reading takes several polls. */
const LONG_MS = 1_000;
export const BY_DATE: ReadonlySet<Order> = new Set([
	'newest',
	'oldest',
	'insertedNewest',
	'insertedOldest',
]);

/** What nobody can tell while the trigger begins, since the list contradicts itself. */
export interface Doubts {
	/** What was there may look as if it came in later. */
	readonly ofOld: boolean;
	/** What comes in may look as if it was there. */
	readonly ofArrivals: boolean;
	/** What was there and is to be told may be passed over. */
	readonly ofBacklog: boolean;
}

export const isCountWrong = ({ lists }: ModelService): boolean =>
	WRONG_COUNTS.has(lists.count.kind);

/** Rows change their places between two requests. */
export const isUnsteady = ({ lists: { order, tiesMove, quirk } }: ModelService): boolean =>
	order === 'shuffled' || tiesMove || quirk?.kind === 'replicas';

export const isByDate = ({ lists }: ModelService): boolean => BY_DATE.has(lists.order);

/** Whether the count tells what came in: nobody knows whether rows leave a search. */
export const hasTrueCount = ({ lists }: ModelService, { search }: Filters): boolean =>
	isCounted(lists) && search === null;

/** Without a count and without an order, and so slow that one reading takes several polls. */
export const isBlind = (service: ModelService, filters: Filters): boolean =>
	!hasTrueCount(service, filters) && !isByDate(service) && service.lists.latencyMs > LONG_MS;

/** In no order by date, by a clock that is slow: what is newer than the beginning may have been there. */
export const isDateless = (service: ModelService): boolean =>
	service.time.hostErrorMs < 0 && !isByDate(service);

/** What lies behind the end fails, and nothing says that it is the end: the first reading may go on for long. */
export const isEndless = (service: ModelService, filters: Filters): boolean =>
	service.lists.end === 'broken' &&
	service.lists.next !== 'present' &&
	!hasTrueCount(service, filters);

/** The same where the count is wrong and nothing but it speaks of a second page: then the first reading is never over. */
export const isNeverRead = (service: ModelService, atBeginning: number): boolean =>
	service.lists.end === 'broken' &&
	isCountWrong(service) &&
	atBeginning <= servedSize(service.lists.pageSize, DEFAULT_PAGE_SIZE);

export const hasFailingPage = ({ faults, charges }: ModelService): boolean =>
	faults.length > 0 || charges.some(({ isPoisoned }) => isPoisoned);

/** A page is said not to be there: in a list without a count it looks like the end. */
export const isPageDenied = (service: ModelService, filters: Filters): boolean =>
	!hasTrueCount(service, filters) && service.faults.some(({ kind }) => DENIALS.has(kind));

/**
 * Of a trigger that is still reading what was there: the README names each of these lists.
 *
 * @param since the service's sequence when it began
 * @param pages of the whole list
 */
export function doubtsAtBeginning(service: ModelService, since: number, pages: number): Doubts {
	const { charges, lists, orderSequence, leftSequence } = service;
	const hasFailed = hasFailingPage(service);
	const isWrong = isCountWrong(service);
	const hasMoved = orderSequence > since;
	// It stands among those that come in later, and where its page fails it looks like one.
	const isAheadOfTime = charges.some(({ createdMs, shownAt }) => createdMs > shownAt);
	// By its date, or one without its time zone, the list looks as if it were in no order.
	const isWrittenAhead = lists.timestamps === 'mixed';
	const hasComeAhead = charges.some(
		({ createdMs, shownAt, shownSequence }) =>
			shownSequence > since && (isWrittenAhead || createdMs > shownAt),
	);
	const isExact = isCounted(lists);
	const isSlow = lists.latencyMs > LONG_MS;
	// Rows have moved to pages that were read before, and only a count would show it.
	const hasLeftUnseen = !isExact && leftSequence > since;
	// It may look as if it were by date for as long as that is doubted.
	const isLongWithoutOrder = !isByDate(service) && pages > PAGES_TO_BELIEVE;
	return {
		ofBacklog: !isExact && (hasMoved || isUnsteady(service)),
		ofOld:
			hasMoved ||
			hasLeftUnseen ||
			isLongWithoutOrder ||
			(isUnsteady(service) && isSlow) ||
			(isAheadOfTime && hasFailed) ||
			(isWrong && (hasFailed || isUnsteady(service))),
		// As many have left as came in.
		ofArrivals:
			isWrong ||
			(isDateless(service) && hasFailed) ||
			hasMoved ||
			leftSequence > since ||
			(!isExact && OLDEST_FIRST.has(lists.order)) ||
			hasComeAhead ||
			(isAheadOfTime && (hasFailed || !isExact || isSlow)),
	};
}
