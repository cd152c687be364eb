import {
	createdEvent,
	inOrder,
	refundedEvent,
	statusEvent,
} from '../../shared/charges/chargeEvents';
import type { ChargeEvent } from '../../shared/charges/chargeEvents';
import { hasReadableTotal } from '../../shared/charges/refundTotal';
import { latest } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import { budgets } from '../budgets';
import type { ChargePage, ChargeRow } from '../list/chargePages';
import type { PollSettings } from '../pollSettings';
import { DatedKeys } from '../state/datedKeys';
import type { Watch } from '../state/state';
import { Facts, refundHash } from './facts';
import type { Had } from './facts';

/** What a charge was not seen with before. */
interface Change {
	/** Absent where nobody asked for it. */
	readonly event: ChargeEvent | undefined;
	readonly addTo: (had: Had) => Had;
}

/** A charge of which there is something to tell, and what it was seen with so far. */
interface Changed {
	readonly row: ChargeRow;
	had: Had;
}

/** Looks at charges and tells what has become of them since they were looked at last. */
export class Watcher {
	/** Charges of which something that is asked for can't be read. */
	readonly unreadable = { refunds: 0, statuses: 0 };
	private readonly keys: DatedKeys;
	private readonly facts: Facts;
	private readonly changed = new Map<string, Changed>();

	/** @param watch changed by what is seen; complete after {@link Watcher.save} */
	constructor(
		private readonly watch: Watch,
		private readonly settings: PollSettings,
	) {
		this.keys = new DatedKeys(watch.facts);
		this.facts = new Facts(watch, this.keys);
	}

	/** The usual status is that of most charges of the first page that is seen. */
	meet({ rows }: ChargePage): void {
		if (!this.watch.statuses || this.watch.usualStatus !== undefined) return;
		const times = new Map<string, number>();
		for (const row of rows) {
			const status = row && this.facts.statusOf(row);
			if (status !== undefined) times.set(status, (times.get(status) ?? 0) + 1);
		}
		const [usual] = [...times].sort(([, one], [, other]) => other - one);
		if (usual !== undefined) this.watch.usualStatus = usual[0];
	}

	/** @param isNew it is told as new in this poll, if that is asked for */
	look(row: ChargeRow, isNew: boolean): void {
		if (this.watch.from !== undefined && row.created < this.watch.from) return;
		this.countUnreadable(row);
		const before = this.before(row, isNew);
		const changes = this.changesOf(row, before);
		const had = changes
			.filter(({ event }) => event === undefined)
			.reduce((all, { addTo }) => addTo(all), before);
		this.remember(row, had);
		const hasEvents = changes.some(({ event }) => event !== undefined);
		if (hasEvents && this.changed.size <= this.settings.maxCharges)
			this.changed.set(row.key, { row, had });
	}

	/** @returns events in the order in which they happened, at most so many: the others are found again */
	tell(room: number): ChargeEvent[] {
		const candidates = new Map<ChargeEvent, () => void>();
		for (const changed of this.changed.values()) {
			for (const { event, addTo } of this.changesOf(changed.row, changed.had)) {
				if (event === undefined) continue;
				candidates.set(event, () => {
					changed.had = addTo(changed.had);
					this.remember(changed.row, changed.had);
				});
			}
		}
		const told = inOrder([...candidates.keys()]).slice(0, room);
		for (const event of told) candidates.get(event)?.();
		return told;
	}

	/** @returns whether so much has to be remembered that fewer days are watched */
	save(): boolean {
		const { watch, keys } = this;
		if (watch.from !== undefined) keys.forgetBefore(watch.from);
		const from = keys.shrink(budgets.factKeys);
		if (from !== undefined) watch.from = latest(from, watch.from ?? from);
		watch.facts = keys.toText();
		return from !== undefined;
	}

	/** Writes down what was seen, unless that is what will be believed without a fact. */
	private remember(row: ChargeRow, had: Had): void {
		const { facts } = this;
		const isImplied = JSON.stringify(had) === JSON.stringify(this.implied(row));
		if (facts.of(row) === undefined && facts.isOrdinary(had) && isImplied) return;
		facts.set(row, had);
	}

	/** What a charge was seen with. */
	private before(row: ChargeRow, isNew: boolean): Had {
		const fact = this.facts.of(row);
		if (fact === undefined)
			return isNew ? { ...this.present(row), refunds: [] } : this.implied(row);
		// Without statuses, nobody asked for them then.
		return { ...(isNew ? this.present(row) : this.implied(row)), ...fact };
	}

	/** What is believed of a charge without a fact: while not all were looked at, what it shows counts as history unless it has a date. */
	private implied(row: ChargeRow): Had {
		const { facts, watch } = this;
		const statuses = this.isNews(row.statusSince) ? this.withStatuses([]) : this.present(row);
		if (watch.isComplete) return { ...statuses, ...facts.ordinary };
		const isOldRefund = row.refundTotal !== undefined && !this.isNews(row.refundedAt);
		return { ...statuses, refunds: isOldRefund ? [refundHash(row)] : [] };
	}

	private present(row: ChargeRow): Pick<Had, 'statuses'> {
		const status = this.facts.statusOf(row);
		return this.withStatuses(status === undefined ? [] : [status]);
	}

	private withStatuses(statuses: readonly string[]): Pick<Had, 'statuses'> {
		return this.watch.statuses ? { statuses } : {};
	}

	private isNews(at: Instant | undefined): boolean {
		return at !== undefined && at > this.watch.since;
	}

	private changesOf(row: ChargeRow, { statuses: before = [], refunds }: Had): Change[] {
		const { events, statuses } = this.settings;
		const changes: Change[] = [];
		const status = this.watch.statuses ? this.facts.statusOf(row) : undefined;
		if (status !== undefined && !before.includes(status)) {
			const addTo = (had: Had): Had => ({ ...had, statuses: [...(had.statuses ?? []), status] });
			changes.push({ event: this.statusEventOf(row, before), addTo });
		}
		// A refund is told once the charge has a status that is wanted.
		if (events.has('charge.refunded') && row.refundTotal !== undefined && statuses.matches(row)) {
			const hash = refundHash(row);
			const addTo = (had: Had): Had => ({ ...had, refunds: [...had.refunds, hash] });
			if (!refunds.includes(hash)) changes.push({ event: refundedEvent(row), addTo });
		}
		return changes;
	}

	/** With a Status filter, a charge that gets one of the statuses for the first time counts as created. */
	private statusEventOf(row: ChargeRow, before: readonly string[]): ChargeEvent | undefined {
		const { events, statuses } = this.settings;
		if (!statuses.matches(row)) return undefined;
		if (events.has('charge.statusChanged')) return statusEvent(row);
		const wasWanted = before.some((status) => statuses.matches({ ...row, status }));
		return events.has('charge.created') && !wasWanted ? createdEvent(row) : undefined;
	}

	private countUnreadable({ record, refundTotal, status }: ChargeRow): void {
		const asksForRefunds = this.settings.events.has('charge.refunded');
		if (asksForRefunds && refundTotal === undefined && !hasReadableTotal(record))
			this.unreadable.refunds += 1;
		if (this.watch.statuses && status === undefined) this.unreadable.statuses += 1;
	}
}
