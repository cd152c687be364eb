import { keyOf } from '../cursor/keySet';
import type { KeySet } from '../cursor/keySet';
import type { Watch } from '../cursor/watch';
import type { ChargeRow } from '../list/chargeRow';
import { sameCase } from '../../shared/charges/statusFilter';

/** Characters of the table of sets, as JSON text, at most. */
const MAX_TABLE_LENGTH = 2_000;
/** Characters of a set's number in a key. */
const NUMBER_LENGTH = 2;
const BASE = 36;

/**
 * The statuses that the watched charges were seen with. Most of a shop's charges go the same few ways, so each costs
 * one key, of the charge and the number of the set, that is replaced when it gets another status.
 */
export class StatusesHad {
	constructor(
		private readonly watch: Watch,
		private readonly facts: KeySet,
	) {}

	/** @returns undefined for a charge of which nothing is remembered */
	of({ id }: ChargeRow): readonly string[] | undefined {
		if (this.watch.statusSets.length === 0) return undefined;
		const prefix = this.prefixOf(id);
		return this.watch.statusSets.find((_, number) => this.facts.has(keyIn(prefix, number)));
	}

	has({ id }: ChargeRow, had: readonly string[], status: string): boolean {
		const same = sameCase(status);
		return had.includes(same) || this.facts.has(this.singleKey(id, same));
	}

	/** @param had what it was seen with before */
	add(charge: ChargeRow, had: readonly string[]): void {
		const { watch, facts } = this;
		const { id, created } = charge;
		if (charge.status === undefined) return;
		const status = sameCase(charge.status);
		watch.usualStatus ??= status;
		if (had.length === 0 && status === watch.usualStatus) return;
		const number = this.numberOf([...had, status].sort());
		if (number === undefined) {
			facts.add(this.singleKey(id, status), created);
			return;
		}
		const prefix = this.prefixOf(id);
		// Its former set.
		for (const each of watch.statusSets.keys()) facts.delete(keyIn(prefix, each));
		facts.add(keyIn(prefix, number), created);
	}

	/** The set's number in the table, which gets it if it has room: undefined where it has none. */
	private numberOf(set: string[]): number | undefined {
		const { statusSets } = this.watch;
		const text = JSON.stringify(set);
		const number = statusSets.findIndex((each) => JSON.stringify(each) === text);
		if (number >= 0) return number;
		const hasRoom = JSON.stringify([...statusSets, set]).length <= MAX_TABLE_LENGTH;
		return hasRoom ? statusSets.push(set) - 1 : undefined;
	}

	/** What was remembered before statuses were watched anew does not count. */
	private prefixOf(id: string): string {
		return keyOf('statuses', this.watch.statusesSince ?? '', id).slice(0, -NUMBER_LENGTH);
	}

	private singleKey(id: string, status: string): string {
		return keyOf('status', this.watch.statusesSince ?? '', id, status);
	}
}

const keyIn = (prefix: string, number: number): string =>
	prefix + number.toString(BASE).padStart(NUMBER_LENGTH, '0');
