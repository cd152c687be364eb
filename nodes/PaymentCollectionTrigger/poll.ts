import { Watcher } from './changes/watcher';
import { createdEvent, inOrder } from '../shared/records/recordEvents';
import { fromMs, latest } from '../shared/timestamps';
import { RecordList } from './list/recordList';
import { readBacklog } from './reading/backlog';
import { stateFor, type PollInput } from './reading/beginning';
import { Judge, rotation, missingOf, newestListed, type Poll } from './reading/judge';
import { readNewEnd, readRounds } from './reading/round';
import { sweep } from './reading/sweep';

/** Two of three turns are the round's: the others tell of charges sooner, it is what finds all of them. */
const TURNS = [readNewEnd, readRounds, readRounds];
const WATCHING_TURNS = [...TURNS, sweep, readRounds, readRounds];

/**
 * One poll: reads the new end of the list, a round where one is due, and some pages of the watched days; then tells what
 * is new. It works on a copy of what was stored.
 *
 * @returns events, the oldest first, at most as many as the user chose; the state, to be stored once nothing can fail any
 *   more; warnings for n8n's log, without contents of rows and secrets
 * @throws {ServiceFailure} when no page came at all
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
		list: new RecordList(input.fetchPage, state.list, input.deadlineMs),
		judge: new Judge(state, settings, watcher),
	};
	await readParts(poll);
	const { list, judge } = poll;
	// Where pages were only said not to be there, the first one shows whether the service is down.
	if (!list.hasAnswered) await list.read(1);
	if (!list.hasAnswered && list.error !== undefined) throw list.error;

	const events = judge.tell().map((row) => createdEvent(settings.resource.created, row));
	events.push(...(watcher?.tell(settings.maxCharges - events.length) ?? []));
	settle(poll);
	const warnings = [...notes, ...list.warnings, ...judge.save(), ...(watcher?.save() ?? [])];
	return { events: inOrder(events), state, warnings };
}

/** While there is a backlog, its pages are all that is read. */
async function readParts(poll: Poll): Promise<void> {
	const { state, list } = poll;
	await readBacklog(poll);
	for (const read of rotation(state, list, state.watch ? WATCHING_TURNS : TURNS)) {
		if (state.backlog !== undefined) return;
		await read(poll);
		await readBacklog(poll);
	}
}

function settle(poll: Poll): void {
	const { state, list, judge, nowMs } = poll;
	state.polledAt = latest(fromMs(nowMs), newestListed(poll));
	const { beginning } = state;
	if (beginning?.firstRound)
		beginning.firstRound = beginning.hasSeenNewEnd ? undefined : 'afterPoll';
	if (judge.room < 0) {
		state.unrest = true;
		// A round in which charges had to wait has to meet them again.
		delete state.round;
	}
	if (state.backlog !== undefined) return;
	const missing = missingOf(poll) + Math.max(0, -judge.room);
	// More were met than came in: others left the list, or the trigger begins.
	if (missing < 0) state.unrest = true;
	// What came in while the poll read is found by the next one, unless it was found already.
	state.list.accounted = list.count && Math.max(0, list.count - Math.max(0, missing));
}
