import { createHash } from 'node:crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../../../nodes/shared/clock';
import { changesOf, hasWantedStatus, newsOf, nowSeen, wishesOf } from './changes';
import type { Seen } from './changes';
import { queryOf, readAll } from './reading';
import type { Poll } from '../n8n/poll';

const KEY_LENGTH = 'secret-key-0'.length;

interface State {
	/** Grows with each poll. */
	readonly number: number;
	readonly accounts: Readonly<Record<string, AccountState>>;
}

interface Memory {
	state?: State;
	/** The state that a durable poll with items began with, and when that was. */
	emitted?: { readonly number: number | undefined; readonly at: number };
	/** What the last poll with items left: n8n may have thrown them away, if none of those polls again that polled before. */
	unsure?: {
		readonly state: State;
		readonly nodeName: string;
		readonly witnesses: WeakSet<IPollFunctions>;
	};
	/** Those that have polled since then. */
	contexts: WeakSet<IPollFunctions>;
	isBusy: boolean;
}

interface AccountState {
	/** Ids of all charges that were told, or there when it began. */
	readonly ids: readonly string[];
	/** What each charge was refunded and which statuses it had, by its id. */
	readonly seen: Readonly<Record<string, Seen>>;
	/** What the list was asked for at the last poll, and when that was. */
	readonly query: IDataObject;
	readonly at: number;
}

/** How often the whole list is read in a poll, since rows may move or hide while it is read. */
const READINGS = 2;
const BASELINE_READINGS = 12;

/**
 * A trigger that anybody can see to be right, and that nobody could afford: it reads the whole list, twice, in each
 * poll and remembers every id. It shows that the model blames no one who keeps the promises.
 */
export function honestReader(): Poll {
	const memories = new Map<string, Memory>();
	return async (context) => {
		const key = context.getWorkflow().id ?? '';
		const memory = memories.get(key) ?? { isBusy: false, contexts: new WeakSet() };
		memories.set(key, memory);
		if (memory.isBusy) return null;
		memory.isBusy = true;
		try {
			return await readOnce(context, memory);
		} finally {
			memory.isBusy = false;
		}
	};
}

async function readOnce(
	context: IPollFunctions,
	memory: Memory,
): Promise<INodeExecutionData[][] | null> {
	const data = context.getWorkflowStaticData('node');
	const stored = unsealed(data['state']);
	const isDamaged = data['state'] !== undefined && stored === undefined;
	const { unsure } = memory;
	const isRenamed = unsure !== undefined && unsure.nodeName !== context.getNode().name;
	if (unsure?.witnesses.has(context) === true || isRenamed || isDamaged)
		memory.state = unsure?.state ?? memory.state;
	memory.contexts.add(context);
	const isNewer = memory.state !== undefined && memory.state.number > (stored?.number ?? -1);
	const state = isNewer ? memory.state : stored;
	const isDurableTick = context.getPollBudgetMs() !== 300_000;
	// Two ticks that were due together hold the same cursor.
	const { emitted } = memory;
	if (
		isDurableTick &&
		emitted?.number === state?.number &&
		clock.now() - (emitted?.at ?? 0) < 10_000
	) {
		return null;
	}
	let rows: IDataObject[];
	try {
		rows = await readAll(context, state === undefined ? BASELINE_READINGS : READINGS);
	} catch (error) {
		// n8n gives a trigger up whose first poll throws.
		if (isDurableTick || memory.state !== undefined) throw error;
		return null;
	}
	const credentials = await context.getCredentials('any');
	// Its key says whose it is, also when it is a renewed one.
	const apiKey = (credentials['apiKey'] as string).slice(0, KEY_LENGTH);
	const account = state?.accounts[apiKey];
	const known = new Set(account?.ids ?? []);
	const query = queryOf(context);
	const wishes = wishesOf(context);
	const seen: Record<string, Seen> = { ...account?.seen };
	const items: IDataObject[] = [];
	let created = 0;
	for (const row of rows.sort((one, other) => timeOf(one) - timeOf(other))) {
		const id = row['id'] as string;
		const before = seen[id];
		const isNew = !known.has(id) && hasWantedStatus(row, wishes);
		const isSilent =
			before === undefined &&
			(account === undefined
				? isDamaged || !isTold(context, row)
				: isSilencedBy(account, query, row));
		const isChange = before !== undefined && wishes.events.has('charge.statusChanged');
		if (isNew && !isSilent && !isChange) {
			if (created === maxCharges(context)) continue;
			created += 1;
			items.push(...newsOf(row, wishes));
		} else items.push(...changesOf(row, before, wishes));
		if (isNew) known.add(id);
		seen[id] = nowSeen(row, before);
	}
	const at = clock.now();
	const next: State = {
		number: (state?.number ?? 0) + 1,
		accounts: { ...state?.accounts, [apiKey]: { ids: [...known], seen, query, at } },
	};
	data['state'] = sealed(next);
	if (items.length === 0) {
		memory.state = next;
		delete memory.unsure;
		return null;
	}
	if (isDurableTick) memory.emitted = { number: state?.number, at };
	else {
		const nodeName = context.getNode().name;
		memory.unsure = { state: next, nodeName, witnesses: memory.contexts };
		memory.contexts = new WeakSet([context]);
	}
	return [items.map((json) => ({ json }))];
}

/** A state as it is stored, with a proof that nobody has changed it. */
const sealed = (state: State): string[] => [JSON.stringify(state), digest(JSON.stringify(state))];

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

function unsealed(stored: unknown): State | undefined {
	const [text, seal] = Array.isArray(stored) ? (stored as unknown[]) : [];
	return typeof text === 'string' && digest(text) === seal
		? (JSON.parse(text) as State)
		: undefined;
}

/** Whether a charge that is there at the very first poll is to be told. */
function isTold(context: IPollFunctions, row: IDataObject): boolean {
	const from = context.getNodeParameter('options.startFrom');
	const date = context.getNodeParameter('options.startDate', '') as string;
	return from === 'beginning' || (from === 'date' && timeOf(row) >= Date.parse(date));
}

/** What only other filters show, and was created before the last poll, was there before. */
function isSilencedBy({ query, at }: AccountState, now: IDataObject, row: IDataObject): boolean {
	if (JSON.stringify(query) === JSON.stringify(now)) return false;
	const { currency, ...others } = query;
	const wasShown =
		Object.keys(others).length === 0 && (currency === undefined || currency === row['currency']);
	return !wasShown && timeOf(row) <= at;
}

function timeOf({ created }: IDataObject): number {
	const text = created as string;
	return Date.parse(/Z|\+\d\d:\d\d$/.test(text) ? text : `${text}Z`);
}

const maxCharges = (context: IPollFunctions): number =>
	context.getNodeParameter('options.maxChargesPerPoll') as number;
