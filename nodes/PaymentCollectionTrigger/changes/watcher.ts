import { budgets } from '../cursor/budgets';
import { KeySet, keyOf } from '../cursor/keySet';
import type { Watch } from '../cursor/watch';
import type { ChargeRow } from '../list/chargeRow';
import { withoutSpareZeros } from '../../shared/charges/refundTotal';
import { latest } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import { createdEvent, refundedEvent, statusEvent } from '../../shared/charges/chargeEvents';
import type { ChargeEvent, EventName } from '../../shared/charges/chargeEvents';
import type { StatusFilter } from '../../shared/charges/statusFilter';

/** Length of the buckets of time that facts are forgotten by. */
const FACT_BUCKET_SECONDS = 3_600;
/** Statuses that charges began with, at most. */
const MAX_FIRST_STATUSES = 32;

const refundKey = (id: string, refundTotal: string): string =>
	keyOf('refund', id, withoutSpareZeros(refundTotal));
const statusKey = (id: string, status: string): string => keyOf('status', id, status);
const firstStatusKey = (id: string, status: string): string => keyOf('first status', id, status);

/** What a poll knows when it looks at charges. */
export interface Circumstances {
	readonly events: ReadonlySet<EventName>;
	readonly statuses: StatusFilter;
	/** Every charge was looked at before. */
	readonly wasComplete: boolean;
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

	/** @param watch changed by what is seen; complete after {@link Watcher.save} */
	constructor(
		private readonly watch: Watch,
		private readonly circumstances: Circumstances,
	) {
		this.facts = new KeySet(watch.facts, FACT_BUCKET_SECONDS);
	}

	/** A charge that is new: its status is no change, but it may be refunded already. */
	lookAtNew(charge: ChargeRow): void {
		this.rememberFirstStatus(charge, this.isHistory(charge, undefined));
		this.lookForRefund(charge, true);
	}

	/** A charge that was in the list before. */
	lookAgain(charge: ChargeRow): void {
		if (charge.created < this.watch.from) return;
		const first = this.firstStatusOf(charge);
		this.lookForStatus(charge, first);
		this.lookForRefund(charge, first !== undefined || !this.isHistory(charge, charge.refundedAt));
	}

	/**
	 * Whether what has happened to a charge had happened before the watch began, as far as its dates tell. A charge whose
	 * first status is remembered was looked at before, so that what it shows now happened since.
	 */
	private isHistory({ created }: ChargeRow, at: Instant | undefined): boolean {
		const { wasComplete, latestDate } = this.circumstances;
		const { since } = this.watch;
		if (since === undefined) return !wasComplete;
		const cameLater = created > since && created <= latestDate;
		return !(wasComplete || cameLater || (at !== undefined && at > since));
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

	/** The status that a charge was first seen with, if it is remembered. */
	private firstStatusOf({ id }: ChargeRow): string | undefined {
		return this.watch.firstStatuses.find((each) => this.facts.has(firstStatusKey(id, each)));
	}

	/** @param isOdd whether the charge is out of the ordinary even with the usual status */
	private rememberFirstStatus({ id, status, created }: ChargeRow, isOdd = false): void {
		const { watch, facts } = this;
		watch.usualStatus ??= status;
		if ((status === watch.usualStatus && !isOdd) || created < watch.from) return;
		const { firstStatuses } = watch;
		if (!firstStatuses.includes(status) && firstStatuses.length < MAX_FIRST_STATUSES) {
			firstStatuses.push(status);
		}
		const isListed = firstStatuses.includes(status);
		facts.add(isListed ? firstStatusKey(id, status) : statusKey(id, status), created);
	}

	private lookForStatus(charge: ChargeRow, first: string | undefined): void {
		const { id, status, created, statusSince } = charge;
		const { watch, facts } = this;
		const began = first ?? watch.usualStatus;
		const hasHad = (each: string): boolean => each === began || facts.has(statusKey(id, each));
		if (hasHad(status)) return;
		// Of a charge that was never seen before, nobody knows what its status was.
		if (first === undefined && this.isHistory(charge, statusSince)) {
			this.rememberFirstStatus(charge);
			return;
		}
		const event = this.eventOf(charge, hasHad);
		if (event === undefined || this.tell(event)) facts.add(statusKey(id, status), created);
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
