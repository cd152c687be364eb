import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../contract/constants';
import { RequestLimiter } from '../../nodes/shared/service/requestLimiter';
import type { Failure } from '../../nodes/shared/errors/failure';
import { ServiceFailure } from '../../nodes/shared/errors/reportedError';
import { unwrapped } from '../../nodes/shared/service/answers';
import type { ServiceRequest } from '../../nodes/shared/service/request';
import type { Transport } from '../../nodes/shared/service/transport';
import { pageOf, wrap } from '../../sandbox/lists';

/** Everything that docs/service.md says is not documented about a list, as one choice each. */
export interface ListHabits {
	/** Rows of a page at most, whatever page_size asks for. */
	readonly cap: number;
	readonly pastTheEnd: '404' | 'empty';
	readonly wrapped: boolean;
	readonly count: 'right' | 'text' | 'ofPage' | 'onFirst' | 'null' | 'missing';
	readonly next: 'right' | 'foreign' | 'empty' | 'missing';
}

export const PLAIN_HABITS: ListHabits = {
	cap: 100,
	pastTheEnd: '404',
	wrapped: false,
	count: 'right',
	next: 'right',
};

/** A page that could not be read. */
export const readFailure = (failure: Pick<Failure, 'kind' | 'status'>): ServiceFailure =>
	new ServiceFailure({
		...failure,
		request: 'GET /v1/charges',
		isWrite: false,
		attempts: 1,
		detail: '',
	});

/** A list in memory that answers as the service might, for properties that need thousands of lists. */
export class ListModel {
	/** In the order of the service. */
	readonly ids: string[];
	/** Page numbers in the order in which they were answered. */
	readonly pages: number[] = [];
	maxInFlight = 0;
	private inFlight = 0;
	private added = 0;

	constructor(
		total: number,
		private readonly habits: ListHabits = PLAIN_HABITS,
	) {
		this.ids = Array.from({ length: total }, (_, index) => `row ${index}`);
	}

	insertAt(position: number): void {
		this.added += 1;
		this.ids.splice(position, 0, `added ${this.added}`);
	}

	removeAt(position: number): void {
		this.ids.splice(position, 1);
	}

	private answer({ qs }: ServiceRequest): unknown {
		const { cap, pastTheEnd, wrapped, ...habits } = this.habits;
		const asked = Number(qs?.['page']);
		const size = Math.min(cap, Number(qs?.['page_size']));
		this.pages.push(asked);
		const page = pageOf(this.ids, asked, size, pastTheEnd === '404' ? 'error' : 'empty');
		if (page === undefined) {
			throw readFailure({ kind: 'http', status: 404 });
		}
		const { rows, number, last } = page;
		const { length } = this.ids;
		const counts = {
			...{ right: length, text: String(length), ofPage: rows.length },
			...{ onFirst: number === 1 ? length : undefined, null: null, missing: undefined },
		};
		const host = habits.next === 'foreign' ? 'https://elsewhere.example' : 'http://127.0.0.1';
		const end = habits.next === 'empty' ? '' : null;
		const uri = number < last ? `${host}/v1/charges?page=2` : end;
		const envelope = {
			results: rows.map((id) => ({ id })),
			count: counts[habits.count],
			next: habits.next === 'missing' ? undefined : uri,
			previous: undefined,
		};
		return wrap(envelope, wrapped);
	}

	/** @param turn resolves when the service gets to a request */
	transport(concurrency: number, turn: () => Promise<unknown>): Transport {
		const limiter = new RequestLimiter();
		limiter.limitConcurrency(concurrency);
		return {
			apiKey: 'a-key-of-a-test',
			baseUrl: 'http://127.0.0.1',
			signal: undefined,
			send: async (request) =>
				await limiter.withPermit(async () => {
					this.inFlight += 1;
					this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
					await turn();
					this.inFlight -= 1;
					return unwrapped(this.answer(request), request) as IDataObject;
				}),
		};
	}
}

export const CHARGE_QUERY = { endpoint: ENDPOINTS.chargeList, filters: {}, pageSize: 20 };
