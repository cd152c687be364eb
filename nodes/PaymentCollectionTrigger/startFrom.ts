import type { Cursor } from './cursor';
import { CURSOR_VERSION } from './cursor';
import { BEGINNING, END, latest } from './timestamps';
import type { Instant } from './timestamps';
import { ROUND_START } from './watch';

/** What a trigger that has no cursor yet takes for new. */
export type StartFrom =
	| { readonly kind: 'now' }
	| { readonly kind: 'beginning' }
	| { readonly kind: 'date'; readonly date: Instant };

/** The fingerprints that a cursor belongs to. */
export interface Identity {
	readonly account: string;
	readonly filters: string;
}

/**
 * The cursor before the first poll. From `now`, all that the first poll finds is there already and stays silent;
 * what it finds is the baseline, not the host's clock.
 */
export function firstCursor(identity: Identity, startFrom: StartFrom): Cursor {
	const from = startFrom.kind === 'date' ? startFrom.date : BEGINNING;
	return {
		version: CURSOR_VERSION,
		...identity,
		newest: BEGINNING,
		from,
		known: {},
		...(startFrom.kind === 'now' ? { silentUpTo: END } : {}),
	};
}

/**
 * The cursor under other filters. A charge that they show for the first time, but that is no newer than what was
 * seen under the old ones, was there before the change and stays silent. While a backlog is being read, nobody
 * can tell these from what is still to come: then nothing is silenced.
 */
export function underFilters(cursor: Cursor, filters: string): Cursor {
	if (cursor.filters === filters) return cursor;
	const { silentUpTo = cursor.newest, isBehind = false, watch } = cursor;
	return {
		version: cursor.version,
		account: cursor.account,
		filters,
		newest: cursor.newest,
		from: cursor.from,
		known: cursor.known,
		...(isBehind ? { isBehind } : { silentUpTo }),
		...(cursor.order === undefined ? {} : { order: cursor.order }),
		...(cursor.slackMs === undefined ? {} : { slackMs: cursor.slackMs }),
		// What other charges went through before is not to be told: they are looked at once, as at the beginning.
		...(watch === undefined
			? {}
			: {
					watch: {
						...watch,
						since: latest(watch.since, cursor.newest),
						isComplete: false,
						page: ROUND_START,
					},
				}),
	};
}
