import type { IDataObject } from 'n8n-workflow';
import type { KeyBuckets } from './keySet';
import type { ListOrder } from './listOrder';
import type { LongPass, Position, Snapshot } from './reading';
import type { Instant } from './timestamps';
import type { Watch } from './watch';

/** Raised whenever the meaning of a field changes; {@link parseCursor} reads every version there ever was. */
export const CURSOR_VERSION = 2;
/** Length of the stretches of time that known charges are forgotten by. */
export const KNOWN_STRETCH_SECONDS = 1;

/**
 * What the trigger remembers between two polls, as n8n's static data holds it. It may be lost back to the last
 * save at any time (engine.md, Polling 5): a poll that runs again from an older cursor must come to the same.
 *
 * Two rules hold for every cursor: each charge in the list that was created before `from` is decided, and
 * `known` holds every decided one that was not.
 */
export interface Cursor {
	readonly version: number;
	/** Fingerprint of base URL and key. */
	readonly account: string;
	/** Fingerprint of the filters: others show other charges. */
	readonly filters: string;
	/** Newest `created` seen that was not in the future. */
	readonly newest: Instant;
	readonly from: Instant;
	readonly known: KeyBuckets;
	/** Charges created up to here are not new, though they are not known: they were there when it began. */
	readonly silentUpTo?: Instant;
	readonly order?: ListOrder;
	/** By how much rows stand out of that order at most, ms; absent while none did. */
	readonly slackMs?: number;
	readonly snapshot?: Snapshot;
	/** Where `from` lies in the list. */
	readonly position?: Position;
	/** There is a backlog: it is read from `from` towards the newest rows, some pages a poll. */
	readonly isBehind?: boolean;
	readonly pass?: LongPass;
	/** Since version 2; only while refunds or changes of status are asked for. */
	readonly watch?: Watch;
}

/** Static data as n8n hands it out: its values may be observing proxies, so it is copied through JSON. */
export function parseCursor(stored: unknown): Cursor | undefined {
	const copy: unknown = stored === undefined ? undefined : JSON.parse(JSON.stringify(stored));
	if (!isObject(copy) || typeof copy.version !== 'number') return undefined;
	const { version, account, filters, newest, from, known } = copy;
	if (typeof account !== 'string' || typeof filters !== 'string') return undefined;
	if (typeof newest !== 'string' || typeof from !== 'string') return undefined;
	if (!isObject(known) || !hasTexts(known)) return undefined;
	const essentials = { version: CURSOR_VERSION, account, filters, newest, from, known };
	// A later version may mean anything by the other fields; all of them can be found out again.
	if (version > CURSOR_VERSION) return essentials;
	return {
		...essentials,
		...(typeof copy.silentUpTo === 'string' ? { silentUpTo: copy.silentUpTo } : {}),
		...(isOrder(copy.order) ? { order: copy.order } : {}),
		...(typeof copy.slackMs === 'number' ? { slackMs: copy.slackMs } : {}),
		...(isSnapshot(copy.snapshot) ? { snapshot: copy.snapshot } : {}),
		...(isPosition(copy.position) ? { position: copy.position } : {}),
		...(copy.isBehind === true ? { isBehind: true } : {}),
		...(isPass(copy.pass) ? { pass: copy.pass } : {}),
		...(version >= 2 && isWatch(copy.watch) ? { watch: copy.watch } : {}),
	};
}

/** The cursor as plain data, without what is undefined. */
export function storableCursor(cursor: Cursor): IDataObject {
	return JSON.parse(JSON.stringify(cursor)) as IDataObject;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const hasTexts = (value: Record<string, unknown>): value is Record<string, string> =>
	Object.values(value).every((entry) => typeof entry === 'string');

const isOrder = (value: unknown): value is ListOrder =>
	value === 'newestFirst' || value === 'oldestFirst' || value === 'none';

const isSnapshot = (value: unknown): value is Snapshot =>
	isObject(value) &&
	typeof value.count === 'number' &&
	Array.isArray(value.top) &&
	value.top.every((key) => typeof key === 'string');

const isPosition = (value: unknown): value is Position =>
	isObject(value) &&
	typeof value.index === 'number' &&
	(value.behind === undefined || typeof value.behind === 'number');

const isPass = (value: unknown): value is LongPass =>
	isObject(value) &&
	typeof value.page === 'number' &&
	typeof value.horizon === 'string' &&
	typeof value.previous === 'string';

const isWatch = (value: unknown): value is Watch =>
	isObject(value) &&
	[value.from, value.since, value.usualStatus, value.nextFrom].every(
		(text) => typeof text === 'string',
	) &&
	Array.isArray(value.firstStatuses) &&
	value.firstStatuses.every((status) => typeof status === 'string') &&
	isObject(value.facts) &&
	hasTexts(value.facts) &&
	typeof value.page === 'number' &&
	typeof value.isComplete === 'boolean' &&
	(value.count === undefined || typeof value.count === 'number');
