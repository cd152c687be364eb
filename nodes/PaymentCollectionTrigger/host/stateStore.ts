import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { isScheduledTick } from '../../shared/n8nAdapter';
import { isOthers, readSeen, readStored, toStored, type StoredState } from '../state/state';
import { memoryOf, polled, type PollKind } from './triggerMemory';

/** The state's name in the node's static data. */
const STATIC_DATA_KEY = 'cursor';
/** n8n's scheduler reads a tick's state before it starts the tick: two that are due together may have the same one. */
const STALE_MS = 10_000;

/** The newest state of this owner: n8n's or the process's. Undefined for a poll that would emit again what n8n just took. */
export function loadState(context: IPollFunctions, kind: PollKind, owner: string) {
	const memory = memoryOf(context);
	if (kind !== 'tick') memory.firstTried = undefined;
	const stored = context.getWorkflowStaticData('node')[STATIC_DATA_KEY];
	const own = isOthers(stored, owner) ? undefined : stored;
	const fromN8n = readStored(own);
	const known = settleEmission(context, owner, fromN8n?.serial);
	if (known === 'stale') return undefined;
	const fromProcess = isOthers(known?.stored, owner) ? undefined : readStored(known?.stored);
	const isN8nOlder = (fromProcess?.serial ?? -1) > (fromN8n?.serial ?? -1);
	const newest = isN8nOlder ? fromProcess : fromN8n;
	// After a rename, the node finds none, or an older one from when it last had that name.
	if (fromN8n !== undefined && !isN8nOlder) {
		// An n8n that has just started has the state that it saved.
		const savedSerial = known?.savedSerial ?? fromN8n.serial;
		memory.last = { stored: stored as IDataObject, savedSerial };
	}
	const hasRun = own !== undefined || newest !== undefined;
	return {
		hasRun,
		state: newest?.state,
		polledAt: memory.firstTried,
		...readSeen(isN8nOlder ? known?.stored : own),
		/** The newest known state's serial; 0 without one. */
		serial: newest?.serial ?? 0,
		/** Only the state of another workflow, node, Base URL or Resource is known. */
		isOthers: !hasRun && (stored ?? known) !== undefined,
	};
}

/**
 * The state whose items n8n has certainly taken. If the first poll of a registration has the state that n8n saved before the
 * last emission, it can't know whether n8n took that; with an older state or none, the node was renamed or imported. A tick
 * of the scheduler has the state that n8n took. While n8n may still be saving it, a poll is `stale`: the next one knows.
 */
function settleEmission(context: IPollFunctions, owner: string, serialInN8n = -1) {
	const memory = memoryOf(context);
	const { last } = memory;
	if (last?.emission === undefined) return last;
	const { stored, savedSerial, emission } = last;
	const isInDoubt = isScheduledTick(context) || serialInN8n >= savedSerial;
	const isJustAfter = emission.isScheduled && clock.elapsed() - emission.endedAt < STALE_MS;
	const { before } = emission;
	// Without a state to continue from, the next tick would start later than this poll.
	const canWait = serialInN8n >= 0 || (before !== undefined && !isOthers(before.stored, owner));
	if (isInDoubt && isJustAfter && canWait && serialInN8n < emission.serial) return 'stale';
	const wasTaken = polled.has(context) || !isInDoubt;
	memory.last = wasTaken ? { stored, savedSerial: emission.serial } : before;
	return memory.last;
}

/** Stores the state at the end of a poll: a later throw would not undo it. */
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
	// n8n surely notices only a new value at the top.
	staticData[STATIC_DATA_KEY] = stored;
	const { serial } = next;
	const { last: before } = memory;
	const isScheduled = isScheduledTick(context);
	// n8n takes and saves the items of an activation in any case.
	const isTick = kind === 'tick';
	const known = isScheduled ? (serialInN8n ?? -1) : (before?.savedSerial ?? 0);
	const savedSerial = isTick ? known : serial;
	const emission = { serial, before, endedAt: clock.elapsed(), isScheduled };
	memory.last = { stored, savedSerial, ...(isTick && hasItems ? { emission } : {}) };
}
