import type { ChargeRow } from '../list/chargePages';
import type { PollSettings } from '../description/settings';
import type { DatedKeys } from '../state/datedKeys';
import type { Beginning, TriggerState } from '../state/state';

/** What a row is: `old` was created before anything that is of interest, `seen` was looked at before. */
export type Verdict = 'new' | 'seen' | 'old';

/**
 * The one judge of rows. A charge created since `since` that is not known is new, on whatever page and in whatever poll
 * it is met.
 */
export class Judge {
	/** New charges that are wanted, by key; what there is no room for waits for the next poll. */
	readonly fresh = new Map<string, ChargeRow>();
	/** Charges that no poll had looked at. */
	found = 0;
	/** Of these, those that count as there when the trigger began. */
	foundThere = 0;
	/** Wanted ones that were let go, since `fresh` was full of older ones. */
	private dropped = 0;

	constructor(
		private readonly state: TriggerState,
		readonly known: DatedKeys,
		private readonly settings: PollSettings,
	) {}

	/** So many of the new charges can't be told in this poll. */
	get waiting(): number {
		return Math.max(0, this.fresh.size - this.settings.maxCharges) + this.dropped;
	}

	look(row: ChargeRow): Verdict {
		const { state, known } = this;
		if (this.fresh.has(row.key)) return 'seen';
		if (row.created < state.since) return 'old';
		if (known.has(row.key)) return 'seen';
		this.found += 1;
		if (state.beginning !== undefined && wasThere(row, state.beginning)) {
			this.foundThere += 1;
			known.set(row.key, row.created);
			return 'seen';
		}
		this.take(row);
		return 'new';
	}

	/** Takes a new charge, whatever `since` says. */
	take(row: ChargeRow): void {
		if (!this.isWanted(row)) {
			this.remember(row);
			return;
		}
		this.fresh.set(row.key, row);
		if (this.fresh.size > 2 * this.settings.maxCharges + 1_000) this.dropNewest();
	}

	/** The charges to tell, the oldest first: they are known from now on. */
	tell(): ChargeRow[] {
		const told = this.oldestFirst().slice(0, this.settings.maxCharges);
		for (const row of told) this.remember(row);
		return told;
	}

	private remember({ key, created }: ChargeRow): void {
		if (created >= this.state.since) this.known.set(key, created);
	}

	private isWanted(row: ChargeRow): boolean {
		const { events, statuses } = this.settings;
		return events.has('charge.created') && statuses.matches(row);
	}

	private dropNewest(): void {
		const rows = this.oldestFirst();
		for (const { key } of rows.slice(this.settings.maxCharges)) {
			this.fresh.delete(key);
			this.dropped += 1;
		}
	}

	private oldestFirst(): ChargeRow[] {
		return [...this.fresh.values()].sort((one, other) =>
			one.created < other.created ? -1 : one.created > other.created ? 1 : 0,
		);
	}
}

/** Whether a charge that nobody looked at counts as there when the trigger began. */
function wasThere({ created, record }: ChargeRow, { upTo, waited }: Beginning): boolean {
	const hasWaited =
		waited !== undefined && (waited.currency ?? record['currency']) === record['currency'];
	return created <= upTo && !hasWaited;
}
