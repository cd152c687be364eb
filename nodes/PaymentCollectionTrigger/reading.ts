import type { ChargeRow } from './chargeRow';
import type { JudgedOrder, ListOrder } from './listOrder';
import { BEGINNING, earliest, latest } from './timestamps';
import type { Instant } from './timestamps';

/** Where in the list an instant lies: an estimate, proven by the rows each time it is used. */
export interface Position {
	/** Rows in front of it. */
	readonly index: number;
	/** Rows behind it: in a list that grows at the front this number stays the same. */
	readonly behind?: number;
}

/** What was seen when every row was known: the same again means that nothing has changed. */
export interface Snapshot {
	readonly count: number;
	/** Keys of the rows of page 1, in order. */
	readonly top: readonly string[];
}

/** A reading of the whole list that takes several polls, for a list in no order. */
export interface LongPass {
	/** Page to go on with. */
	readonly page: number;
	/** End of what this reading will have shown, and of what the one before it did. */
	readonly horizon: Instant;
	readonly previous: Instant;
}

/** Rows that stand one after another in the list, from the index `first` on. */
export interface Span {
	readonly first: number;
	readonly rows: readonly ChargeRow[];
}

/** What one poll has read of the list. */
export interface Reading {
	/** The rows to look for new charges in. */
	readonly rows: readonly ChargeRow[];
	/** Every row from the cursor's `from` up to here was read: it may be forgotten what lies before. */
	readonly provenTo: Instant;
	/** Nothing new can be left in the list, as far as this poll could see. */
	readonly isComplete: boolean;
	/** `rows` are the whole list, as it was in one moment. */
	readonly isWhole?: boolean;
	/** There is more than one poll may take: the next polls go on from the oldest that is left. */
	readonly isBehind: boolean;
	readonly snapshot?: Snapshot;
	readonly span?: Span;
	readonly position?: Position;
	readonly pass?: LongPass;
	readonly order: ListOrder | undefined;
	readonly slackMs: number;
	/** `count` as page 1 told it. */
	readonly count: number | undefined;
}

/** How the list is read: its order, and what counts as future-dated. */
export interface Frame extends JudgedOrder {
	/** A charge after it is dated into the future, and tells nothing about the order or the present. */
	readonly present: Instant;
}

/** `created` of rows in their order, without future-dated ones. */
export const datesOf = (rows: readonly ChargeRow[], present: Instant): Instant[] =>
	rows.map(({ created }) => created).filter((created) => created <= present);

/** The newest `created` that is not in the future. */
export const newestOf = (rows: readonly ChargeRow[], present: Instant): Instant =>
	datesOf(rows, present).reduce((most, created) => latest(most, created), BEGINNING);

/** Of a long list: Math.max and its like can't take that many arguments. */
export const earliestOf = (rows: readonly ChargeRow[], fallback: Instant): Instant =>
	rows.reduce((least, { created }) => earliest(least, created), fallback);

/** The place where `from` lies in a span, given its order; undefined when it lies beyond it. */
export function positionIn(
	{ first, rows }: Span,
	from: Instant,
	order: ListOrder | undefined,
	count: number | undefined,
): Position | undefined {
	const isBeyond = ({ created }: ChargeRow) =>
		order === 'oldestFirst' ? created >= from : created < from;
	const found = rows.findIndex(isBeyond);
	if (found < 0) return undefined;
	const index = first + found;
	return count === undefined ? { index } : { index, behind: Math.max(0, count - index) };
}
