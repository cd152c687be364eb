import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { readAccounts, readStored, toStored } from '../cursor/stored';
import type { KnownAccount, StoredCursor } from '../cursor/stored';
import { NodeMemory } from './nodeMemory';
import { isDurableTick } from './pollGuard';

/** Where the state stands in the node's static data. */
const STATIC_DATA_KEY = 'cursor';
/** n8n reads the state of a durable tick before it starts it: two that are due together may hold the same one. */
const STALE_MS = 10_000;

/** What the process remembers of a trigger and account. */
interface Remembered {
	readonly stored: IDataObject;
	/** The poll had items, and nobody has shown yet that n8n took them. Then this is known of it. */
	readonly emission?: {
		/** As many emissions of this process came before it. */
		readonly number: number;
		readonly nodeName: string;
		/** What was remembered before, if anything was. */
		readonly before: IDataObject | undefined;
	};
}

/**
 * The newest state of a trigger and account. n8n does not save what a poll without items changed (docs/n8n-engine.md,
 * Polling), forgets all when a node is renamed, and may keep polling by an older copy. But it throws the items
 * of a poll away when the workflow is unpublished meanwhile, or when durable cursors can't be committed: a state that
 * came with items counts only once n8n’s own shows that they were taken, or a later poll of a registration does that was
 * there before.
 */
const remembered = new NodeMemory<Remembered>();

let emissions = 0;
/** How many of them there had been when a context polled first. */
const emissionsAtFirst = new WeakMap<IPollFunctions, number>();

/** The account of the last state of a trigger that is remembered. */
const lastAccount = new NodeMemory<string>();

/** Of the last durable tick with items: no state from before it has a greater serial than this; and when it ended. */
const emittedFrom = new NodeMemory<{ readonly serial: number; readonly endedAt: number }>();

/** What a poll begins with. */
export interface LoadedState {
	/** Absent where the trigger never ran for the account, or its state is lost. */
	readonly state: StoredCursor | undefined;
	/** The greatest of all that is known of the trigger, whatever the account; 0 where nothing is. */
	readonly serial: number;
	/** n8n holds something that is no state of this version. */
	readonly isDamaged: boolean;
	/** The newest state of all, where it was left under another key: of another account, or of the same one. */
	readonly underOtherKey: StoredCursor | undefined;
	/** The trigger has run for these accounts, by what is stored, also by another version. */
	readonly accounts: readonly KnownAccount[];
}

/** The newest state of an account: of n8n's and the process's. */
export function loadState(context: IPollFunctions, account: string): LoadedState {
	// Counted in the first poll of a context, also where that fails.
	emissionsBefore(context);
	const stored = context.getWorkflowStaticData('node')[STATIC_DATA_KEY];
	const fromN8n = readStored(stored);
	if (fromN8n !== undefined) keepIfNewer(context, stored as IDataObject, fromN8n);
	const isDamaged = stored !== undefined && fromN8n === undefined;
	// Where n8n's state is damaged, nothing but the process's is left.
	const recall = (of: string) =>
		readStored(isDamaged ? remembered.get(context, of)?.stored : certain(context, of));
	const last = lastAccount.get(context) ?? account;
	const fromLast = last === account ? undefined : recall(last);
	const states = [fromN8n, recall(account), fromLast].filter((each) => each !== undefined);
	states.sort((one, other) => other.serial - one.serial);
	const [newest] = states;
	return {
		state: states.find(({ cursor }) => cursor.account === account),
		underOtherKey: newest?.cursor.account === account ? undefined : newest,
		serial: newest?.serial ?? 0,
		isDamaged,
		accounts: mostOf([
			...states.flatMap(({ accounts }) => accounts),
			...(readAccounts(stored) ?? []),
		]),
	};
}

/** What is known of each account, by the newest that knows it. */
function mostOf(newestFirst: readonly KnownAccount[]): KnownAccount[] {
	const accounts = new Map<string, KnownAccount>();
	for (const each of newestFirst) {
		if (!accounts.has(each.account)) accounts.set(each.account, each);
	}
	return [...accounts.values()];
}

/** What n8n hands out it has saved, so that it is certain: it is wanted again when another account was asked meanwhile. */
function keepIfNewer(context: IPollFunctions, stored: IDataObject, state: StoredCursor): void {
	const { account } = state.cursor;
	const serial = readStored(remembered.get(context, account)?.stored)?.serial ?? 0;
	if (state.serial >= serial) remembered.set(context, { stored: { ...stored } }, account);
	// A registration that was left behind may hold an older one, of another account.
	if (lastAccount.get(context) === undefined) lastAccount.set(context, account);
}

/** Of what is remembered, what is certain to have been told. What shows to have been thrown away is forgotten. */
function certain(context: IPollFunctions, account: string): IDataObject | undefined {
	const memory = remembered.get(context, account);
	if (memory?.emission === undefined) return memory?.stored;
	const { number, nodeName, before } = memory.emission;
	if (isDurableTick(context)) return before;
	// Under another name there is no state of n8n's that could show it: that it was taken is far more likely.
	const isRenamed = nodeName !== context.getNode().name;
	// A registration that polled before it, and still does, shows that n8n has ended none meanwhile.
	const isAlive = emissionsBefore(context) <= number;
	if (isAlive || isRenamed) return memory.stored;
	// One that came after it, under the same name, shows that n8n threw the items away, whatever the name is later.
	if (before === undefined) remembered.delete(context, account);
	else remembered.set(context, { stored: before }, account);
	return before;
}

function emissionsBefore(context: IPollFunctions): number {
	const count = emissionsAtFirst.get(context) ?? emissions;
	emissionsAtFirst.set(context, count);
	return count;
}

/** Whether a durable tick holds the state from before a poll whose items n8n has just taken: it would emit them again. */
export function isStale(context: IPollFunctions, serial: number): boolean {
	const last = emittedFrom.get(context);
	if (!isDurableTick(context) || last === undefined) return false;
	return clock.elapsed() - last.endedAt < STALE_MS && serial <= last.serial;
}

/** Stores the state, last of all that a poll does: a throw does not undo it. */
export function storeState(context: IPollFunctions, next: StoredCursor, emitsItems: boolean): void {
	const stored = toStored(next);
	// Only a whole new value at the top is sure to be noticed.
	context.getWorkflowStaticData('node')[STATIC_DATA_KEY] = stored;
	const { account } = next.cursor;
	if (emitsItems && isDurableTick(context)) {
		emittedFrom.set(context, { serial: next.serial - 1, endedAt: clock.elapsed() });
		return;
	}
	const nodeName = context.getNode().name;
	const before = certain(context, account);
	const emission = emitsItems && { number: emissions++, nodeName, before };
	remembered.set(context, { stored, ...(emission && { emission }) }, account);
	lastAccount.set(context, account);
}
