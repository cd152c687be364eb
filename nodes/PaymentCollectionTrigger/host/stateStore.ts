import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { isScheduledTick } from '../../shared/n8nFeatures';
import type { Instant } from '../../shared/timestamps';
import { isOthers, readSeen, readStored, toStored, type StoredState } from '../state/state';
import { polled, type PollKind } from './pollGuard';
import { NodeMemory } from './nodeMemory';

/** Where the state stands in the node's static data. */
const STATIC_DATA_KEY = 'cursor';
/** n8n's scheduler reads the state of a tick before it starts it: two that are due together may hold the same one. */
const STALE_MS = 10_000;

/** What a poll of this process left behind. */
interface Remembered {
	readonly stored: IDataObject;
	/** Of the newest state that n8n is known to have saved; 0: none is known, -1: a tick of its scheduler found none. */
	readonly savedSerial: number;
	/** Of a tick with items, until the next poll shows whether n8n took them. */
	readonly emission?: {
		readonly serial: number;
		readonly before: Remembered | undefined;
		readonly endedAt: number;
		readonly isScheduled: boolean;
	};
}

/**
 * The newest state, since n8n does not save what a poll without items changed, forgets all when a node is renamed, and
 * may keep polling by an older copy (docs/n8n-engine.md, Polling). n8n may throw away what a tick with items returned, so
 * what was remembered before stays beside it.
 */
const remembered = new NodeMemory<Remembered>();

/** When the first poll of a registration failed and was forgiven: what comes in from then on is new to its ticks. */
export const firstTried = new NodeMemory<Instant>();

/** The newest state of this owner: n8n's or the process's. Undefined for a poll that would tell again what n8n just took. */
export function loadState(context: IPollFunctions, kind: PollKind, owner: string) {
	if (kind !== 'tick') firstTried.set(context, undefined);
	const stored = context.getWorkflowStaticData('node')[STATIC_DATA_KEY];
	const own = isOthers(stored, owner) ? undefined : stored;
	const fromN8n = readStored(own);
	const known = recall(context, owner, fromN8n?.serial);
	if (known === 'stale') return undefined;
	const fromProcess = isOthers(known?.stored, owner) ? undefined : readStored(known?.stored);
	const isN8nOlder = (fromProcess?.serial ?? -1) > (fromN8n?.serial ?? -1);
	const newest = isN8nOlder ? fromProcess : fromN8n;
	// Renamed, the node will find none, or an older one from when it had that name before.
	if (fromN8n !== undefined && !isN8nOlder) {
		// When n8n has just started, it holds what it has saved.
		const savedSerial = known?.savedSerial ?? fromN8n.serial;
		remembered.set(context, { stored: stored as IDataObject, savedSerial });
	}
	const hasRun = own !== undefined || newest !== undefined;
	return {
		hasRun,
		state: newest?.state,
		polledAt: firstTried.get(context),
		...readSeen(isN8nOlder ? known?.stored : own),
		/** Of the newest state that is known; 0 where there is none. */
		serial: newest?.serial ?? 0,
		/** Something is known, but of another workflow, node or Base URL. */
		isOthers: !hasRun && (stored ?? known) !== undefined,
	};
}

/**
 * What is remembered and was told. The first poll of a registration can't say whether n8n took the items of the poll
 * before, where it has the state that n8n saved last before; where it has an older one, or none, it was renamed or
 * imported. A tick of the scheduler has what n8n took. While n8n may be saving that, a poll is `stale`: the next one knows.
 */
function recall(context: IPollFunctions, owner: string, serialInN8n = -1) {
	const last = remembered.get(context);
	if (last?.emission === undefined) return last;
	const { stored, savedSerial, emission } = last;
	const isInDoubt = isScheduledTick(context) || serialInN8n >= savedSerial;
	const isJustAfter = emission.isScheduled && clock.elapsed() - emission.endedAt < STALE_MS;
	const { before } = emission;
	// Without a state to go on from, the next tick would begin later than this poll.
	const canWait = serialInN8n >= 0 || (before !== undefined && !isOthers(before.stored, owner));
	if (isInDoubt && isJustAfter && canWait && serialInN8n < emission.serial) return 'stale';
	const wasTaken = polled.has(context) || !isInDoubt;
	const known = wasTaken ? { stored, savedSerial: emission.serial } : before;
	remembered.set(context, known);
	return known;
}

/** Stores the state, last of all that a poll does: a throw does not undo it. */
export function storeState(
	context: IPollFunctions,
	next: StoredState,
	kind: PollKind,
	hasItems: boolean,
) {
	const stored = toStored(next);
	const staticData = context.getWorkflowStaticData('node');
	const serialInN8n = readStored(staticData[STATIC_DATA_KEY])?.serial;
	firstTried.set(context, undefined);
	// Only a whole new value at the top is sure to be noticed.
	staticData[STATIC_DATA_KEY] = stored;
	const { serial } = next;
	const before = remembered.get(context);
	const isScheduled = isScheduledTick(context);
	// What comes with an activation n8n takes and saves in any case.
	const isTick = kind === 'tick';
	const known = isScheduled ? (serialInN8n ?? -1) : (before?.savedSerial ?? 0);
	const savedSerial = isTick ? known : serial;
	const emission = { serial, before, endedAt: clock.elapsed(), isScheduled };
	remembered.set(context, { stored, savedSerial, ...(isTick && hasItems ? { emission } : {}) });
}
