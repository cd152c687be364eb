import type { ChargeRow } from '../list/chargeRow';
import { isIn } from '../reading/standing';
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
	/** Besides, in this currency each was, without exception. */
	readonly seenIn: string | undefined;
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
			...(before.wereStatusesNew ? { wasComplete: false, seenIn: undefined } : {}),
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

	/** Whether a status that it had before would be known. */
	knewStatus(charge: ChargeRow): boolean {
		return this.statuses.wasComplete || wasSeen(charge, this.statuses);
	}

	/** Whether nobody could tell later of something without a date that it is not. */
	hasUndated(charge: ChargeRow): boolean {
		return isHistory(charge, undefined, this.statuses);
	}
}

const wasSeen = (charge: ChargeRow, { seenIn }: LookedAt): boolean =>
	seenIn !== undefined && isIn(charge, seenIn);

function isHistory(charge: ChargeRow, at: Instant | undefined, lookedAt: LookedAt): boolean {
	const { created } = charge;
	const { since, wasComplete, hadLeftOut, latestDate } = lookedAt;
	if (wasSeen(charge, lookedAt)) return false;
	if (since === undefined) return !wasComplete;
	const cameLater = created > since && created <= latestDate;
	// What stood on a page that was left out was not looked at, nor can be told from what was but by its date.
	const isByDate = hadLeftOut && at !== undefined;
	return !((wasComplete && !isByDate) || cameLater || (at !== undefined && at > since));
}
