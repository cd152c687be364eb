import type { ChargeRow } from './chargeRow';
import { refundedEvent, statusEvent } from './events';
import type { ChargeEvent } from './events';
import { KeySet, keyOf } from './keySet';
import type { KeyBuckets } from './keySet';
import { BEGINNING, fromMs, latest } from './timestamps';
import type { Instant } from './timestamps';

/** Length of the stretches of time that facts are forgotten by. */
const FACT_STRETCH_SECONDS = 3_600;
/** Facts at most, 10 characters each: beyond it the days that are watched become fewer. */
const MAX_FACTS = 18_000;
/** Statuses that charges began with, at most. */
const MAX_FIRST_STATUSES = 32;

/** Page 1 is never gone on with: it is read, or passed over, at the start of a round. */
export const ROUND_START = 1;

/**
 * What is remembered to tell about refunds and changes of status once: for the charges that are out of the
 * ordinary only. A charge of which nothing is remembered was never refunded, and has had the usual status only.
 */
export interface Watch {
	/** Charges created before it are not looked at. */
	readonly from: Instant;
	/** What happened up to here had happened when the watch began, and is not told. */
	readonly since: Instant;
	readonly usualStatus: string;
	/** Other statuses that charges had when they were first seen. */
	readonly firstStatuses: readonly string[];
	readonly facts: KeyBuckets;
	/** Page to go on with; {@link ROUND_START} at the start of a round. */
	readonly page: number;
	/** What `from` becomes when this round has gone through all pages. */
	readonly nextFrom: Instant;
	/** `count` at the last page, to notice rows that went away. */
	readonly count?: number;
	/** Every charge was looked at once since the watch began. */
	readonly isComplete: boolean;
}

/** The watch at its beginning: over charges of the last days, for what happens from now on. */
export function firstWatch(rows: readonly ChargeRow[], from: Instant, since: Instant): Watch {
	const times = new Map<string, number>();
	for (const { status } of rows) times.set(status, (times.get(status) ?? 0) + 1);
	const [usual] = [...times].sort(([, one], [, other]) => other - one);
	return {
		from,
		since,
		usualStatus: usual?.[0] ?? '',
		firstStatuses: [],
		facts: {},
		page: ROUND_START,
		nextFrom: from,
		isComplete: false,
	};
}

/** 5 and 5.00 are the same money. Text, since a number would not tell large amounts apart. */
const withoutSpareZeros = (decimal: string): string =>
	decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;

const refundKey = (id: string, refundTotal: string): string =>
	keyOf('refund', id, withoutSpareZeros(refundTotal));
const statusKey = (id: string, status: string): string => keyOf('status', id, status);
const firstStatusKey = (id: string, status: string): string => keyOf('first status', id, status);

/** Looks at charges and tells what has happened to them since they were looked at last. */
export class Watcher {
	private readonly facts: KeySet;

	private readonly firstStatuses: string[];

	private from: Instant;

	constructor(private readonly watch: Watch) {
		this.facts = new KeySet(watch.facts, FACT_STRETCH_SECONDS);
		this.firstStatuses = [...watch.firstStatuses];
		this.from = watch.from;
	}

	/** A charge that is new: its status is no change, but it may be refunded already. */
	lookAtNew(charge: ChargeRow): ChargeEvent[] {
		this.rememberFirstStatus(charge);
		return this.lookForRefund(charge, true);
	}

	/** A charge that was in the list before. */
	lookAgain(charge: ChargeRow): ChargeEvent[] {
		if (charge.created < this.from) return [];
		return [...this.lookForRefund(charge, false), ...this.lookForStatus(charge)];
	}

	private lookForRefund(charge: ChargeRow, isNew: boolean): ChargeEvent[] {
		if (charge.refundTotal === undefined) return [];
		const key = refundKey(charge.id, charge.refundTotal);
		if (this.facts.has(key)) return [];
		if (charge.created >= this.from) this.facts.add(key, charge.created);
		const { since, isComplete } = this.watch;
		// Without a date, a refund counts as new once the charge had been seen without it.
		const isOld =
			charge.refundedAt === undefined
				? !isComplete && (!isNew || charge.created <= since)
				: charge.refundedAt <= since && !(isComplete && !isNew);
		return isOld && since !== BEGINNING ? [] : [refundedEvent(charge)];
	}

	private rememberFirstStatus({ id, status, created }: ChargeRow): void {
		if (status === this.watch.usualStatus || created < this.from) return;
		if (!this.firstStatuses.includes(status) && this.firstStatuses.length < MAX_FIRST_STATUSES) {
			this.firstStatuses.push(status);
		}
		if (this.firstStatuses.includes(status)) this.facts.add(firstStatusKey(id, status), created);
		else this.facts.add(statusKey(id, status), created);
	}

	private lookForStatus(charge: ChargeRow): ChargeEvent[] {
		const { id, status, created, statusSince } = charge;
		const first = this.firstStatuses.find((each) => this.facts.has(firstStatusKey(id, each)));
		const isKnown =
			first === undefined
				? status === this.watch.usualStatus || this.facts.has(statusKey(id, status))
				: status === first || this.facts.has(statusKey(id, status));
		if (isKnown) return [];
		const { since, isComplete } = this.watch;
		const wasThere = statusSince === undefined ? !isComplete : statusSince <= since && !isComplete;
		// Of a charge that was never seen before, nobody knows what its status was.
		if (wasThere && first === undefined && created <= since) {
			this.rememberFirstStatus(charge);
			return [];
		}
		this.facts.add(statusKey(id, status), created);
		return [statusEvent(charge)];
	}

	/** What to remember, where the round has come to; too many facts make the watched time shorter. */
	toWatch(round: Pick<Watch, 'page' | 'nextFrom' | 'count' | 'isComplete' | 'from'>): {
		watch: Watch;
		wasShortened: boolean;
	} {
		const fitsMs = this.facts.fits(MAX_FACTS);
		const from = fitsMs === undefined ? round.from : latest(round.from, fromMs(fitsMs));
		this.facts.forgetBefore(from);
		const { since, usualStatus } = this.watch;
		return {
			wasShortened: from > round.from,
			watch: {
				...round,
				from,
				since,
				usualStatus,
				firstStatuses: this.firstStatuses,
				facts: this.facts.toBuckets(),
			},
		};
	}
}
