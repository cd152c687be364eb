import { filterOf } from '../../../../sandbox/lists';
import { LIST_FILTERS, mix, statusOf, type Charge, type ListFilters } from './charge';
import type { Order, Traits } from './traits';

type Compare = (one: Charge, other: Charge) => number;

const byNumber: Compare = (one, other) => one.number - other.number;
const byCreation: Compare = (one, other) => one.createdMs - other.createdMs;

/** @param tie sorts charges of the same timestamp */
const comparing = (order: Order, tie: (charge: Charge) => number): Compare =>
	(
		({
			newest: (one, other) => byCreation(other, one) || tie(one) - tie(other),
			oldest: (one, other) => byCreation(one, other) || tie(one) - tie(other),
			inserted: (one, other) => byNumber(other, one),
			insertedOldest: byNumber,
			changed: (one, other) => other.changedAt - one.changedAt || byNumber(other, one),
			status: (one, other) =>
				statusOf(one).localeCompare(statusOf(other)) || byCreation(other, one),
			amount: (one, other) => other.amount - one.amount || byNumber(other, one),
			shuffled: (one, other) => tie(one) - tie(other),
		}) satisfies Record<Order, Compare>
	)[order];

/** The sorted list, kept until something changes. */
export class Listing {
	private readonly sorted = new Map<string, Charge[]>();

	constructor(private readonly traits: Traits) {}

	forget(): void {
		this.sorted.clear();
	}

	/** @param request number of the request: rows of one timestamp can have another order in each */
	rows(charges: readonly Charge[], filters: ListFilters, request: number): Charge[] {
		const { order, tiesMove } = this.traits;
		const isMoving = tiesMove && (order === 'newest' || order === 'oldest');
		const isIn = filterOf(filters, LIST_FILTERS);
		const key = isIn === undefined ? '' : JSON.stringify(filters);
		const kept = isMoving ? undefined : this.sorted.get(key);
		if (kept !== undefined) return kept;
		const salt = isMoving ? request : 0;
		const rows = charges.filter((charge) => charge.isListed && (isIn?.(charge) ?? true));
		rows.sort(comparing(order, (charge) => mix(charge.number + salt * 7_919)));
		this.sorted.set(key, rows);
		return rows;
	}
}
