import { mix, statusOf } from './charge';
import type { Charge } from './charge';
import type { Order, Traits } from './traits';

type Compare = (one: Charge, other: Charge) => number;

/** Orders by something that charges may have in common. */
const HAS_TIES: ReadonlySet<Order> = new Set(['newest', 'oldest']);

const byNumber: Compare = (one, other) => one.number - other.number;

function comparing(order: Order, tie: (charge: Charge) => number): Compare {
	switch (order) {
		case 'newest':
			return (one, other) => other.createdMs - one.createdMs || tie(one) - tie(other);
		case 'oldest':
			return (one, other) => one.createdMs - other.createdMs || tie(one) - tie(other);
		case 'inserted':
			return (one, other) => byNumber(other, one);
		case 'insertedOldest':
			return byNumber;
		case 'changed':
			return (one, other) => other.changedAt - one.changedAt || byNumber(other, one);
		case 'status':
			return (one, other) =>
				statusOf(one).localeCompare(statusOf(other)) || other.createdMs - one.createdMs;
		case 'amount':
			return (one, other) => other.amount - one.amount || byNumber(other, one);
		case 'shuffled':
			return (one, other) => tie(one) - tie(other);
	}
}

/** The list in its order, sorted once and kept until something changes. */
export class Listing {
	private readonly sorted = new Map<string, Charge[]>();

	constructor(private readonly traits: Traits) {}

	forget(): void {
		this.sorted.clear();
	}

	/** A charge has come in: where it goes to the list's end, there is nothing to sort. */
	add(charge: Charge): void {
		const { order } = this.traits;
		const all = this.sorted.get('');
		const isFirst = order === 'inserted' || (order === 'newest' && isAfter(charge, all?.[0]));
		const isLast =
			order === 'insertedOldest' || (order === 'oldest' && isAfter(charge, all?.at(-1)));
		this.sorted.clear();
		if (all === undefined || !(isFirst || isLast)) return;
		if (isLast) all.push(charge);
		else all.unshift(charge);
		this.sorted.set('', all);
	}

	/**
	 * @param key of the filters, '' for none
	 * @param request its number: rows of one timestamp may stand in another order in each
	 */
	rows(
		charges: readonly Charge[],
		key: string,
		isIn: (charge: Charge) => boolean,
		request: number,
	) {
		const { order, tiesMove } = this.traits;
		const isMoving = tiesMove && HAS_TIES.has(order);
		const kept = isMoving ? undefined : this.sorted.get(key);
		if (kept !== undefined) return kept;
		const salt = isMoving ? request : 0;
		const tie = (charge: Charge) => mix(charge.number + salt * 7_919);
		const rows = charges.filter((charge) => charge.isListed && isIn(charge));
		rows.sort(comparing(order, tie));
		this.sorted.set(key, rows);
		return rows;
	}
}

const isAfter = (charge: Charge, other: Charge | undefined): boolean =>
	other !== undefined && charge.createdMs > other.createdMs;
