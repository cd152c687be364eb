import type { Cursor, Walk } from '../cursor/cursor';
import { lengthOf } from '../list/coordinates';

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
