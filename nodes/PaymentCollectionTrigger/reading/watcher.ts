import {
	CHARGE_EVENTS,
	WATCHED_EVENTS,
	type ChargeState,
	type WatchedEventName,
} from '../../shared/records/chargeEvents';
import {
	createdEvent,
	inOrder,
	stateEvent,
	type RecordEvent,
} from '../../shared/records/recordEvents';
import { hashOf } from '../../shared/values';
import { clock } from '../../shared/clock';
import { fromMs, latest } from '../../shared/timestamps';
import { wasInFormerList } from './startingState';
import type { Page, Row } from '../list/pages';
import { watchedBy, type PollSettings } from '../description/settings';
import { DatedKeys, budgets } from '../state/datedKeys';
import type { Watch } from '../state/state';

const MARK_LENGTH = 4;
/** Marks of one charge that are stored, the last ones. */
const MAX_MARKS = 20;

/** Stands for a state that a charge had, such as a status or a refund total. */
type Mark = string;

const STATUS: WatchedEventName = 'charge.statusChanged';
/** Begins the marks of refund totals, so that they can be counted. */
const REFUND_SIGN = '.';
/** The status comes first, as in the marks that a new charge begins with. */
const STATUS_FIRST = [STATUS, ...WATCHED_EVENTS.filter((name) => name !== STATUS)] as const;

interface NamedState extends ChargeState {
	readonly name: WatchedEventName;
}

const statesOf = (row: Row): NamedState[] =>
	STATUS_FIRST.flatMap((name) => {
		const state = CHARGE_EVENTS[name].watched.stateOf(row);
		return state ? { name, text: state.text, at: state.at } : [];
	});

const markOf = ({ name, text }: Pick<NamedState, 'name' | 'text'>): Mark =>
	(name === 'charge.refunded' ? REFUND_SIGN : '') +
	hashOf(CHARGE_EVENTS[name].watched.markSource(text)).slice(0, MARK_LENGTH);

const statusMarks = ({ status: text }: Row): Mark[] =>
	text === undefined ? [] : [markOf({ name: STATUS, text })];

/** The mark of a new charge whose status can't be read. */
const UNREAD: Mark = markOf({ name: STATUS, text: '' });

/** Checks charges, and emits what has changed since the last check. */
export class Watcher {
	/** Charges whose status or refunded amount can't be read. */
	private unreadable = 0;
	private readonly facts: DatedKeys;
	private readonly wasUsualUnknown: boolean;
	private readonly asked: readonly WatchedEventName[];
	/** Changes that can be emitted, by the event's ID. */
	private readonly changed = new Map<string, { row: Row; mark: Mark; event: RecordEvent }>();

	/** @param watch is changed; its facts only by {@link Watcher.writeState} */
	constructor(
		private readonly watch: Watch,
		private readonly settings: PollSettings,
	) {
		this.facts = new DatedKeys(watch.facts);
		this.wasUsualUnknown = watch.usual === undefined;
		this.asked = watchedBy(settings);
	}

	/** The usual status is that of most charges of the first page. If 97 of 100 are authorised, only the other 3 need facts. */
	prepare({ rows }: Page): void {
		const { watch } = this;
		if (!this.wasUsualUnknown) return;
		// The service's clock may be ahead of the host's. Changes that it dates in the future came before the watch, too.
		const now = fromMs(clock.now());
		const present = rows.filter((row) => row !== undefined);
		for (const { at = '' } of present.flatMap(statesOf))
			if (at > now) watch.changesAfter = latest(watch.changesAfter, at);
		if (watch.usual !== undefined) return;
		const times = new Map<Mark, number>();
		for (const mark of present.flatMap(statusMarks)) times.set(mark, (times.get(mark) ?? 0) + 1);
		const [usual] = [...times].sort(([, one], [, other]) => other - one);
		if (usual !== undefined) [watch.usual] = usual;
	}

	/** @param isNew whether this poll emits it as new, if the user asked for that */
	look(row: Row, isNew: boolean): void {
		const { watch, settings, changed } = this;
		if (watch.createdFrom !== undefined && row.created < watch.createdFrom) return;
		if (this.isUnreadable(row)) this.unreadable += 1;
		const isFirstSight = isNew && !this.facts.has(row.key);
		const before = isFirstSight
			? [markOf({ name: STATUS, text: row.status ?? '' })]
			: this.marksOf(row);
		const silent: Mark[] = [];
		for (const state of statesOf(row)) {
			// Until its status is wanted, its other states are neither emitted nor remembered.
			const isWanted = state.name === STATUS || settings.statuses.matches(row);
			const mark = markOf(state);
			if (!isWanted || before.includes(mark)) continue;
			const event = this.eventOf(row, state, before);
			if (event === undefined) silent.push(mark);
			else if (changed.size <= settings.maxEvents) changed.set(event.id, { row, mark, event });
		}
		this.remember(row, [...before, ...silent]);
	}

	private isUnreadable(row: Row): boolean {
		return this.asked.some((name) => CHARGE_EVENTS[name].watched.isUnreadable(row));
	}

	/** @returns the first events, at most `room`, which are remembered: later polls find the others again */
	takeEvents(room: number): RecordEvent[] {
		const events = [...this.changed.values()].map(({ event }) => event);
		const taken = inOrder(events).slice(0, room);
		for (const { id } of taken) {
			const change = this.changed.get(id);
			if (change) this.remember(change.row, [...this.marksOf(change.row), change.mark]);
		}
		return taken;
	}

	/** @returns warnings for n8n's log */
	writeState(): string[] {
		const { watch, facts, unreadable } = this;
		if (watch.createdFrom !== undefined) facts.forgetBefore(watch.createdFrom);
		const from = facts.shrink(budgets.factKeys);
		if (from !== undefined) watch.createdFrom = latest(from, watch.createdFrom ?? from);
		watch.facts = facts.toText();
		return [
			unreadable > 0 &&
				`Charges whose status or refund_total can’t be read: ${unreadable}. Their changes are emitted once they can be read.`,
			from !== undefined &&
				"Too many charges were refunded or changed status: the trigger watches fewer days than 'Watch Days' and misses later changes of the oldest charges",
		].filter((text) => text !== false);
	}

	/** The marks that a charge had, by its fact or as implied. */
	private marksOf(row: Row): Mark[] {
		const text = this.facts.get(row.key)?.value;
		return text === undefined ? this.implied(row) : (text.match(/\.?[^.]{4}/g) ?? []);
	}

	/** Stores a charge's marks, unless they are implied without a fact. */
	private remember(row: Row, marks: readonly Mark[]): void {
		const text = marks.slice(-MAX_MARKS).join('');
		// A fact can be left out if its marks are implied both now and once the watch is complete, and all states could be read.
		const isUsual =
			!this.isUnreadable(row) &&
			text === (this.watch.usual ?? '') &&
			text === this.implied(row).join('');
		if (this.facts.has(row.key) || !isUsual) this.facts.note(row.key, row.created, text);
	}

	/** Marks of a charge without a fact: the usual one. Before all charges were checked, those of its states that are no news. */
	private implied(row: Row): Mark[] {
		const { usual, isComplete, formerFilter } = this.watch;
		if (isComplete || wasInFormerList(row, formerFilter))
			return usual === undefined ? statusMarks(row) : [usual];
		// A status as old as the charge is no change.
		const isNews = ({ name, at = '' }: NamedState) =>
			at > this.watch.changesAfter && (name !== STATUS || at !== row.created);
		return statesOf(row).flatMap((state) => (isNews(state) ? [] : markOf(state)));
	}

	/** The first wanted status is emitted as created, or as a change if the user wants changes and an earlier status could be read. */
	private eventOf(row: Row, state: NamedState, before: readonly Mark[]): RecordEvent | undefined {
		const { events, statuses } = this.settings;
		if (!statuses.matches(row)) return undefined;
		const wasWanted = statuses.isAny((text) => before.includes(markOf({ name: STATUS, text })));
		const mayBeCreated = state.name === STATUS && events.has('charge.created') && !wasWanted;
		if (mayBeCreated && (before.at(-1) === UNREAD || !events.has(STATUS)))
			return createdEvent('charge.created', row);
		const { name } = state;
		const has = ({ text }: ChargeState): boolean => before.includes(markOf({ name, text }));
		const count = before.filter((mark) => mark.startsWith(REFUND_SIGN)).length;
		return events.has(name) ? stateEvent(name, row, state, { has, count }) : undefined;
	}
}
