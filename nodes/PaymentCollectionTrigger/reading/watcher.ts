import {
	createdEvent,
	inOrder,
	refundedEvent,
	statusEvent,
	type RecordEvent,
} from '../../shared/records/recordEvents';
import { readRefunded, inLowerCase } from '../../shared/records/charge';
import { withoutSpareZeros } from '../../shared/money';
import { hashOf } from '../../shared/values';
import { clock } from '../../shared/clock';
import { fromMs, latest, type Instant } from '../../shared/timestamps';
import { matchedFormerFilter } from './startingState';
import type { Page, Row } from '../list/pages';
import { watchesStatuses, type PollSettings } from '../description/settings';
import { DatedKeys, budgets } from '../state/datedKeys';
import type { Watch } from '../state/state';

const MARK_LENGTH = 4;
/** Marks of one charge that are remembered, the last ones. */
const MAX_MARKS = 20;

/** Stands for a status or a refund total that a charge was seen with. */
type Mark = string;

const statusMark = (status: string): Mark =>
	hashOf(['status', inLowerCase(status)]).slice(0, MARK_LENGTH);

const statusMarks = ({ status }: Row): Mark[] => (status === undefined ? [] : [statusMark(status)]);

const refundMark = (total: string): Mark =>
	hashOf(['refund', withoutSpareZeros(total)]).slice(0, MARK_LENGTH);

/** What a charge was not seen with before. */
interface Change {
	readonly mark: Mark;
	/** Absent where it was not asked for. */
	readonly event: RecordEvent | undefined;
}

/** Looks at charges and emits what has changed since they were looked at last. */
export class Watcher {
	/** Charges whose status or refunded amount can't be read. */
	private unreadable = 0;
	private readonly facts: DatedKeys;
	private readonly isFirstPoll: boolean;
	/** What can be emitted, by the event's ID. */
	private readonly changed = new Map<string, { row: Row; mark: Mark; event: RecordEvent }>();

	/** @param watch changed by what is seen; complete after {@link Watcher.writeState} */
	constructor(
		private readonly watch: Watch,
		private readonly settings: PollSettings,
	) {
		this.facts = new DatedKeys(watch.facts);
		this.isFirstPoll = watch.usual === undefined;
	}

	/** The usual status is that of most charges of the first page that is seen. */
	meet({ rows }: Page): void {
		const { watch } = this;
		if (!this.isFirstPoll) return;
		// A date ahead of the host's clock comes from a service whose clock is ahead: it was before the watch began.
		const now = fromMs(clock.now());
		for (const at of rows.flatMap((row) => [row?.statusSince ?? '', row?.refundedAt ?? '']))
			if (at > now) watch.since = latest(watch.since, at);
		if (watch.usual !== undefined) return;
		const times = new Map<Mark, number>();
		for (const mark of rows.flatMap((row) => (row === undefined ? [] : statusMarks(row))))
			times.set(mark, (times.get(mark) ?? 0) + 1);
		const [usual] = [...times].sort(([, one], [, other]) => other - one);
		if (usual !== undefined) [watch.usual] = usual;
	}

	/** @param isNew it is emitted as new in this poll, if that is asked for */
	look(row: Row, isNew: boolean): void {
		const { watch, settings, changed } = this;
		if (watch.from !== undefined && row.created < watch.from) return;
		if (this.isUnreadable(row)) this.unreadable += 1;
		const isFirst = isNew && !this.facts.has(row.key);
		const before = isFirst ? statusMarks(row) : this.marksOf(row);
		const changes = this.changesOf(row, before);
		const silent = changes.filter(({ event }) => event === undefined);
		this.remember(row, [...before, ...silent.map(({ mark }) => mark)]);
		for (const { mark, event } of changes)
			if (event !== undefined && changed.size <= settings.maxEvents)
				changed.set(event.id, { row, mark, event });
	}

	private isUnreadable({ record, status }: Row): boolean {
		const asksForRefunds = this.settings.events.has('charge.refunded');
		if (asksForRefunds && readRefunded(record).total === undefined) return true;
		return watchesStatuses(this.settings) && status === undefined;
	}

	/** @returns events in the order in which they happened, at most so many: the others are found again */
	takeEvents(room: number): RecordEvent[] {
		const events = [...this.changed.values()].map(({ event }) => event);
		const told = inOrder(events).slice(0, room);
		for (const { id } of told) {
			const change = this.changed.get(id);
			if (change) this.remember(change.row, [...this.marksOf(change.row), change.mark]);
		}
		return told;
	}

	/** Writes down what was seen. @returns what n8n's log is to say of it */
	writeState(): string[] {
		const { watch, facts, unreadable } = this;
		if (watch.from !== undefined) facts.forgetBefore(watch.from);
		const from = facts.shrink(budgets.factKeys);
		if (from !== undefined) watch.from = latest(from, watch.from ?? from);
		watch.facts = facts.toText();
		return [
			unreadable > 0 &&
				`Charges whose status or refund_total can’t be read: ${unreadable}. Their changes are emitted once they can be read.`,
			from !== undefined &&
				"Too many charges were refunded or changed status: the trigger watches fewer days than 'Watch Days' and misses later changes of the oldest charges",
		].filter((text) => text !== false);
	}

	/** What a charge was seen with, or is believed to have been. */
	private marksOf(row: Row): Mark[] {
		const text = this.facts.get(row.key)?.value;
		return text === undefined ? this.implied(row) : (text.match(/.{4}/g) ?? []);
	}

	/** Writes down what a charge was seen with, unless that is what will be believed without a fact. */
	private remember(row: Row, marks: readonly Mark[]): void {
		const text = marks.slice(-MAX_MARKS).join('');
		// Once it can be read, it may be as usual.
		const isUsual =
			!this.isUnreadable(row) &&
			text === (this.watch.usual ?? '') &&
			text === this.implied(row).join('');
		if (this.facts.has(row.key) || !isUsual) this.facts.note(row.key, row.created, text);
	}

	/**
	 * What is believed of a charge without a fact. While not all were looked at, what it shows counts as history unless it
	 * has a date.
	 */
	private implied(row: Row): Mark[] {
		const { usual, isComplete, formerFilter } = this.watch;
		if (isComplete || matchedFormerFilter(row, formerFilter))
			return usual === undefined ? statusMarks(row) : [usual];
		// The status that it was created with is no change.
		const isNews = row.statusSince !== row.created && this.isNews(row.statusSince);
		const marks = isNews ? [] : statusMarks(row);
		const isOldRefund = row.refundTotal !== undefined && !this.isNews(row.refundedAt);
		return isOldRefund ? [...marks, refundMark(row.refundTotal)] : marks;
	}

	private isNews(at: Instant | undefined): boolean {
		return at !== undefined && at > this.watch.since;
	}

	private changesOf(row: Row, before: readonly Mark[]): Change[] {
		const changes: Change[] = statusMarks(row).map((mark) => ({
			mark,
			event: this.statusEventOf(row, before),
		}));
		// A refund is emitted once the charge has a wanted status.
		if (row.refundTotal !== undefined && this.settings.statuses.matches(row)) {
			const isOwed = this.settings.events.has('charge.refunded');
			const mark = refundMark(row.refundTotal);
			changes.push({ mark, event: isOwed ? refundedEvent(row) : undefined });
		}
		return changes.filter(({ mark }) => !before.includes(mark));
	}

	/** With a Status filter, a charge that gets one of the statuses for the first time counts as created. */
	private statusEventOf(row: Row, before: readonly Mark[]): RecordEvent | undefined {
		const { events, statuses } = this.settings;
		if (!statuses.matches(row)) return undefined;
		if (events.has('charge.statusChanged')) return statusEvent(row);
		const wasWanted = statuses.some((status) => before.includes(statusMark(status)));
		return events.has('charge.created') && !wasWanted
			? createdEvent('charge.created', row)
			: undefined;
	}
}
