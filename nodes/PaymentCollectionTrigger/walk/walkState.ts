import type { Cursor } from '../cursor/cursor';
import type { Walk } from '../cursor/walk';
import type { ChargePage } from '../list/chargePage';
import { lengthOf } from '../list/coordinates';

/** Walks in a row that may be unsure before the next one waits for its time. */
export const MAX_UNSURE = 3;

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
	readonly isFromNewEnd: boolean;
}

/** A walk that begins at the list's new end. */
export const newWalk = (cursor: Cursor, purpose: Walk['purpose']): Walk => ({
	below: lengthOf(cursor.list),
	pages: 0,
	repeats: 0,
	purpose,
	isWhole: false,
	owedBefore: cursor.owed,
	failures: 0,
	isUnsure: false,
	sawOlderPage: false,
	sawDisorder: false,
	newest: [],
});
