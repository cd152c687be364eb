import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { hasOtherOwner, readDates, readStored, toStored, type StoredState } from '../state/state';
import { isTick, memoryOf, type LastPoll, type PollKind } from './triggerMemory';

const STATIC_DATA_KEY = 'cursor';
/** n8n's scheduler reads the state before it starts a tick. Within this time after another tick, that may lack what it stored. */
const STALE_MS = 10_000;

/** Chooses the state to continue from, and remembers the choice. @returns undefined for a `stale` poll */
export function resumeState(context: IPollFunctions, kind: PollKind, owner: string) {
	const memory = memoryOf(context);
	if (!isTick(kind)) memory.firstTried = undefined;
	const inN8n = context.getWorkflowStaticData('node')[STATIC_DATA_KEY];
	const chosen = chooseState(kind, owner, inN8n, memory.last);
	if (chosen === 'stale') return undefined;
	memory.last = chosen.last;
	return { ...chosen, polledAt: chosen.polledAt ?? memory.firstTried };
}

/** The newer state of n8n's and the process's, without other owners'. `stale` if the poll would emit again what n8n just took. */
export function chooseState(kind: PollKind, owner: string, inN8n: unknown, inProcess?: LastPoll) {
	const own = hasOtherOwner(inN8n, owner) ? undefined : inN8n;
	const fromN8n = readStored(own);
	const last = lastTakenPoll(kind, owner, inProcess, fromN8n?.serial);
	if (last === 'stale') return last;
	const fromProcess = hasOtherOwner(last?.stored, owner) ? undefined : readStored(last?.stored);
	const isN8nOlder = (fromProcess?.serial ?? -1) > (fromN8n?.serial ?? -1);
	const newer = isN8nOlder ? fromProcess : fromN8n;
	const hasRun = own !== undefined || newer !== undefined;
	// False if n8n has no state or an older one, as after a rename, or after polls that it did not save.
	const usesN8ns = fromN8n !== undefined && !isN8nOlder;
	// Without a poll of this process, n8n has just started, with the state that it saved.
	const savedSerial = last?.savedSerial ?? fromN8n?.serial ?? 0;
	return {
		hasRun,
		state: newer?.state,
		...readDates(isN8nOlder ? last?.stored : own),
		/** The chosen state's serial; 0 without one. */
		serial: newer?.serial ?? 0,
		/** Only the state of another workflow, node, Base URL or Resource is known. */
		hasOnlyOthers: !hasRun && (inN8n ?? last) !== undefined,
		last: usesN8ns ? { stored: inN8n as IDataObject, savedSerial } : last,
	};
}

/**
 * The last poll whose items n8n has certainly taken. A `tick` shows that it took the last poll's: it came back to the same context.
 * So does a state in n8n that is older than `savedSerial`, except in a `scheduledTick`: the node was renamed. Otherwise, n8n may
 * have lost them, so it is the poll before. `stale`: n8n may still be saving them, so this poll does nothing.
 */
function lastTakenPoll(kind: PollKind, owner: string, last?: LastPoll, serialInN8n = -1) {
	if (last?.emission === undefined) return last;
	const { stored, savedSerial, emission } = last;
	const mayBeLost = kind === 'scheduledTick' || serialInN8n >= savedSerial;
	const isJustAfter = emission.isScheduled && clock.elapsed() - emission.endedAt < STALE_MS;
	const { before } = emission;
	// This poll is not skipped if there is no state: the next one would start over later, and miss the charges in between.
	const hasState = serialInN8n >= 0 || (before && !hasOtherOwner(before.stored, owner)) === true;
	if (mayBeLost && isJustAfter && hasState && serialInN8n < emission.serial) return 'stale';
	return kind === 'tick' || !mayBeLost ? { stored, savedSerial: emission.serial } : before;
}

/** Stores the state. Nothing may throw after it, since that would not undo it. */
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
	// n8n notices reliably only that a top-level value was replaced.
	staticData[STATIC_DATA_KEY] = stored;
	const { serial } = next;
	const { last: before } = memory;
	const isScheduled = kind === 'scheduledTick';
	// n8n takes the items of a first poll and saves its state in any case.
	const isOfTick = isTick(kind);
	const savedBefore = isScheduled ? (serialInN8n ?? -1) : (before?.savedSerial ?? 0);
	const savedSerial = isOfTick ? savedBefore : serial;
	const emission = { serial, before, endedAt: clock.elapsed(), isScheduled };
	memory.last = { stored, savedSerial, ...(isOfTick && hasItems ? { emission } : {}) };
}
