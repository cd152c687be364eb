import { Watcher } from './reading/watcher';
import { createdEvent, inOrder } from '../shared/records/recordEvents';
import { fromMs, latest } from '../shared/timestamps';
import { RecordList } from './list/recordList';
import { readBacklog } from './reading/backlog';
import { stateFor, type PollInput } from './reading/startingState';
import { Judge, rotation, missingOf, newestUpToNow, type Poll } from './reading/judge';
import { readNewEnd } from './reading/newEnd';
import { readRounds, sweep } from './reading/round';

/** While polls run out of time, two of three begin with the round: it alone finds all charges. */
const TURNS = [readNewEnd, readRounds, readRounds];
const WATCHING_TURNS = [...TURNS, sweep, readRounds, readRounds];

/**
 * Reads the new end of the list, a round if one is due, and some pages of the watched days.
 *
 * @returns events, the oldest first, no more than the user chose; the state to store; warnings without secrets
 * @throws {ServiceFailure} if no page came
 */
export async function pollList(input: PollInput) {
	const { settings, nowMs } = input;
	const notes: string[] = [];
	const state = stateFor(input, notes);
	const watcher = state.watch && new Watcher(state.watch, settings);
	const poll: Poll = {
		state,
		settings,
		nowMs,
		list: new RecordList(input.fetchPage, state.listFacts, input.deadlineMs),
		judge: new Judge(state, settings, watcher),
	};
	await readParts(poll);
	const { list, judge } = poll;
	// If the service only said that pages don't exist, page 1 shows whether it is down.
	if (!list.hasAnswered) await list.read(1);
	if (!list.hasAnswered && list.error !== undefined) throw list.error;

	const events = judge.takeFresh().map((row) => createdEvent(settings.resource.created, row));
	events.push(...(watcher?.takeEvents(settings.maxEvents - events.length) ?? []));
	settleAccounts(poll);
	const stateWarnings = [...judge.writeState(), ...(watcher?.writeState() ?? [])];
	const warnings = [...notes, ...list.warnings, ...stateWarnings];
	return { events: inOrder(events), state, warnings };
}

/** While there is a backlog, only its pages are read. */
async function readParts(poll: Poll): Promise<void> {
	await readBacklog(poll);
	for (const read of rotation(poll, poll.state.watch ? WATCHING_TURNS : TURNS)) {
		if (poll.state.backlog !== undefined) return;
		await read(poll);
		await readBacklog(poll);
	}
}

function settleAccounts(poll: Poll): void {
	const { state, list, judge, nowMs } = poll;
	if (list.hasAnswered) state.polledAt = latest(fromMs(nowMs), newestUpToNow(poll));
	delete state.learning?.isFirst;
	if (judge.room < 0) {
		state.roundOwed = true;
		// A later round has to find the charges that had to wait.
		delete state.round;
	}
	if (state.backlog !== undefined) return;
	const missing = missingOf(poll) + Math.max(0, -judge.room);
	// More were found than came in: others left the list, or the trigger is new.
	if (missing < 0) state.roundOwed = true;
	// Charges that came in during this poll without being found stay unaccounted for: the next poll looks for them.
	const { accounted } = state.listFacts;
	const count =
		list.count ?? (accounted === undefined ? undefined : accounted + judge.unknownCount);
	state.listFacts.accounted = count && Math.max(0, count - Math.max(0, missing));
}
