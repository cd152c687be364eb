import type { ChargeRow } from '../list/chargeRow';
import { latest } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import type { Watch, WatchBefore } from '../cursor/watch';

/** What was looked at before a poll, of refunds or of statuses. */
interface LookedAt {
	/** What happened up to here is history. Absent where no date can tell. */
	readonly since: Instant | undefined;
	/** Every charge was looked at, */
	readonly wasComplete: boolean;
	/** but for those of a page that failed. */
	readonly hadLeftOut: boolean;
	/** A charge that was created later than this has a wrong date, by which nobody can tell anything. */
	readonly latestDate: Instant;
}

/** Tells what had happened to charges before they were watched. */
export class History {
	private readonly refunds: LookedAt;
	private readonly statuses: LookedAt;

	constructor({ since, statusesSince }: Watch, before: WatchBefore & { latestDate: Instant }) {
		this.refunds = { ...before, since };
		this.statuses = {
			...before,
			since: since && latest(since, statusesSince ?? since),
			wasComplete: before.knewStatuses,
		};
	}

	/** Whether a refund is history, if nobody has looked at the charge before. */
	hasRefund(charge: ChargeRow): boolean {
		return isHistory(charge, charge.refundedAt, this.refunds);
	}

	/** Whether a status is. */
	hasStatus(charge: ChargeRow): boolean {
		return isHistory(charge, charge.statusSince, this.statuses);
	}

	/** Whether nobody could tell later of something without a date that it is not. */
	hasUndated(charge: ChargeRow): boolean {
		return isHistory(charge, undefined, this.statuses);
	}
}

function isHistory(
	{ created }: ChargeRow,
	at: Instant | undefined,
	{ since, wasComplete, hadLeftOut, latestDate }: LookedAt,
): boolean {
	if (since === undefined) return !wasComplete;
	const cameLater = created > since && created <= latestDate;
	// What stood on a page that was left out was not looked at, nor can be told from what was but by its date.
	const isByDate = hadLeftOut && at !== undefined;
	return !((wasComplete && !isByDate) || cameLater || (at !== undefined && at > since));
}
