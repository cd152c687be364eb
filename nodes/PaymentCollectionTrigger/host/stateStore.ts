import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { isOthers, readSeen, readStored, toStored, type StoredState } from '../state/state';
import { isTick, memoryOf, type LastPoll, type PollKind } from './triggerMemory';

/** The state's name in the node's static data. */
const STATIC_DATA_KEY = 'cursor';
/** n8n's scheduler reads a tick's state before it starts the tick: two that are due together may have the same one. */
const STALE_MS = 10_000;

/** Chooses the state to continue from, and remembers the choice. @returns undefined for a `stale` poll */
export function resumeState(context: IPollFunctions, kind: PollKind, owner: string) {
	const memory = memoryOf(context);
	if (!isTick(kind)) memory.firstTried = undefined;
	const inN8n = context.getWorkflowStaticData('node')[STATIC_DATA_KEY];
	const chosen = chooseState(kind, owner, inN8n, memory.last);
	if (chosen === 'stale') return undefined;
	memory.last = chosen.last;
	return { polledAt: memory.firstTried, ...chosen };
}

/**
 * The newest state of this owner: n8n's, which can also be another owner's or damaged, or the process's. `stale` for a poll
 * that would emit again what n8n just took.
 */
export function chooseState(kind: PollKind, owner: string, inN8n: unknown, known?: LastPoll) {
	const own = isOthers(inN8n, owner) ? undefined : inN8n;
	const fromN8n = readStored(own);
	const last = settledLast(kind, owner, known, fromN8n?.serial);
	if (last === 'stale') return last;
	const fromProcess = isOthers(last?.stored, owner) ? undefined : readStored(last?.stored);
	const isN8nOlder = (fromProcess?.serial ?? -1) > (fromN8n?.serial ?? -1);
	const newest = isN8nOlder ? fromProcess : fromN8n;
	const hasRun = own !== undefined || newest !== undefined;
	// After a rename, the node finds no state, or an older one from when it last had that name.
	const isN8ns = fromN8n !== undefined && !isN8nOlder;
	// An n8n that has just started has the state that it saved.
	const savedSerial = last?.savedSerial ?? fromN8n?.serial ?? 0;
	return {
		hasRun,
		state: newest?.state,
		...readSeen(isN8nOlder ? last?.stored : own),
		/** The newest known state's serial; 0 without one. */
		serial: newest?.serial ?? 0,
		/** Only the state of another workflow, node, Base URL or Resource is known. */
		isOthers: !hasRun && (inN8n ?? last) !== undefined,
		last: isN8ns ? { stored: inN8n as IDataObject, savedSerial } : last,
	};
}

/**
 * The last poll whose items n8n has certainly taken. If the first poll of a registration has the state that n8n saved before
 * the last emission, it can't know whether n8n took that; with an older state or none, the node was renamed or imported. A
 * tick of the scheduler has the state that n8n took. While n8n may still be saving it, a poll is `stale`: the next one knows.
 */
function settledLast(kind: PollKind, owner: string, last?: LastPoll, serialInN8n = -1) {
	if (last?.emission === undefined) return last;
	const { stored, savedSerial, emission } = last;
	const isInDoubt = kind === 'scheduledTick' || serialInN8n >= savedSerial;
	const isJustAfter = emission.isScheduled && clock.elapsed() - emission.endedAt < STALE_MS;
	const { before } = emission;
	// Without a state to continue from, the next tick would start later than this poll.
	const canWait = serialInN8n >= 0 || (before !== undefined && !isOthers(before.stored, owner));
	if (isInDoubt && isJustAfter && canWait && serialInN8n < emission.serial) return 'stale';
	return kind === 'tick' || !isInDoubt ? { stored, savedSerial: emission.serial } : before;
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
	const isScheduled = kind === 'scheduledTick';
	// n8n takes and saves the items of an activation in any case.
	const isOfTick = isTick(kind);
	const known = isScheduled ? (serialInN8n ?? -1) : (before?.savedSerial ?? 0);
	const savedSerial = isOfTick ? known : serial;
	const emission = { serial, before, endedAt: clock.elapsed(), isScheduled };
	memory.last = { stored, savedSerial, ...(isOfTick && hasItems ? { emission } : {}) };
}
