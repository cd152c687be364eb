import type { ModelCharge } from '../service/charge';
import { HOUR_MS } from '../time';

const KEYS = /created before (\S+) UTC and listed late may be missed/;
const FACTS = 'fewer days than Watch Days';
/** Of the facts that find room, so many are left at least. */
const SHARE_LEFT = 0.9;

interface PollNoted {
	readonly sequence: number;
	readonly beganAt: number;
}

/** What the trigger says that it had to forget, and what it may therefore miss. */
export class Overflow {
	private readonly polls: PollNoted[] = [];
	/** Since when keys are complete, as the trigger said last. */
	private keptSinceMs = 0;
	private areFactsForgotten = false;

	/** @param keysKept see {@link Schedule.keysKept} */
	constructor(private readonly keysKept: number | undefined) {}

	beginPoll(sequence: number, beganAt: number): void {
		this.polls.push({ sequence, beganAt });
	}

	/** A line of n8n's log. */
	note(warning: string): void {
		const [, since] = KEYS.exec(warning) ?? [];
		if (since !== undefined) this.keptSinceMs = Math.max(this.keptSinceMs, Date.parse(`${since}Z`));
		this.areFactsForgotten ||= warning.includes(FACTS);
	}

	/** Whether it was listed late, after a poll that did not see it, and is older than what is remembered. */
	mayMiss({ shownSequence }: ModelCharge, writtenMs: number): boolean {
		const isLate = this.polls.some(
			({ sequence, beganAt }) => sequence < shownSequence && beganAt >= writtenMs,
		);
		return isLate && writtenMs < this.keptSinceMs;
	}

	/** Whether the facts about it, and about those created since its hour, may be too many to be kept. */
	mayStopWatching({ createdMs }: ModelCharge, charges: readonly ModelCharge[]): boolean {
		if (!this.areFactsForgotten) return false;
		const since = Math.floor(createdMs / HOUR_MS) * HOUR_MS;
		let facts = 0;
		for (const charge of charges) {
			// A refund that was taken back may have been a fact, too.
			if (charge.createdMs >= since)
				facts += charge.statuses.length + 1 + 2 * charge.refunds.length;
		}
		return facts > (this.keysKept ?? Number.POSITIVE_INFINITY) * SHARE_LEFT;
	}
}
