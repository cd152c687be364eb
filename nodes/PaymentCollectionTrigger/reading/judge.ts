import type { ChargeRow } from '../list/chargePages';
import type { PollSettings } from '../description/settings';
import type { DatedKeys } from '../state/datedKeys';
import type { Beginning, TriggerState } from '../state/state';

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

	constructor(
		private readonly state: TriggerState,
		readonly known: DatedKeys,
		private readonly settings: PollSettings,
	) {}

	/** So many of the new charges can't be told in this poll. */
	get waiting(): number {
		return Math.max(0, this.fresh.size - this.settings.maxCharges);
	}

	/** @returns whether the charge is new */
	look(row: ChargeRow): boolean {
		const { state, known } = this;
		if (row.created < state.since || this.fresh.has(row.key) || known.has(row.key)) return false;
		this.found += 1;
		if (state.beginning !== undefined && wasThere(row, state.beginning)) {
			this.foundThere += 1;
			known.set(row.key, row.created);
			return false;
		}
		this.take(row);
		return true;
	}

	/** Takes a new charge, whatever `since` says. */
	take(row: ChargeRow): void {
		if (this.isWanted(row)) this.fresh.set(row.key, row);
		else this.remember(row);
	}

	/** The charges to tell, the oldest first: they are known from now on. */
	tell(): ChargeRow[] {
		const oldestFirst = [...this.fresh.values()].sort((one, other) =>
			one.created < other.created ? -1 : one.created > other.created ? 1 : 0,
		);
		const told = oldestFirst.slice(0, this.settings.maxCharges);
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
}

/** Whether a charge that nobody looked at counts as there when the trigger began. */
function wasThere({ created, record }: ChargeRow, { upTo, waited }: Beginning): boolean {
	const hasWaited =
		waited !== undefined && (waited.currency ?? record['currency']) === record['currency'];
	return created <= upTo && !hasWaited;
}
