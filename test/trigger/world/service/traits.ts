/** How the list is sorted. */
export type Order =
	| 'newest'
	| 'oldest'
	| 'insertedNewest'
	| 'insertedOldest'
	| 'changed'
	| 'status'
	| 'amount'
	/** In no order, but always in the same. */
	| 'none'
	/** In another order in each request. */
	| 'shuffled';

/** What the service makes of the page size that is asked for. */
export type PageSize =
	| { readonly kind: 'capped'; readonly cap: number }
	/** It is ignored. */
	| { readonly kind: 'fixed'; readonly size: number }
	/** Only some sizes exist: the next smaller one is taken, or else the smallest. */
	| { readonly kind: 'some'; readonly sizes: readonly number[] }
	/** Rounded down to tens. */
	| { readonly kind: 'tens'; readonly cap: number };

export type Count =
	| { readonly kind: 'exact' }
	| { readonly kind: 'off'; readonly by: number }
	| { readonly kind: 'constant'; readonly value: number }
	| { readonly kind: 'missing' }
	| { readonly kind: 'null' }
	| { readonly kind: 'negative' }
	| { readonly kind: 'text' }
	| { readonly kind: 'garbage' }
	/** It goes no further than this. */
	| { readonly kind: 'most'; readonly value: number }
	/** Rows on the page instead of rows in the list. */
	| { readonly kind: 'page' };

/** What is odd about the rows of the list. */
export type Quirk =
	/** Every so many charges stand in the list twice, as in a join. */
	| { readonly kind: 'twice'; readonly every: number }
	/** One in three answers comes from a copy of the service that is so late. */
	| { readonly kind: 'replicas'; readonly lagMs: number }
	/** Every ten minutes pages hold another number of rows at most. */
	| { readonly kind: 'resized'; readonly caps: readonly number[] };

/** What a page past the end looks like: a 404, 400, 422 or 500, no rows, or those of the last page. */
type End = 'notFound' | 'badRequest' | 'unprocessable' | 'broken' | 'empty' | 'lastAgain';

export const TIMESTAMPS = ['millis', 'micros', 'offset', 'seconds', 'noZone'] as const;

/** `mixed`: each charge in another way. */
export type Timestamps = (typeof TIMESTAMPS)[number] | 'mixed';

/** How a modelled service lists its charges: everything that its document leaves open. */
export interface ServiceTraits {
	readonly order: Order;
	/** Rows of one timestamp change places between requests. */
	readonly tiesMove: boolean;
	readonly pageSize: PageSize;
	readonly end: End;
	/** `endless`: there is a next page even behind the last one; `never`: not even behind the first. */
	readonly next: 'present' | 'absent' | 'endless' | 'never';
	readonly count: Count;
	/** The envelope, or a list that holds it. */
	readonly envelope: 'object' | 'array';
	readonly timestamps: Timestamps;
	readonly quirk?: Quirk;
	/** Refunds and statuses carry no date. */
	readonly isUndated?: boolean;
	/** Milliseconds until an answer is there. */
	readonly latencyMs: number;
}

/** Whether the count tells what came in. */
export const isCounted = ({ count, quirk }: ServiceTraits): boolean =>
	count.kind === 'exact' && quirk === undefined;

/** Whether an answer says how many rows there are, rightly or not. */
export const hasCount = ({ count: { kind } }: ServiceTraits): boolean =>
	kind === 'exact' ||
	kind === 'most' ||
	kind === 'text' ||
	kind === 'off' ||
	kind === 'constant' ||
	kind === 'page';

/** A service that does all as one would wish. */
export const PLAIN: ServiceTraits = {
	order: 'newest',
	tiesMove: false,
	pageSize: { kind: 'capped', cap: 10 },
	end: 'notFound',
	next: 'present',
	count: { kind: 'exact' },
	envelope: 'object',
	timestamps: 'millis',
	latencyMs: 0,
};

/** Rows of a full page when so many are asked for. */
export function servedSize(pageSize: PageSize, asked: number): number {
	switch (pageSize.kind) {
		case 'capped':
			return Math.max(1, Math.min(asked, pageSize.cap));
		case 'fixed':
			return pageSize.size;
		case 'some': {
			const fitting = pageSize.sizes.filter((size) => size <= asked);
			return Math.max(...fitting, Math.min(...pageSize.sizes));
		}
		case 'tens':
			return Math.max(10, Math.floor(Math.min(asked, pageSize.cap) / 10) * 10);
	}
}
