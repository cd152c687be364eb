import type { IDataObject } from 'n8n-workflow';
import { isRecord, hashOf } from '../../shared/values';
import { parseInstant, type Instant } from '../../shared/timestamps';

/**
 * The trigger's memory from one poll to the next. Each field's sentence is true while the field is set. Instants compare with
 * dates of charges; numbers in milliseconds are the host's times.
 */
export interface TriggerState {
	/** Identifies the list that all other fields are about. */
	scope: Scope;
	/** The filters, if a charge itself shows that it matches all of them. */
	visibleFilter?: VisibleFilter | undefined;
	/** The later of two times: the start of the last poll, by the host's clock, and the newest date of a charge up to that poll's end. */
	polledAt: Instant;
	listFacts: ListFacts;
	/** The newest `created` that was read, under any filters, and not ahead of the host's clock. */
	newest?: Instant | undefined;
	/** A charge created since then is new unless it is in `known`, or was listed when the trigger started. */
	since: Instant;
	/** Keys of charges that were emitted or skipped, written by {@link DatedKeys}. */
	known: string;
	/** The trigger still learns which charges its list had at the start: none of them is emitted. */
	learning?: Learning | undefined;
	/** A round is owed: the last one was the first or learned, a page failed, charges had to wait or left the list, or a backlog ended. */
	roundOwed?: true | undefined;
	round?: Round | undefined;
	lastRound?: Pick<Round, 'newestAtStart' | 'startedAtMs'>;
	/** Since then, by the host's clock, no round or backlog came through: a page failed, or a charge moved and may hide another. */
	failingSinceMs?: number;
	/** Then, by the host's clock, a round of the whole list did not find the charges that the count says are missing. */
	searchedInVainAtMs?: number;
	/** Charges are emitted by their position, from the old end of the list. */
	backlog?: Backlog;
	/** Charges are watched for refunds or changes of status. */
	watch?: Watch | undefined;
	/** The next poll begins with this turn: the last one had no time for all. */
	turn?: number;
}

/**
 * Hashes. `owner`: of workflow, node, Base URL and Resource; another owner's state is ignored. `apiKey`: of Base URL and API
 * key. `query`: of these and the filters that are sent.
 */
export type Scope = Readonly<Record<'owner' | 'apiKey' | 'query', string>>;

/** Currency and Status of a trigger without other filters. */
export interface VisibleFilter {
	currency?: string | undefined;
	statuses?: readonly string[] | undefined;
}

/** Beliefs about the whole list. A wrong one costs requests or time, and a round corrects it. */
export interface ListFacts {
	/** A guess from the first page, then the finding of the last reading of the whole list: see `learnOrder`. */
	order: 'newestFirst' | 'oldestFirst' | 'unsorted';
	/** Rows of a full page: those of page 1 if others follow it, else the most that a page had. */
	pageSize?: number;
	/** Number of the list's charges that need no more search: emitted, skipped or given up. */
	accounted?: number | undefined;
	/** The last page, by the count or as far as pages were read. */
	lastPage: number;
	/** The service said that this page does not exist, although it should. */
	gone?: number | undefined;
}

/** Charges created up to `upTo` are not emitted, unless they waited under `formerFilter`. A round that learns nothing ends it. */
export interface Learning {
	upTo: Instant;
	/** The newest date at the new end when the trigger started, if the list is by date: later charges there came in since. */
	newestListed?: Instant;
	/** The new end was read, and `since` follows from it. */
	hasSeenNewEnd?: true;
	/** Set until the first poll or its first round ends: charges dated ahead of the host's clock were listed before. */
	isFirst?: true | undefined;
	/** The filters before the user changed them: unknown charges that match them wait to be emitted. */
	formerFilter?: VisibleFilter | undefined;
}

/** The part of a page that shows whether the next one repeats it or is past the end. */
export interface PageOutline {
	/** Counts from 1. */
	readonly number: number;
	readonly rows: ReadonlyArray<{ readonly key: string } | undefined>;
	/** Rows of the whole list, if the response has a believable count. */
	readonly count?: number | undefined;
	/** True if the response says that another page follows; undefined if it does not say. */
	readonly hasNext: boolean | undefined;
	/** It repeats the page before it. */
	readonly isAgain?: true;
}

/** The place of a reading of the list from the new end toward the old one. */
export interface Walk {
	nextPage: number;
	/** A page failed and was skipped. */
	hasFailed?: true;
	/** The last poll ended after this page. */
	before?: PageOutline | undefined;
}

/** A reading of the list from the new end toward the old one. */
export interface Round extends Walk {
	/** When it began, by the earlier of the host's clock and the newest charge seen. */
	newestAtStart: Instant;
	/** When it began, by the host's clock. */
	startedAtMs: number;
	/** Number of whole pages older than `since` after which it ends in a list by date. */
	olderPagesWanted: number;
	olderPages: number;
	/** Numbers of rows created after, and before, the row above them. */
	newer: number;
	older: number;
	/** `created` of the last row read. */
	lastCreated?: Instant;
	/** The list's count when it began. */
	count?: number | undefined;
	/** A charge was on two pages. */
	hasMoved?: true;
	/** While learning, it found a charge that was there, or that waits until the new end is read. */
	hasLearned?: true;
	/** A newer charge stands below an older page: the list is not by date. */
	isRefuted?: true;
}

/** The first position, and the one after the last. */
export type Range = [number, number];

/** Charges emitted by their position, counted from the old end, so that new charges change none. */
export interface Backlog {
	/** Charges created since then are emitted. */
	from: Instant;
	/** The oldest charge to emit stands below this position. Set while it is searched. */
	firstIsBelow?: number;
	/** Positions left to emit, those of failed pages last. */
	left: Range[];
	/** The list's count, as last read. */
	count: number;
	/** Keys of the last ones emitted: a charge that comes in below moves them up. */
	recent: string[];
}

/** The memory of charges that are checked again. */
export interface Watch {
	/** Changes up to then came before the watch began. */
	changesAfter: Instant;
	/** Charges created before then are not checked. */
	createdFrom?: Instant;
	/** Every charge since `createdFrom` was checked once: one without a fact has the usual status and was never refunded. */
	isComplete?: true | undefined;
	/** The filters before the user changed them: every charge that matches them was checked once. */
	formerFilter?: VisibleFilter | undefined;
	/** The mark of the status that most charges of the first page had. */
	usual?: string;
	/** Marks of the statuses and refund totals that each charge had. Written by {@link DatedKeys}. */
	facts: string;
	/** A sweep of the watched days is under way. */
	place?: Walk | undefined;
	/** The last complete sweep ended then, or the watch began, by the host's clock. */
	sweptSinceMs: number;
}

/** Raised whenever the meaning of a field of {@link TriggerState} changes. */
const VERSION = 23;

/** A state, and its place among all that this trigger has stored. */
export interface StoredState {
	/** Greater in the newer of two states. Rises with every poll, and with the host's clock in case a state was lost. */
	readonly serial: number;
	readonly state: TriggerState;
}

/** Stores the state as text, which n8n's observing proxies leave alone. The fields next to it serve damaged states and other versions. */
export function toStored({ serial, state }: StoredState): IDataObject {
	const text = JSON.stringify(state);
	const { polledAt, newest, scope } = state;
	const fields = { serial, polledAt, newest, owner: scope.owner, text };
	return { version: VERSION, checksum: checksumOf(fields), ...fields };
}

/** True if a stored state names another owner. In a damaged one, only the escaped `text` may name it, so all is searched. */
export function hasOtherOwner(stored: unknown, owner: string): boolean {
	const text = JSON.stringify(stored ?? null);
	return text.includes('"owner') && !text.includes(owner);
}

/** @returns undefined unless {@link toStored} of this version has written it */
export function readStored(stored: unknown): StoredState | undefined {
	const fields = fieldsOf(stored);
	const { version, serial, checksum, text } = fields;
	if (version !== VERSION || checksum !== checksumOf(fields)) return undefined;
	if (typeof serial !== 'number' || typeof text !== 'string') return undefined;
	// The checksum shows that it has the fields that were written.
	return { serial, state: JSON.parse(text) as TriggerState };
}

/** `polledAt` and `newest`, even of a state that can't be read, if its text has the same dates. */
export function readDates(stored: unknown): Partial<Pick<TriggerState, 'polledAt' | 'newest'>> {
	const { polledAt, newest, text } = fieldsOf(stored);
	const isInText = (date: object) => String(text).includes(JSON.stringify(date).slice(1, -1));
	const dates = [isInText({ polledAt }) && polledAt, isInText({ newest }) && newest];
	const [polled, seen] = dates.map(parseInstant);
	return polled === undefined ? {} : { polledAt: polled, newest: seen };
}

const fieldsOf = (stored: unknown): Record<string, unknown> => (isRecord(stored) ? stored : {});

const checksumOf = ({ serial, polledAt, newest, owner, text }: Record<string, unknown>): string =>
	hashOf([VERSION, serial, polledAt, newest, owner, text]);
