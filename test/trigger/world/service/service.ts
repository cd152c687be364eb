import { DAY_MS, HOUR_MS } from '../time';
import type { VirtualTime } from '../../../support/virtualTime';
import { pageOf } from '../../../../sandbox/lists';
import { failure, pageAnswer, type Answer, type Fault } from './answers';
import type { CreatedEventName } from '../../../../nodes/shared/records/recordEvents';
import { STATUSES, mix, toRow, type Charge, type ListFilters } from './charge';
import { Listing } from './listing';
import { isOldestFirst, servedSize, shownCount, type Traits } from './traits';

/** More requests than this in one poll are an endless loop. */
const RUNAWAY_REQUESTS = 3_000;
/** Page size for requests without one. */
const USUAL_SIZE = 10;

/** The trigger's query of its list. */
interface ListQuery extends ListFilters {
	readonly page?: unknown;
	readonly page_size?: unknown;
}

/** Models a payment service with only a list of charges or of customers. */
export class Service {
	readonly charges: Charge[] = [];
	/** Grows with each page that is sent and each change, which gives an order to events of one millisecond. */
	sequence = 0;
	latencyMs: number;
	/** Since the last poll began: requests, those answered with a page, and the charges on these pages. */
	requests = 0;
	goodAnswers = 0;
	readonly served = new Set<Charge>();
	/** Defects of these charges. */
	readonly defects = new Set<Charge['defect']>();
	/** Failures in the current poll. */
	faults: readonly Fault[] = [];
	/** True if a request of the current poll failed, and if it was for a page that always fails. */
	hasFailed = false;
	hasPoisonedPage = false;
	/** A wrong count of the list, until the next `polls` polls have ended. */
	miscount: { readonly count: number; readonly polls: number } | undefined;
	hasMiscounted = false;
	/** Times in which a page failed for more than a day. */
	readonly longFailures: Array<{ readonly from: number; readonly to: number }> = [];
	/** Called before the first page of each poll, before each page of new charges, and after each response. */
	beforeGoodAnswer: () => void = () => undefined;
	beforeNewEnd: () => void = () => undefined;
	afterAnswer: (request: number) => void = () => undefined;
	private totalRequests = 0;
	private readonly listing: Listing;
	/** Rows in their response format, until their charge changes. */
	private readonly rows = new Map<Charge, unknown>();

	constructor(
		readonly traits: Traits,
		readonly time: VirtualTime,
		/** The event of a new record in the list. */
		readonly created: CreatedEventName = 'charge.created',
	) {
		this.listing = new Listing(traits);
		this.latencyMs = traits.latencyMs;
	}

	get path(): string {
		return this.created === 'customer.created' ? '/v1/customers' : '/v1/charges';
	}

	beginPoll(faults: readonly Fault[]): void {
		this.requests = 0;
		this.goodAnswers = 0;
		this.served.clear();
		this.defects.clear();
		this.faults = faults;
		this.hasFailed = false;
		this.hasPoisonedPage = false;
		if (this.miscount === undefined) return;
		this.hasMiscounted = true;
		const { count, polls } = this.miscount;
		this.miscount = polls > 0 ? { count, polls: polls - 1 } : undefined;
	}

	insert(createdMs: number, status = 'authorised'): Charge {
		const number = this.charges.length;
		const { now } = this.time;
		const sequence = ++this.sequence;
		const charge: Charge = {
			id: `charge-${number}`,
			number,
			createdMs,
			shownAt: now,
			shownSequence: sequence,
			changedAt: now,
			amount: amountOf(number),
			currency: number % 3 === 0 ? 'EUR' : 'USD',
			customerId: `00000000-0000-4000-8000-00000000000${number % 2}`,
			type: number % 5 === 0 ? 'link' : 'charge',
			statuses: [{ name: status, sequence, atMs: createdMs }],
			refunds: [],
			isListed: true,
			defect: null,
			readableAt: now,
			poisonedAt: null,
		};
		this.charges.push(charge);
		this.listing.forget();
		return charge;
	}

	/** Call this after changing a charge. */
	changed(charge: Charge): void {
		charge.changedAt = this.time.now;
		this.sequence += 1;
		this.listing.forget();
		this.rows.delete(charge);
	}

	/** @returns true if there was a next status */
	moveOn(charge: Charge): boolean {
		const name = STATUSES.find((_, at) => STATUSES[at - 1] === charge.statuses.at(-1)?.name);
		if (name === undefined) return false;
		charge.statuses.push({ name, sequence: this.sequence + 1, atMs: this.time.now });
		this.changed(charge);
		return true;
	}

	refund(charge: Charge): void {
		charge.refunds.push({ sequence: this.sequence + 1, atMs: this.time.now });
		this.changed(charge);
	}

	/** Replaces the list by that of another account with `count` older charges. */
	changeAccount(count: number): Charge[] {
		for (const charge of this.charges) charge.isListed = false;
		const others = Array.from({ length: count }, (_, index) =>
			this.insert(this.time.now - (count - index) * HOUR_MS),
		);
		this.listing.forget();
		return others;
	}

	/** Ends all failures of pages. */
	cure(): void {
		const { now } = this.time;
		for (const charge of this.charges) {
			if (charge.poisonedAt === null) continue;
			if (now - charge.poisonedAt > DAY_MS)
				this.longFailures.push({ from: charge.poisonedAt, to: now });
			charge.poisonedAt = null;
		}
	}

	/** Makes all rows readable. */
	mend(): void {
		for (const charge of this.charges) {
			if (charge.defect === null) continue;
			charge.defect = null;
			charge.readableAt = this.time.now;
			this.changed(charge);
		}
	}

	/** Answers GET of its list, or throws the HTTP client's error. */
	async answer(url: string, query: ListQuery, timeoutMs: number): Promise<Answer> {
		if (!url.endsWith(this.path)) throw new Error(`A request to ${url}`);
		this.totalRequests += 1;
		const request = ++this.requests;
		if (request > RUNAWAY_REQUESTS) throw new Error('A poll sends requests for ever');
		const fault = this.faults.find(({ from, times }) => request >= from && request < from + times);
		if (fault !== undefined) this.hasFailed = true;
		if (fault?.kind === 'hang' || this.latencyMs >= timeoutMs) {
			this.hasFailed = true;
			await this.time.sleep(timeoutMs);
			return failure('hang');
		}
		await this.time.sleep(this.latencyMs);
		const answer = fault === undefined ? this.list(query) : failure(fault.kind);
		this.afterAnswer(request);
		return answer;
	}

	/** The current pages of the list. */
	pages({ page_size: asked = USUAL_SIZE, ...filters }: ListQuery): Charge[][] {
		const rows = this.listing.rows(this.charges, filters, this.totalRequests);
		const size = servedSize(this.traits, Number(asked));
		const { last } = pageOf(rows, 1, size);
		return Array.from({ length: last }, (_, at) => rows.slice(at * size, (at + 1) * size));
	}

	private list({ page: asked = 1, page_size = USUAL_SIZE, ...filters }: ListQuery): Answer {
		const all = this.listing.rows(this.charges, filters, this.totalRequests);
		const { end } = this.traits;
		const size = servedSize(this.traits, Number(page_size));
		const page = pageOf(all, Number(asked), size, end === 'lastAgain');
		if (Number(asked) === Math.ceil(all.length / size) + 1) this.beforeNewEnd(); // It shows that the page before is the last.
		if (page.number > page.last && typeof end === 'number') return failure(end);
		const { rows } = page;
		if (rows.some(({ poisonedAt }) => poisonedAt !== null)) {
			this.hasFailed = true;
			this.hasPoisonedPage = true;
			return failure(500);
		}
		this.sequence += 1;
		// An empty page past the end proves nothing: all pages could be answered like this.
		if (Number(asked) === 1 || rows.length > 0) {
			if (this.goodAnswers++ === 0) this.beforeGoodAnswer();
		}
		const newest = all.at(isOldestFirst(this.traits) ? -1 : 0);
		const isNewEnd = newest !== undefined && rows.includes(newest);
		if (isNewEnd && this.traits.next !== 'always') this.beforeNewEnd();
		for (const charge of rows) {
			this.served.add(charge);
			this.defects.add(charge.defect);
		}
		const shown = rows.map((charge) => this.rowOf(charge));
		const count = this.miscount?.count ?? shownCount(this.traits, all.length, rows.length);
		return pageAnswer(this.traits, page, shown, count);
	}

	/** A copy of a row, which the reader can change. */
	private rowOf(charge: Charge): unknown {
		let row = this.rows.get(charge);
		if (row === undefined) {
			row = toRow(charge, this.traits, this.created);
			this.rows.set(charge, row);
		}
		return typeof row === 'object' ? { ...row } : row;
	}
}

/** Large amounts grow with time and small ones are random: page 1 of a list by amount looks sorted by date. */
const amountOf = (number: number): number =>
	number % 2 === 0 ? 100_000 + number : mix(number) % 100_000;
