import { mix } from './charge';
import type { ModelCharge } from './charge';
import type { Order, ServiceTraits } from './traits';

export type Filters = Readonly<Record<string, unknown>>;

type Compare = (one: ModelCharge, other: ModelCharge) => number;

/** Whether page 1 is at the end of the list where rows come in. */
const DESCENDING: ReadonlySet<Order> = new Set([
	'newest',
	'insertedNewest',
	'changed',
	'status',
	'amount',
]);

/** Orders by something that rows may have in common. */
const HAS_TIES: ReadonlySet<Order> = new Set(['newest', 'oldest']);

const byNumber: Compare = (one, other) => one.number - other.number;

function compareBy(order: Order, tie: (charge: ModelCharge) => number): Compare {
	switch (order) {
		case 'newest':
		case 'oldest':
			return (one, other) => one.createdMs - other.createdMs || tie(one) - tie(other);
		case 'insertedNewest':
		case 'insertedOldest':
			return byNumber;
		case 'changed':
			return (one, other) => one.changedAt - other.changedAt || byNumber(one, other);
		case 'status':
			return (one, other) =>
				(one.status < other.status ? -1 : one.status > other.status ? 1 : 0) ||
				one.createdMs - other.createdMs ||
				byNumber(one, other);
		case 'amount':
			return (one, other) => one.amount - other.amount || byNumber(one, other);
		case 'none':
		case 'shuffled':
			return (one, other) => tie(one) - tie(other);
	}
}

const matches = (charge: ModelCharge, filters: Filters): boolean =>
	(filters['currency'] === undefined || filters['currency'] === charge.currency) &&
	(filters['customer_id'] === undefined || filters['customer_id'] === charge.customerId) &&
	(filters['status'] === undefined || filters['status'] === charge.status) &&
	(filters['type'] === undefined || filters['type'] === charge.type) &&
	(filters['id'] === undefined || filters['id'] === charge.id) &&
	(typeof filters['search'] !== 'string' ||
		`${charge.id} ${charge.status}`.includes(filters['search']));

/** The service's list under each choice of filters, sorted once and kept until something changes. */
export class Listing {
	/** From the end where page 1 is not, so that a charge that comes in goes to its end. */
	private readonly sorted = new Map<string, ModelCharge[]>();

	constructor(private traits: ServiceTraits) {}

	/** Something but the number of charges has changed. */
	forget(traits = this.traits): void {
		this.traits = traits;
		this.sorted.clear();
	}

	/** A charge has come in. */
	add(charge: ModelCharge): void {
		const all = this.sorted.get('{}');
		const last = all?.at(-1);
		const isLast =
			this.sorted.size === 1 &&
			last !== undefined &&
			compareBy(this.traits.order, tieOf(0))(last, charge) < 0;
		if (isLast) all?.push(charge);
		else this.sorted.clear();
	}

	/** Rows on a page, and how many there are in all. */
	page(
		charges: readonly ModelCharge[],
		filters: Filters,
		first: number,
		size: number,
		request: number,
		/** Of the copy of the service that answers. */
		nowMs: number,
	) {
		const all = this.asListed(this.rows(charges, filters, request), nowMs);
		const isReversed = DESCENDING.has(this.traits.order);
		const end = all.length - first;
		const rows = isReversed
			? all.slice(Math.max(0, end - size), Math.max(0, end)).reverse()
			: all.slice(first, first + size);
		return { rows, total: all.length };
	}

	private asListed(rows: ModelCharge[], nowMs: number): ModelCharge[] {
		const { quirk } = this.traits;
		if (quirk?.kind === 'twice')
			return rows.flatMap((charge) =>
				charge.number % quirk.every === 1 ? [charge, charge] : charge,
			);
		if (quirk?.kind !== 'replicas') return rows;
		return rows.filter(({ shownAt }) => shownAt <= nowMs);
	}

	private rows(charges: readonly ModelCharge[], filters: Filters, request: number): ModelCharge[] {
		const { order, tiesMove } = this.traits;
		const isMoving = order === 'shuffled' || (tiesMove && HAS_TIES.has(order));
		const key = JSON.stringify(filters);
		const kept = isMoving ? undefined : this.sorted.get(key);
		if (kept !== undefined) return kept;
		const rows = charges
			.filter((charge) => charge.isListed && matches(charge, filters))
			.sort(compareBy(order, tieOf(isMoving ? request : 0)));
		this.sorted.set(key, rows);
		return rows;
	}
}

const tieOf = (request: number) => (charge: ModelCharge) => mix(charge.number + request * 7_919);
