import type { IDataObject } from 'n8n-workflow';
import { isRecord, hashOf } from '../../shared/values';
import { parseInstant, type Instant } from '../../shared/timestamps';

/**
 * What the trigger remembers from one poll to the next. Each field's sentence is true while the field is set. Instants
 * are dates of charges unless the sentence says that they are the host's.
 */
export interface TriggerState {
	/** All the rest is about the list that it leads to. */
	scope: Scope;
	/** Whether a charge is asked for shows in the charge. */
	visibleFilter?: VisibleFilter | undefined;
	/** The last poll began then, by the host's clock, or had seen a charge created then and not ahead of it, if that is later. */
	polledAt: Instant;
	listFacts: ListFacts;
	/** The newest `created` that was seen, under whatever filters, and not ahead of the host's clock. */
	newest?: Instant | undefined;
	/** Every charge created since then that was emitted or skipped is in `known`: another one is new, or was there before. */
	since: Instant;
	/** Keys of charges, written by {@link DatedKeys}. */
	known: string;
	/** The trigger learns what its list held when it started: nothing of that is emitted. */
	learning?: Learning | undefined;
	/** A round is owed: a page failed, charges had to wait or left the list, and none has been complete since. */
	roundOwed?: true;
	/** A round is under way. */
	round?: Round | undefined;
	/** The last round that was complete. */
	lastRound?: Pick<Round, 'newestAtStart' | 'startedAtMs'>;
	/** Since then, by the host's clock, each round or the backlog had a page that failed, or a charge hid behind one that moved. */
	failingSinceMs?: number;
	/** A round of the whole list did not find what the count says is missing, by the host's clock. */
	searchedInVainAtMs?: number;
	/** Charges are emitted by their position, from the old end of the list on. */
	backlog?: Backlog;
	/** Charges are watched for refunds or changes of status. */
	watch?: Watch | undefined;
	/** The next poll begins with this one of its turns: the last one had no time for all of them. */
	turn?: number;
}

/**
 * Hashes. `owner`: of workflow, node, Base URL and Resource; another owner's state is ignored. `apiKey`: of Base URL and API
 * key. `query`: of these and the filters that are sent.
 */
export type Scope = Readonly<Record<'owner' | 'apiKey' | 'query', string>>;

/** Which charges were asked for, where no other filter was set. */
export interface VisibleFilter {
	currency?: string | undefined;
	statuses?: readonly string[] | undefined;
}

/** What is believed of the list as a whole. Where it is wrong, it costs requests or time, and a round puts it right. */
export interface ListFacts {
	/** How it seems to be sorted. By date: no charge was seen below a whole page of older ones. */
	order: 'newestFirst' | 'oldestFirst' | 'unsorted';
	/** The most rows that a page had; absent before one was read. */
	pageSize?: number;
	/** The count, less the charges that were not found yet or wait for room; absent without a count. */
	accounted?: number | undefined;
	/** The last page, by the count or as far as it was seen. */
	lastPage: number;
	/** This page was said not to be there although it should be. */
	gone?: number | undefined;
}

/** Nothing created up to `upTo` is emitted, except what had to wait. It ends with a round that meets none of that for the first time. */
export interface Learning {
	upTo: Instant;
	/** No poll came before, and the list seems to be by date: what stands at its new end and was created later was not there. */
	newestAtStart?: Instant;
	/** The new end was read, and `since` follows from it. */
	hasSeenNewEnd?: true;
	/** No poll came before this one: charges up to now were there. */
	isFirst?: true | undefined;
	/** The filters were others: what matches these and is not known had come in and waited to be emitted. */
	formerFilter?: VisibleFilter | undefined;
}

/** As much of a page as shows whether the next one repeats it or is past the end. */
export interface PageOutline {
	/** From 1. */
	readonly number: number;
	readonly rows: ReadonlyArray<{ readonly key: string } | undefined>;
	/** Rows of the whole list, as far as the answer has something that may be a count. */
	readonly count?: number | undefined;
	/** Whether the answer says that another page follows; undefined where it does not say. */
	readonly hasNext: boolean | undefined;
	/** It is the page before it again. */
	readonly isAgain?: true;
}

/** Where a reading of the list from the new end toward the old one stands. */
export interface Walk {
	/** The next page to read. */
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
	/** In a list by date it ends after so many older pages: whole ones, older than `since`. */
	olderPagesWanted: number;
	/** It has read so many older pages. */
	olderPages: number;
	/** Rows read so far that were created after, or before, the one above them. */
	newer: number;
	older: number;
	/** When the row read last was created. */
	lastCreated?: Instant;
	/** What the list counted when it began; absent in a list without a count. */
	count?: number | undefined;
	/** A charge was met on two pages. */
	hasMoved?: true;
	/** While the trigger begins: a charge that counts as there was met for the first time. */
	hasLearned?: true;
	/** A charge that is not older stands below an older page: the list is not by date. */
	isRefuted?: true;
}

/** From the first position up to the one after the last. */
export type Range = [number, number];

/** Charges emitted by their position. Positions count from the old end, so those that come in change none. */
export interface Backlog {
	/** Charges created since then are emitted. */
	from: Instant;
	/** The first of them is being looked for, between the beginning of `left` and this position. */
	searchedTo?: number;
	/** Positions left to emit. Those of pages that failed are the last ones. */
	left: Range[];
	/** The list's count, as it was read last. */
	count: number;
	/** Keys of those emitted last: a charge that comes in below moves them up. */
	recent: string[];
}

/** What is remembered of charges that are looked at again. */
export interface Watch {
	/** What happened up to then happened before the watch began. */
	since: Instant;
	/** Charges created before are not looked at. */
	from?: Instant;
	/** Every one of them was looked at once: one without a fact has the usual status and was never refunded. */
	isComplete?: true;
	/** The filters were others: every charge that matches these was looked at once. */
	formerFilter?: VisibleFilter | undefined;
	/** The mark of the status that most charges of the first page had. */
	usual?: string;
	/** By charge, marks of the statuses and the refund totals that it was seen with. Written by {@link DatedKeys}. */
	facts: string;
	/** A sweep of the watched days is under way. */
	place?: Walk;
	/** The last complete sweep ended then, or the watch began, by the host's clock. */
	sweptSinceMs: number;
}

/** Raised whenever the meaning of a field of {@link TriggerState} changes. */
const VERSION = 21;

/** A state and its place among all that this trigger has stored. */
export interface StoredState {
	/** The newer of two states has the greater one: it rises with every poll, and with the host's clock, as one may be lost. */
	readonly serial: number;
	readonly state: TriggerState;
}

/** As text, which n8n's observing proxies leave alone. The fields next to it are read from other versions and damaged states, too. */
export function toStored({ serial, state }: StoredState): IDataObject {
	const text = JSON.stringify(state);
	const { polledAt, newest, scope } = state;
	const fields = { serial, polledAt, newest, owner: scope.owner, text };
	return { version: VERSION, checksum: checksumOf(fields), ...fields };
}

/** Whether a stored state, damaged or not, shows an owner and not this one. */
export function isOthers(stored: unknown, owner: string): boolean {
	const text = JSON.stringify(stored ?? null);
	return text.includes('"owner') && !text.includes(owner);
}

/** @returns undefined for anything but what {@link toStored} of this version has written */
export function readStored(stored: unknown): StoredState | undefined {
	const fields = fieldsOf(stored);
	const { version, serial, checksum, text } = fields;
	if (version !== VERSION || checksum !== checksumOf(fields)) return undefined;
	if (typeof serial !== 'number' || typeof text !== 'string') return undefined;
	// The checksum shows that this is what was written, so it has the fields that were written.
	return { serial, state: JSON.parse(text) as TriggerState };
}

/** `polledAt` and, with it, `newest` of a state that can't be read otherwise, if it says so undamaged. */
export function readSeen(stored: unknown): Partial<Pick<TriggerState, 'polledAt' | 'newest'>> {
	const { polledAt, newest, text } = fieldsOf(stored);
	const isInText = (date: object) => String(text).includes(JSON.stringify(date).slice(1, -1));
	const dates = [isInText({ polledAt }) && polledAt, isInText({ newest }) && newest];
	const [polled, seen] = dates.map(parseInstant);
	return polled === undefined ? {} : { polledAt: polled, newest: seen };
}

const fieldsOf = (stored: unknown): Record<string, unknown> => (isRecord(stored) ? stored : {});

const checksumOf = ({ serial, polledAt, newest, owner, text }: Record<string, unknown>): string =>
	hashOf([VERSION, serial, polledAt, newest, owner, text]);
