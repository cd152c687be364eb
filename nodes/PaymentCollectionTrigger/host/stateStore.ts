import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { isOthers, readSeen, readStored, toStored, type StoredState } from '../state/state';
import { isTick, memoryOf, type LastPoll, type PollKind } from './triggerMemory';

const STATIC_DATA_KEY = 'cursor';
/** A tick may have got the same state as one that ended so recently: n8n's scheduler reads it before it starts a tick. */
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
	const own = isOthers(inN8n, owner) ? undefined : inN8n;
	const fromN8n = readStored(own);
	const last = lastTakenPoll(kind, owner, inProcess, fromN8n?.serial);
	if (last === 'stale') return last;
	const fromProcess = isOthers(last?.stored, owner) ? undefined : readStored(last?.stored);
	const isN8nOlder = (fromProcess?.serial ?? -1) > (fromN8n?.serial ?? -1);
	const newest = isN8nOlder ? fromProcess : fromN8n;
	const hasRun = own !== undefined || newest !== undefined;
	// False if n8n has no state or an older one, as after a rename, or after polls that it did not save.
	const usesN8ns = fromN8n !== undefined && !isN8nOlder;
	// An n8n that has just started has the state that it saved.
	const savedSerial = last?.savedSerial ?? fromN8n?.serial ?? 0;
	return {
		hasRun,
		state: newest?.state,
		...readSeen(isN8nOlder ? last?.stored : own),
		/** The newest known state's serial; 0 without one. */
		serial: newest?.serial ?? 0,
		/** Only the state of another workflow, node, Base URL or Resource is known. */
		hasOnlyOthers: !hasRun && (inN8n ?? last) !== undefined,
		last: usesN8ns ? { stored: inN8n as IDataObject, savedSerial } : last,
	};
}

/**
 * The last poll whose items n8n has certainly taken. An emission counts in a `tick`, since n8n came back to the same context,
 * and if n8n's state is older than `savedSerial`, since the node was renamed. In any other case, n8n may have lost its items,
 * so the poll before counts. `stale`: n8n may still be saving them.
 */
function lastTakenPoll(kind: PollKind, owner: string, last?: LastPoll, serialInN8n = -1) {
	if (last?.emission === undefined) return last;
	const { stored, savedSerial, emission } = last;
	const isInDoubt = kind === 'scheduledTick' || serialInN8n >= savedSerial;
	const isJustAfter = emission.isScheduled && clock.elapsed() - emission.endedAt < STALE_MS;
	const { before } = emission;
	// Without a state, the next tick would start over, and miss what came in since this poll.
	const canWait = serialInN8n >= 0 || (before !== undefined && !isOthers(before.stored, owner));
	if (isInDoubt && isJustAfter && canWait && serialInN8n < emission.serial) return 'stale';
	return kind === 'tick' || !isInDoubt ? { stored, savedSerial: emission.serial } : before;
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
	// n8n notices for certain only a replaced value at the top.
	staticData[STATIC_DATA_KEY] = stored;
	const { serial } = next;
	const { last: before } = memory;
	const isScheduled = kind === 'scheduledTick';
	// n8n takes and saves the items of a first poll in any case.
	const isOfTick = isTick(kind);
	const savedBefore = isScheduled ? (serialInN8n ?? -1) : (before?.savedSerial ?? 0);
	const savedSerial = isOfTick ? savedBefore : serial;
	const emission = { serial, before, endedAt: clock.elapsed(), isScheduled };
	memory.last = { stored, savedSerial, ...(isOfTick && hasItems ? { emission } : {}) };
}
