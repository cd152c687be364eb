import { KeySet, keyOf } from '../cursor/keySet';
import type { Watch } from '../cursor/watch';
import type { ChargeRow } from '../list/chargeRow';
import { latest } from '../timestamps';
import { createdEvent, refundedEvent, statusEvent } from './events';
import type { ChargeEvent, EventName } from './events';
import type { StatusFilter } from './statusFilter';

/** Length of the buckets of time that facts are forgotten by. */
const FACT_BUCKET_SECONDS = 3_600;
/** Characters of facts at most, and what is left once there were more. */
const MAX_FACTS = 105_000;
const ENOUGH_FACTS = 95_000;
/** Statuses that charges began with, at most. */
const MAX_FIRST_STATUSES = 32;

/** 5 and 5.00 are the same money. Text, since a number would not tell large amounts apart. */
const withoutSpareZeros = (decimal: string): string =>
	decimal.includes('.') ? decimal.replace(/\.?0*$/, '') : decimal;

const refundKey = (id: string, refundTotal: string): string =>
	keyOf('refund', id, withoutSpareZeros(refundTotal));
const statusKey = (id: string, status: string): string => keyOf('status', id, status);
const firstStatusKey = (id: string, status: string): string => keyOf('first status', id, status);

/**
 * Looks at charges and tells what has happened to them since they were looked at last. Remembered are only those out
 * of the ordinary: a charge of which nothing is remembered was never refunded and has had the usual status only.
 */
export class Watcher {
	readonly events: ChargeEvent[] = [];

	private readonly facts: KeySet;

	/**
	 * @param watch changed by what is seen; complete after {@link Watcher.save}
	 * @param wasComplete whether every charge was looked at before
	 * @param room events to tell at most: what finds none is told when it is seen again
	 */
	constructor(
		private readonly watch: Watch,
		private readonly wasComplete: boolean,
		private readonly chosen: { events: ReadonlySet<EventName>; statuses: StatusFilter },
		private readonly room: number,
	) {
		this.facts = new KeySet(watch.facts, FACT_BUCKET_SECONDS);
	}

	/** A charge that is new: its status is no change, but it may be refunded already. */
	lookAtNew(charge: ChargeRow): void {
		this.rememberFirstStatus(charge);
		this.lookForRefund(charge, true);
	}

	/** A charge that was in the list before. */
	lookAgain(charge: ChargeRow): void {
		if (charge.created < this.watch.from) return;
		this.lookForStatus(charge);
		this.lookForRefund(charge, false);
	}

	private lookForRefund(charge: ChargeRow, isNew: boolean): void {
		if (charge.refundTotal === undefined) return;
		const key = refundKey(charge.id, charge.refundTotal);
		if (this.facts.has(key)) return;
		const { since, from } = this.watch;
		const isNews =
			isNew || this.wasComplete || (charge.refundedAt !== undefined && charge.refundedAt > since);
		// It is told once the charge has a status that is wanted.
		if (isNews && !this.chosen.statuses.matches(charge)) return;
		if (isNews && !this.tell(refundedEvent(charge))) return;
		if (charge.created >= from) this.facts.add(key, charge.created);
	}

	private rememberFirstStatus({ id, status, created }: ChargeRow): void {
		const { watch, facts } = this;
		watch.usualStatus ??= status;
		if (status === watch.usualStatus || created < watch.from) return;
		const { firstStatuses } = watch;
		if (!firstStatuses.includes(status) && firstStatuses.length < MAX_FIRST_STATUSES) {
			firstStatuses.push(status);
		}
		const isListed = firstStatuses.includes(status);
		facts.add(isListed ? firstStatusKey(id, status) : statusKey(id, status), created);
	}

	private lookForStatus(charge: ChargeRow): void {
		const { id, status, created, statusSince } = charge;
		const { watch, facts } = this;
		const first = watch.firstStatuses.find((each) => facts.has(firstStatusKey(id, each)));
		const began = first ?? watch.usualStatus;
		const hasHad = (each: string): boolean => each === began || facts.has(statusKey(id, each));
		if (hasHad(status)) return;
		const wasThere = !this.wasComplete && (statusSince === undefined || statusSince <= watch.since);
		// Of a charge that was never seen before, nobody knows what its status was.
		if (wasThere && first === undefined && created <= watch.since) {
			this.rememberFirstStatus(charge);
			return;
		}
		const event = this.eventOf(charge, hasHad);
		if (event === undefined || this.tell(event)) facts.add(statusKey(id, status), created);
	}

	/** With a Status filter, a charge that gets one of the statuses for the first time counts as created. */
	private eventOf(charge: ChargeRow, hasHad: (status: string) => boolean): ChargeEvent | undefined {
		if (!this.chosen.statuses.matches(charge)) return undefined;
		if (this.chosen.events.has('charge.statusChanged')) return statusEvent(charge);
		return this.chosen.statuses.some(hasHad) ? undefined : createdEvent(charge);
	}

	/** @returns whether the event is told, or was not asked for */
	private tell(event: ChargeEvent): boolean {
		if (!this.chosen.events.has(event.name)) return true;
		if (this.events.length >= this.room) return false;
		this.events.push(event);
		return true;
	}

	/** @returns whether facts had to be forgotten for want of room, so that fewer days are watched */
	save(): boolean {
		const { watch, facts } = this;
		facts.forgetBefore(watch.from);
		const forgottenBefore = facts.shrink(MAX_FACTS, ENOUGH_FACTS);
		watch.from = latest(watch.from, forgottenBefore ?? watch.from);
		watch.facts = facts.toBuckets();
		return forgottenBefore !== undefined;
	}
}
