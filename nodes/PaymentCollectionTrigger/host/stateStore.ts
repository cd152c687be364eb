import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import type { Instant } from '../../shared/timestamps';
import { isOthers, readSeen, readStored, toStored, type StoredState } from '../state/state';
import { NodeMemory, isDurableTick, polled, type PollKind } from './pollGuard';

/** Where the state stands in the node's static data. */
const STATIC_DATA_KEY = 'cursor';
/** n8n reads the state of a durable tick before it starts it: two that are due together may hold the same one. */
const STALE_MS = 10_000;

/** What a poll of this process left behind. */
interface Remembered {
	readonly stored: IDataObject;
	/** The newest state that n8n is known to have saved, by its serial; -1 where none is. */
	readonly savedSerial: number;
	/** Of a tick with items, until the next poll shows whether n8n took them. */
	readonly emission?: { readonly serial: number; readonly before: Remembered | undefined };
}

/**
 * The newest state, since n8n does not save what a poll without items changed, forgets all when a node is renamed, and
 * may keep polling by an older copy (docs/n8n-engine.md, Polling). n8n may throw away what a tick with items returned: a
 * durable one is therefore not remembered, and beside another one what was remembered before it.
 */
const remembered = new NodeMemory<Remembered>();

/** The state that the last durable tick with items wrote, by its serial, and when it ended. */
const lastEmission = new NodeMemory<{ readonly serial: number; readonly endedAt: number }>();

/** When the first poll of a registration failed and was forgiven: what comes in from then on is new to its ticks. */
export const firstTried = new NodeMemory<Instant>();

/** The newest state of this owner: n8n's or the process's. */
export function loadState(context: IPollFunctions, kind: PollKind, owner: string) {
	if (kind !== 'tick') firstTried.set(context, undefined);
	const stored = context.getWorkflowStaticData('node')[STATIC_DATA_KEY];
	const own = isOthers(stored, owner) ? undefined : stored;
	const fromN8n = readStored(own);
	const known = recall(context, fromN8n?.serial);
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
	const serial = newest?.serial ?? 0;
	const emitted = lastEmission.get(context);
	const isJustAfter = emitted !== undefined && clock.elapsed() - emitted.endedAt < STALE_MS;
	return {
		hasRun,
		state: newest?.state,
		polledAt: firstTried.get(context),
		...readSeen(isN8nOlder ? known?.stored : own),
		/** Of the newest state that is known; 0 where there is none. */
		serial,
		/** Something is known, but of another workflow, node or Base URL. */
		isOthers: !hasRun && (stored ?? known) !== undefined,
		/** A durable tick holds the state from before a poll whose items n8n has just taken: it would tell them again. */
		isStale: isDurableTick(context) && isJustAfter && serial < emitted.serial,
	};
}

/**
 * What is remembered and was told. A registration that came after a poll with items can't say whether n8n took them,
 * where it has the state that n8n saved last before; where it has an older one, or none, it was renamed or imported.
 */
function recall(context: IPollFunctions, serialInN8n: number | undefined): Remembered | undefined {
	const isFirst = !polled.has(context) && !isDurableTick(context);
	const last = remembered.get(context);
	if (last?.emission === undefined) return last;
	const { stored, savedSerial, emission } = last;
	const isInDoubt = isFirst && serialInN8n !== undefined && serialInN8n >= savedSerial;
	const known = isInDoubt ? emission.before : { stored, savedSerial: emission.serial };
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
	firstTried.set(context, undefined);
	// Only a whole new value at the top is sure to be noticed.
	context.getWorkflowStaticData('node')[STATIC_DATA_KEY] = stored;
	if (hasItems && isDurableTick(context)) {
		lastEmission.set(context, { serial: next.serial, endedAt: clock.elapsed() });
		return;
	}
	const before = remembered.get(context);
	// What comes with an activation n8n takes and saves in any case.
	const isTick = kind === 'tick';
	const savedSerial = isTick ? (before?.savedSerial ?? -1) : next.serial;
	const emission = { serial: next.serial, before };
	remembered.set(context, { stored, savedSerial, ...(isTick && hasItems ? { emission } : {}) });
}
