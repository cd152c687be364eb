import type { Instant } from '../../shared/timestamps';
import type { KeyBuckets } from './keySet';
import type { Backlog, Walk } from './walk';
import type { Watch } from './watch';

/**
 * What the trigger remembers between two polls. Every field says what is true while it is set; what is optional is
 * absent, never empty, when its sentence does not hold. Rows of the list are meant by their coordinate: their number
 * counted from the list's old end, from 0. Rows that come in at the new end change no coordinate. What a walk, a window
 * or a backlog is stands with its type.
 */
export interface Cursor {
	/** All of this was learned from the account with this fingerprint (base URL and key), or under a former key of it. */
	account: string;
	/**
	 * `list`, `unread`, `owed`, `credit`, `retriedUpTo`, `walk`, `turn` and the watch's round are about the list under these
	 * filters, and so is what `window`, `backlog` and `silence` have still to see.
	 */
	filters: ListFilters;
	/** The latest of when polls with an answer began, by the host's clock, and of the dates they saw that are not ahead. */
	polledAt: Instant;
	/** Charges created before it are not new: the start date. */
	notBefore?: Instant;
	list: ListFacts;
	/** Rows with these coordinates are in the list and not decided on yet; the lowest coordinates first. */
	unread: UnreadRange[];
	/** So many rows came in, by the list's count, that were not found where they should be. */
	owed: number;
	/** So many new rows were found outside the unread ranges while none was owed: as many rows of the ranges may turn out not to be new. Absent for none. */
	credit?: number;
	/** Of the rows that are set aside, those below this coordinate have had their turn to be tried again; absent before. */
	retriedUpTo?: number;
	window: LookbackWindow;
	/** A reading of the list from its new end towards the old one is under way. */
	walk?: Walk;
	/** Charges that walks still have to tell, until one was sure to have seen all: of the past, or, without a count, what had to wait. */
	backlog?: Backlog;
	/** The charges that were there when the trigger began, or its filters changed, have not all been seen yet. */
	silence?: Silence;
	/** Every charge created at or after `window.start` and `knownSince` that was looked at, and does not wait, is among these keys. */
	known: KeyBuckets;
	/** Keys of charges created before it were forgotten, since there was no room for more. */
	knownSince: Instant;
	/** While rows wait, the keys of those that were new last, told or left out, end to end: they may show again. Absent while none wait. */
	recent?: string;
	/** What the next poll begins with: what the last one could read nothing for, so that each gets a turn. */
	turn: 'newEnd' | 'reading' | 'sweep';
	/** Charges are watched for refunds, or for their status. */
	watch?: Watch;
}

export interface ListFilters {
	/** Of all filters that are sent: other ones show another list. */
	fingerprint: string;
	/** The list holds charges in this currency only; absent when it holds all. */
	currency?: string;
	/** The list holds every charge, but for the currency. */
	isOtherwiseWhole: boolean;
	/** Charges don't leave the list: of a search nobody knows. */
	isCountable: boolean;
}

export interface ListFacts {
	/** Where new charges are expected, as far as the rows show: on the first page or on the last. */
	newEnd: 'firstPage' | 'lastPage';
	/** `byDate`: a walk may stop at a whole page of older charges, since nothing has shown yet that newer ones stand beyond. */
	order: 'byDate' | 'none';
	/** Rows of a full page. */
	pageSize: number;
	/** Whether answers are right that say that no page follows; `unproven` while none has said that one does. */
	next: 'unproven' | 'right' | 'wrong';
	length: ListLength;
}

/**
 * How long the list is. `unknown`: no answer was read yet. `counted`: the last answer with a count said `count`. It did
 * not fit what was found `doubts` times, counted from the last walk of one poll that found just as many rows.
 * `uncounted`: no count can be believed; where the new end is the last page, `seen` rows were there up to the furthest page that was read, and
 * more may stand beyond if it `isOpen`.
 */
type ListLength =
	| { kind: 'unknown' }
	| { kind: 'counted'; count: number; doubts: number }
	| { kind: 'uncounted'; seen: number; isOpen: boolean };

/** Rows with the coordinates `from` up to, but not including, `to`. */
export interface UnreadRange {
	from: number;
	to: number;
	/** Those of them that were created at or after it are new. */
	since: Instant;
	/** Keys of charges created before it had been forgotten when they came in, so that they may be known ones. */
	knownSince: Instant;
	/** Those created up to then were there when the trigger began, and are told all the same: in this currency, or all. */
	backlog?: { upTo: Instant; currency?: string };
	/** Polls that could not read the page of `from`. From {@link SET_ASIDE} on nothing waits for it. */
	failures: number;
}

/** So many failed polls make a range that the others no longer wait for. */
export const SET_ASIDE = 3;

interface LookbackWindow {
	/** A charge that is not known and was created at or after it is new, wherever it stands in the list, unless keys of its time were forgotten, or `silence`, `backlog` or `notBefore` says otherwise. */
	start: Instant;
	/** What `start` becomes when a walk has seen the whole window. */
	next: Instant;
	/** When the poll began in which a walk last came to the window's end, sure or not, in milliseconds of the host's clock; absent before. */
	walkedAtMs?: number;
	/** Walks in a row that were not sure to have seen every row of the window, or left new ones to the next. */
	unsureWalks: number;
	/** The last walk has left out a page that failed: as long as one does, walks for what is owed wait for their time. */
	hasLeftOut?: true;
}

/** Charges that the list of former filters would have shown before, had they been there. */
export interface LaterCharges {
	/** They were created then or later, */
	since: Instant;
	/** in this currency; absent for all. */
	currency?: string | undefined;
}

interface Silence {
	/** Charges created up to then are not told, unless the list's count shows that they came in later. */
	upTo: Instant;
	/** The trigger has begun with Start From Now: where there is a count, others are told only while a row is owed. */
	isUntilOwed: boolean;
	/** The oldest charge of the page at the new end when the trigger began: whatever is newer was seen there. Absent where that page showed no order by date, or something moved meanwhile. */
	seenAfter?: Instant;
	/** When the newest charge at the new end was created then; absent with `seenAfter`. */
	seenUpTo?: Instant;
	/** The page at the new end could not be read yet, so that `upTo` is the clock's word only, which may be slow. */
	isByClock: boolean;
	/** Of these charges, those that are not known came in under the new filters, whatever `upTo` says: that is the host's clock, which may be fast. Absent where the former list was not all seen, or its rows don't show that they were in it. */
	later?: LaterCharges;
}
