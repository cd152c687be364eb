import { sweepWatched } from './changes/sweep';
import type { Cursor } from './cursor/cursor';
import { isWatching } from './pollSettings';
import { readNewEnd } from './reading/readNewEnd';
import { readUnread, retrySetAside } from './reading/readUnread';
import type { Run } from './reading/run';
import { hasToRead } from './reading/unreadRanges';
import { walkWindow } from './walk/walk';

/** Of what is unread, and of the window, in one poll. */
const MAX_READINGS = 3;

/** What a poll reads. */
export const PARTS: Readonly<Record<Cursor['turn'], (run: Run) => Promise<void>>> = {
	newEnd: readNewEnd,
	reading: async (run) => {
		if (run.cursor.list.length.kind === 'unknown') return;
		for (let times = 0; times < MAX_READINGS; times++) {
			await readUnread(run);
			await walkWindow(run);
			// What has come in meanwhile may be what another walk is needed for.
			const { cursor, novelty } = run;
			const isUndecided = cursor.silence !== undefined && cursor.owed > 0;
			if (!(hasToRead(cursor) || isUndecided) || novelty.room <= 0) break;
		}
		await retrySetAside(run);
	},
	sweep: async (run) => {
		if (!isWatching(run.settings)) delete run.cursor.watch;
		else if (run.cursor.list.length.kind !== 'unknown') await sweepWatched(run);
	},
};

const USUAL: ReadonlyArray<Cursor['turn']> = ['newEnd', 'reading', 'sweep'];

/** What a poll reads, from whose turn it is on: a service may be so slow that a poll has time for some of it only. */
export function partsFrom(turn: Cursor['turn']): Array<Cursor['turn']> {
	const at = USUAL.indexOf(turn);
	return [...USUAL.slice(at), ...USUAL.slice(0, at)];
}

/** What the next poll begins with, after one that could read nothing any more for some parts. */
export function nextTurn(
	{ list, unread, walk, watch }: Cursor,
	starved: ReadonlyArray<Cursor['turn']>,
): Cursor['turn'] {
	// Every answer has the count, so where there is one, what waits need not wait for the new end.
	const isCounted = list.length.kind === 'counted';
	const canWait = isCounted && (unread.length > 0 || walk !== undefined);
	const needy = { newEnd: !canWait, reading: true, sweep: watch !== undefined };
	const usual = canWait && starved.length > 0 ? 'reading' : 'newEnd';
	return starved.find((part) => needy[part]) ?? usual;
}
