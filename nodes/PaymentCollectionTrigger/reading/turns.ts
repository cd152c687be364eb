import type { Cursor } from '../cursor/cursor';

/** A service may be so slow that one request takes all the time of a poll: then others come first in the next one. */
export const TURNS: Readonly<Record<Cursor['turn'], ReadonlyArray<Cursor['turn']>>> = {
	newEnd: ['newEnd', 'reading', 'sweep'],
	reading: ['reading', 'newEnd', 'sweep'],
	sweep: ['sweep', 'newEnd', 'reading'],
};

/** What the next poll begins with, after one that had time for one request only. */
export function nextTurn({ turn, list, unread, walk, watch }: Cursor): Cursor['turn'] {
	const isPending = unread.length > 0 || walk !== undefined;
	if (watch !== undefined && turn !== 'sweep')
		return turn === 'reading' || !isPending ? 'sweep' : 'reading';
	// Every answer has the count, so where there is one, what waits need not wait for the new end.
	if (isPending && (turn !== 'reading' || list.length.kind === 'counted')) return 'reading';
	return 'newEnd';
}
