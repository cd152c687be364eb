import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { isScheduledTick } from '../../shared/n8nAdapter';
import { isOthers, readSeen, readStored, toStored, type StoredState } from '../state/state';
import { memoryOf, polled, type PollKind } from './triggerMemory';

/** Where the state stands in the node's static data. */
const STATIC_DATA_KEY = 'cursor';
/** n8n's scheduler reads the state of a tick before it starts it: two that are due together may hold the same one. */
const STALE_MS = 10_000;

/** The newest state of this owner: n8n's or the process's. Undefined for a poll that would emit again what n8n just took. */
export function loadState(context: IPollFunctions, kind: PollKind, owner: string) {
	const memory = memoryOf(context);
	if (kind !== 'tick') memory.firstTried = undefined;
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
		memory.last = { stored: stored as IDataObject, savedSerial };
	}
	const hasRun = own !== undefined || newest !== undefined;
	return {
		hasRun,
		state: newest?.state,
		polledAt: memory.firstTried,
		...readSeen(isN8nOlder ? known?.stored : own),
		/** Of the newest state that is known; 0 where there is none. */
		serial: newest?.serial ?? 0,
		/** Something is known, but of another workflow, node, Base URL or Resource. */
		isOthers: !hasRun && (stored ?? known) !== undefined,
	};
}

/**
 * What is remembered and was emitted. The first poll of a registration can't say whether n8n took the items of the poll
 * before, where it has the state that n8n saved last before; where it has an older one, or none, it was renamed or
 * imported. A tick of the scheduler has what n8n took. While n8n may be saving that, a poll is `stale`: the next one knows.
 */
function recall(context: IPollFunctions, owner: string, serialInN8n = -1) {
	const memory = memoryOf(context);
	const { last } = memory;
	if (last?.emission === undefined) return last;
	const { stored, savedSerial, emission } = last;
	const isInDoubt = isScheduledTick(context) || serialInN8n >= savedSerial;
	const isJustAfter = emission.isScheduled && clock.elapsed() - emission.endedAt < STALE_MS;
	const { before } = emission;
	// Without a state to continue from, the next tick would begin later than this poll.
	const canWait = serialInN8n >= 0 || (before !== undefined && !isOthers(before.stored, owner));
	if (isInDoubt && isJustAfter && canWait && serialInN8n < emission.serial) return 'stale';
	const wasTaken = polled.has(context) || !isInDoubt;
	memory.last = wasTaken ? { stored, savedSerial: emission.serial } : before;
	return memory.last;
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
	const memory = memoryOf(context);
	memory.firstTried = undefined;
	// Only a whole new value at the top is sure to be noticed.
	staticData[STATIC_DATA_KEY] = stored;
	const { serial } = next;
	const { last: before } = memory;
	const isScheduled = isScheduledTick(context);
	// What comes with an activation n8n takes and saves in any case.
	const isTick = kind === 'tick';
	const known = isScheduled ? (serialInN8n ?? -1) : (before?.savedSerial ?? 0);
	const savedSerial = isTick ? known : serial;
	const emission = { serial, before, endedAt: clock.elapsed(), isScheduled };
	memory.last = { stored, savedSerial, ...(isTick && hasItems ? { emission } : {}) };
}
