import { Watcher } from './changes/watcher';
import { createdEvent, inOrder } from '../shared/charges/chargeEvents';
import type { ChargeEvent } from '../shared/charges/chargeEvents';
import { fromMs, latest } from '../shared/timestamps';
import type { Instant } from '../shared/timestamps';
import { budgets } from './budgets';
import { ChargeList } from './list/chargeList';
import type { FetchPage } from './list/chargePages';
import type { PollSettings } from './description/settings';
import { readBacklog } from './reading/backlog';
import { stateFor } from './reading/beginning';
import type { Former } from './reading/beginning';
import { Judge } from './reading/judge';
import { readNewEnd } from './reading/newEnd';
import { readRounds } from './reading/round';
import type { Run } from './reading/run';
import { sweep } from './reading/sweep';
import { DatedKeys } from './state/datedKeys';
import type { Part, TriggerState } from './state/state';

export interface PollInput {
	/** Stands for base URL, key and the filters that are sent. */
	readonly scope: string;
	/** What the last poll left behind, in a copy of its own. */
	readonly former: Former;
	readonly settings: PollSettings;
	readonly fetchPage: FetchPage;
	/** The host's clock: it may be wrong. */
	readonly nowMs: number;
	/** When the last request must have ended, by the clock's elapsed milliseconds. */
	readonly deadlineMs: number;
}

export interface PollResult {
	/** Oldest first; at most as many as the user chose. */
	readonly events: readonly ChargeEvent[];
	/** To be stored once nothing can fail any more. */
	readonly state: TriggerState;
	/** For n8n's log: no contents of rows, no secrets. */
	readonly warnings: readonly string[];
}

const PARTS: ReadonlyArray<[Part, (run: Run) => Promise<void>]> = [
	['newEnd', readNewEnd],
	['round', readRounds],
	['watch', sweep],
];

/**
 * One poll: reads the new end of the list, a round where one is due, and some pages of the watched days; then tells what
 * is new. It changes nothing that was stored.
 *
 * @throws {ServiceFailure} when no page came at all
 */
export async function pollCharges(input: PollInput): Promise<PollResult> {
	const { settings, nowMs } = input;
	const state = stateFor(input.scope, input.former, settings, nowMs);
	const known = new DatedKeys(state.known);
	const run: Run = {
		state,
		settings,
		nowMs,
		list: new ChargeList(input.fetchPage, state.list, input.deadlineMs),
		judge: new Judge(state, known, settings),
		watcher: state.watch && new Watcher(state.watch, settings),
		hadCompleteRound: false,
		hasUnrest: false,
	};
	await readParts(run);
	const { list, judge, watcher } = run;
	// Where pages were only said not to be there, the first one shows whether the service is down.
	if (!list.hasAnswered) await list.read(1);
	if (!list.hasAnswered && list.error !== undefined) throw list.error;

	const created = judge.tell();
	for (const row of created) watcher?.look(row, true);
	const events = created.map(createdEvent);
	events.push(...(watcher?.tell(settings.maxCharges - events.length) ?? []));
	const isShortened = watcher?.save() === true;
	const forgottenBefore = settle(run, known);
	return {
		events: inOrder(events),
		state,
		warnings: warningsOf(run, forgottenBefore, isShortened),
	};
}

/** Begins with the part that the last poll had no time for. In a backlog, its pages are all that is read. */
async function readParts(run: Run): Promise<void> {
	const { state, list } = run;
	const first = PARTS.findIndex(([name]) => name === (state.turn ?? 'newEnd'));
	delete state.turn;
	for (const [name, read] of [...PARTS.slice(first), ...PARTS.slice(0, first)]) {
		if (state.backlog !== undefined) break;
		if (!list.mayRead) state.turn ??= name;
		await read(run);
	}
	await readBacklog(run);
}

/**
 * What the next poll begins with.
 *
 * @returns the instant before which charges had to be forgotten, if any
 */
function settle(run: Run, known: DatedKeys): Instant | undefined {
	const { state, judge, nowMs } = run;
	settleCounts(run);
	const isWaiting = judge.waiting > 0;
	if (isWaiting && state.round !== undefined) state.round.hadToWait = true;
	const { unrest = 0 } = state;
	const isOwed = run.hasUnrest || isWaiting || (unrest > 0 && !run.hadCompleteRound);
	// While charges wait for room, there is something to tell in every poll.
	state.unrest = isOwed ? (isWaiting ? 1 : unrest + 1) : undefined;
	const forgottenBefore = known.shrink(budgets.knownKeys);
	state.since = latest(state.since, forgottenBefore ?? state.since);
	state.known = known.toText();
	state.polledAt = latest(state.polledAt, fromMs(nowMs), state.newest ?? state.polledAt);
	return forgottenBefore;
}

/** What came in while the poll read is found by the next one, unless it was found already. */
function settleCounts(run: Run): void {
	const { state, list, judge } = run;
	if (state.backlog !== undefined) return;
	const { count = 0 } = list;
	const { accounted = count - judge.found } = state.list;
	const settled = accounted + judge.found - judge.waiting;
	// More were found than came in: others left the list.
	if (list.count !== undefined && settled > count) run.hasUnrest = true;
	state.list.accounted = list.count && Math.min(settled, count);
}

function warningsOf(
	{ list, watcher }: Run,
	forgottenBefore: Instant | undefined,
	isShortened: boolean,
): string[] {
	const { error, unreadable } = list;
	const unclear = watcher?.unreadable ?? 0;
	const warnings = [
		error !== undefined &&
			`A page of the charge list could not be read and will be read again: ${error.failure?.status ?? error.failure?.kind ?? error.message}`,
		unreadable > 0 &&
			`Charges that have no id or no creation time that can be read: ${unreadable}. They are passed over until they have.`,
		forgottenBefore !== undefined &&
			`So many charges were created within the lookback that one created before ${forgottenBefore} UTC and listed late may be missed`,
		unclear > 0 &&
			`Charges whose status or refund_total can’t be read: ${unclear}. What became of them is told once it can be.`,
		isShortened &&
			'So many charges are refunded or change their status that fewer days than Watch Days can be watched',
	];
	return warnings.filter((text) => text !== false);
}
