import { budgets } from '../cursor/budgets';
import { KeySet, keyOf } from '../cursor/keySet';
import type { Watch, WatchBefore } from '../cursor/watch';
import type { ChargeRow } from '../list/chargeRow';
import { History } from './history';
import { StatusesHad } from './statusesHad';
import { withoutSpareZeros } from '../../shared/charges/refundTotal';
import { EARLIEST, latest } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import { createdEvent, refundedEvent, statusEvent } from '../../shared/charges/chargeEvents';
import type { ChargeEvent, EventName } from '../../shared/charges/chargeEvents';
import type { StatusFilter } from '../../shared/charges/statusFilter';

/** Length of the buckets of time that facts are forgotten by. */
const FACT_BUCKET_SECONDS = 3_600;

const refundKey = (id: string, refundTotal: string): string =>
	keyOf('refund', id, withoutSpareZeros(refundTotal));
const lookedAtKey = (id: string): string => keyOf('looked at', id);

/** What a poll knows when it looks at charges. */
export interface Circumstances extends WatchBefore {
	readonly events: ReadonlySet<EventName>;
	readonly statuses: StatusFilter;
	/** Events to tell at most: what finds no room is told when it is seen again. */
	readonly room: number;
	/** A charge that was created later than this has a wrong date, by which nobody can tell anything. */
	readonly latestDate: Instant;
}

/**
 * Looks at charges and tells what has happened to them since they were looked at last. Remembered are only those out
 * of the ordinary: a charge of which nothing is remembered was never refunded and has had the usual status only.
 */
export class Watcher {
	readonly events: ChargeEvent[] = [];
	private readonly facts: KeySet;
	private readonly statusesHad: StatusesHad;
	private readonly history: History;

	/** @param watch changed by what is seen; complete after {@link Watcher.save} */
	constructor(
		private readonly watch: Watch,
		private readonly circumstances: Circumstances,
	) {
		this.facts = new KeySet(watch.facts, FACT_BUCKET_SECONDS);
		this.statusesHad = new StatusesHad(watch, this.facts);
		this.history = new History(watch, circumstances);
	}

	/** A charge that is new: its status is no change, but it may be refunded already. */
	lookAtNew(charge: ChargeRow): void {
		const { watch, facts, statusesHad } = this;
		// By the dates, nobody could tell later that what it shows then has happened since.
		if (this.history.hasUndated(charge)) facts.add(lookedAtKey(charge.id), charge.created);
		const isWatched = watch.statusesSince !== undefined && statusesHad.of(charge) === undefined;
		if (isWatched) statusesHad.add(charge, []);
		this.lookForRefund(charge, true);
	}

	/**
	 * A charge that was in the list before.
	 *
	 * @param isFirst whether it is looked at for the first time: once all others have been, its status is no change
	 */
	lookAgain(charge: ChargeRow, isFirst = false): void {
		if (charge.created < this.watch.from) return;
		const had = this.statusesHad.of(charge);
		const wasLookedAt = had !== undefined || this.facts.has(lookedAtKey(charge.id));
		if (this.watch.statusesSince !== undefined)
			this.lookForStatus(charge, had, wasLookedAt, isFirst && this.history.knewStatus(charge));
		this.lookForRefund(charge, wasLookedAt || !this.history.hasRefund(charge));
	}

	private lookForRefund(charge: ChargeRow, isNews: boolean): void {
		if (charge.refundTotal === undefined) return;
		const key = refundKey(charge.id, charge.refundTotal);
		if (this.facts.has(key)) return;
		// It is told once the charge has a status that is wanted.
		if (isNews && !this.circumstances.statuses.matches(charge)) return;
		if (isNews && !this.tell(refundedEvent(charge))) return;
		if (charge.created >= this.watch.from) this.facts.add(key, charge.created);
	}

	private lookForStatus(
		charge: ChargeRow,
		known: readonly string[] | undefined,
		wasLookedAt: boolean,
		isFirstStatus: boolean,
	): void {
		const { watch, statusesHad } = this;
		const { status } = charge;
		if (status === undefined) return;
		const { since = EARLIEST, usualStatus, statusesSince = EARLIEST } = watch;
		const had = known ?? (usualStatus === undefined ? [] : [usualStatus]);
		const hasHad = (each: string): boolean => statusesHad.has(charge, had, each);
		if (hasHad(status)) return;
		// Whoever looked at it before statuses were asked for did not see to its status.
		const isUnseen =
			known === undefined && statusesSince > since && charge.created <= statusesSince;
		// Of a charge that was never seen before, nobody knows what its status was.
		if ((!wasLookedAt || isUnseen) && (isFirstStatus || this.history.hasStatus(charge))) {
			statusesHad.add(charge, []);
			return;
		}
		const event = this.eventOf(charge, hasHad);
		if (event === undefined || this.tell(event)) statusesHad.add(charge, had);
	}

	/** With a Status filter, a charge that gets one of the statuses for the first time counts as created. */
	private eventOf(charge: ChargeRow, hasHad: (status: string) => boolean): ChargeEvent | undefined {
		if (!this.circumstances.statuses.matches(charge)) return undefined;
		if (this.circumstances.events.has('charge.statusChanged')) return statusEvent(charge);
		return this.circumstances.statuses.some(hasHad) ? undefined : createdEvent(charge);
	}

	/** @returns whether the event is told, or was not asked for */
	private tell(event: ChargeEvent): boolean {
		if (!this.circumstances.events.has(event.name)) return true;
		if (this.events.length >= this.circumstances.room) return false;
		this.events.push(event);
		return true;
	}

	/** @returns whether facts had to be forgotten for want of room, so that fewer days are watched */
	save(): boolean {
		const { watch, facts } = this;
		facts.forgetBefore(watch.from);
		const forgottenBefore = facts.shrink(budgets.facts);
		watch.from = latest(watch.from, forgottenBefore ?? watch.from);
		watch.facts = facts.toBuckets();
		return forgottenBefore !== undefined;
	}
}
