import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../contract/constants';
import { RequestLimiter } from '../../nodes/shared/service/requestLimiter';
import { ServiceFailure } from '../../nodes/shared/errors/reportedError';
import type { ServiceRequest } from '../../nodes/shared/service/request';
import type { Transport } from '../../nodes/shared/service/transport';

/** Everything that docs/service.md says is not documented about a list, as one choice each. */
export interface ListHabits {
	/** Rows of a page at most, whatever page_size asks for. */
	readonly cap: number;
	readonly pastTheEnd: '404' | 'empty';
	readonly wrapped: boolean;
	readonly count: 'right' | 'text' | 'ofPage' | 'missing';
	readonly next: 'right' | 'foreign' | 'missing';
}

export const PLAIN_HABITS: ListHabits = {
	cap: 100,
	pastTheEnd: '404',
	wrapped: false,
	count: 'right',
	next: 'right',
};

/** A list in memory that answers as the service might, for properties that need thousands of lists. */
export class ListModel {
	/** In the order of the service. */
	readonly ids: string[];
	/** Page numbers in the order in which they were answered. */
	readonly pages: number[] = [];
	inFlight = 0;
	maxInFlight = 0;
	private added = 0;

	constructor(
		total: number,
		readonly habits: ListHabits = PLAIN_HABITS,
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

	answer({ endpoint, qs }: ServiceRequest): unknown {
		const page = Number(qs?.['page']);
		const { cap, pastTheEnd, wrapped } = this.habits;
		const size = Math.min(cap, Number(qs?.['page_size']));
		this.pages.push(page);
		const start = (page - 1) * size;
		if (page > 1 && start >= this.ids.length && pastTheEnd === '404') {
			throw new ServiceFailure({
				kind: 'http',
				status: 404,
				request: endpoint.path,
				isWrite: false,
				attempts: 1,
				detail: '',
				notExecuted: true,
			});
		}
		const results = this.ids.slice(start, start + size).map((id) => ({ id }));
		const envelope: IDataObject = {
			results,
			...this.count(results.length),
			...this.next(start + size < this.ids.length),
		};
		return wrapped ? [envelope] : envelope;
	}

	private count(rows: number): IDataObject {
		const { length } = this.ids;
		switch (this.habits.count) {
			case 'missing':
				return {};
			case 'ofPage':
				return { count: rows };
			case 'text':
				return { count: String(length) };
			case 'right':
				return { count: length };
		}
	}

	private next(follows: boolean): IDataObject {
		if (this.habits.next === 'missing') return {};
		const host = this.habits.next === 'foreign' ? 'https://elsewhere.example' : 'http://127.0.0.1';
		return { next: follows ? `${host}/v1/charges?page=2` : null };
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
					return this.answer(request);
				}),
		};
	}
}

export const CHARGE_QUERY = { endpoint: ENDPOINTS.chargeList, filters: {} };
