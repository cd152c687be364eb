import { clock } from '../../shared/clock';
import { DAY_MS, EARLIEST, earliest, fromMs, latest, type Instant } from '../../shared/timestamps';
import { compareTexts } from '../../shared/values';
import type { Watcher } from './watcher';
import type { PollSettings } from '../description/settings';
import type { RecordList } from '../list/recordList';
import type { Page, Row } from '../list/pages';
import { DatedKeys, budgets } from '../state/datedKeys';
import type { TriggerState } from '../state/state';
import { wasListedAtStart } from './startingState';

/** A row created since `since` that is not known is new, wherever it is read, unless it was there at the start. */
export class Judge {
	/** New charges that the user wants, by key. Those without room wait for the next poll. */
	readonly fresh = new Map<string, Row>();
	readonly known: DatedKeys;
	/** Number of unknown charges that this poll has judged: not those that wait for the new end. One without room counts again later. */
	unknownCount = 0;
	/** Number of unknown charges that were listed when the trigger started, or that wait until the new end is read. */
	learnedCount = 0;

	/** @param watcher undefined if only new charges are wanted */
	constructor(
		private readonly state: TriggerState,
		private readonly settings: PollSettings,
		private readonly watcher: Watcher | undefined,
	) {
		this.known = new DatedKeys(state.known);
	}

	/** Number of charges that this poll can still emit; negative if some have to wait. */
	get room(): number {
		return this.settings.maxEvents - this.fresh.size;
	}

	/** Judges all rows of a page. @param isAtNewEnd true if all charges above them are new @returns for each row whether it is new */
	lookAt(page: Page, isAtNewEnd = false): boolean[] {
		this.prepare(page);
		return page.rows.map((row) => row !== undefined && this.look(row, isAtNewEnd));
	}

	/** Notes the newest date of a page and its usual status, before its rows are judged. */
	prepare(page: Page): void {
		const { state } = this;
		this.watcher?.prepare(page);
		// Charges may have come in since the poll began, so the clock is read again.
		const now = fromMs(clock.now());
		for (const { created } of page.rows.filter((row) => row !== undefined))
			if (created <= now) state.newest = latest(state.newest ?? created, created);
	}

	/** Takes a new charge, whatever `since` says. */
	take(row: Row): void {
		const { resource, events, statuses } = this.settings;
		if (events.has(resource.created) && statuses.matches(row)) this.fresh.set(row.key, row);
		else this.finish(row, true);
	}

	/** The charges to emit, the oldest first: they are known from now on. Of one moment, those nearest to the new end wait first. */
	takeFresh(): Row[] {
		const fresh = [...this.fresh.values()].toReversed();
		const oldestFirst = fresh.sort((one, other) => compareTexts(one.created, other.created));
		const emitted = oldestFirst.slice(0, this.settings.maxEvents);
		for (const row of emitted) this.finish(row, true);
		return emitted;
	}

	/** Writes `known`, and moves `since` past forgotten keys, so that none is emitted again. @returns warnings for n8n's log */
	writeState(): string[] {
		const { state, known } = this;
		const forgottenBefore = known.shrink(budgets.knownKeys);
		state.known = known.toText();
		if (forgottenBefore === undefined) return [];
		state.since = latest(state.since, forgottenBefore);
		return [
			`Too many records within 'Lookback': a record created before ${forgottenBefore} UTC that is listed late can be missed`,
		];
	}

	private look(row: Row, isAtNewEnd: boolean): boolean {
		const { state, known } = this;
		// Taken already. Its changes are emitted after it.
		if (this.fresh.has(row.key)) return false;
		const { learning } = state;
		const isUnknown = row.created >= state.since && !known.has(row.key);
		const wasListed = learning !== undefined && wasListedAtStart(row, learning, isAtNewEnd);
		const isNew = isUnknown && !wasListed;
		const hasToWait = isNew && learning !== undefined && !learning.hasSeenNewEnd;
		if (isUnknown && (wasListed || hasToWait)) this.learnedCount += 1;
		if (hasToWait) return false;
		if (isUnknown) this.unknownCount += 1;
		if (isNew) this.take(row);
		else this.finish(row, false);
		return isNew;
	}

	/** Makes a row known from now on, and checks it for changes. */
	private finish(row: Row, isNew: boolean): void {
		if (row.created >= this.state.since) this.known.note(row.key, row.created);
		this.watcher?.look(row, isNew);
	}
}

export interface Poll {
	/** Changed during the poll; stored once nothing can fail anymore. */
	readonly state: TriggerState;
	readonly settings: PollSettings;
	readonly list: RecordList;
	readonly judge: Judge;
	/** The host's clock when the poll began. */
	readonly nowMs: number;
}

/** The newest `created`, or the host's time if that is earlier, so that one wrong clock can't put it into the future. */
export const newestUpToNow = ({ state }: Poll): Instant =>
	state.newest === undefined ? EARLIEST : earliest(state.newest, fromMs(clock.now()));

/** Number of the list's charges that no poll has found; negative if more were found than came in. */
export function missingOf({ state, list, judge }: Poll, count = list.count): number {
	const { accounted } = state.listFacts;
	return count === undefined || accounted === undefined
		? 0
		: count - accounted - judge.unknownCount;
}

/** Notes since when pages fail, may hide charges, or lack a count. @returns true after so long that their charges are given up */
export function givesUpAfterFailure({ state, settings, nowMs }: Poll): boolean {
	state.failingSinceMs ??= nowMs;
	return Math.abs(nowMs - state.failingSinceMs) > Math.max(settings.lookbackMs, DAY_MS);
}

/** Each part once, from the due turn on. If time runs out, the next poll begins with the next turn. */
export function* rotation<Part>({ state, list }: Poll, turns: readonly Part[]): Generator<Part> {
	const { turn = 0 } = state;
	delete state.turn;
	for (const part of new Set([...turns.slice(turn), ...turns.slice(0, turn)])) {
		if (!list.mayRead()) state.turn = (turn + 1) % turns.length;
		// Even without time, since pages that were read already cost none.
		yield part;
	}
}
