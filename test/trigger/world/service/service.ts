import { mix, toRow } from './charge';
import type { ModelCharge } from './charge';
import { answerWith, failWith } from './answers';
import type { Answer, Fault } from './answers';
import { Listing } from './listing';
import { hasCount, servedSize } from './traits';
import type { ServiceTraits } from './traits';
import { MINUTE_MS, START_MS } from '../time';
import type { VirtualTime } from '../time';

/** More requests than this in one poll are a loop without an end. */
const RUNAWAY_REQUESTS = 3_000;

class RunawayError extends Error {}

export interface ListRequest {
	readonly query: Readonly<Record<string, unknown>>;
	readonly timeoutMs: number;
}

/** A payment service of which only the list of charges is modelled. */
export class ModelService {
	readonly charges: ModelCharge[] = [];
	/** Since the last poll began. */
	requests = 0;
	totalRequests = 0;
	/** Answers since the last poll began that hold a list. */
	goodAnswers = 0;
	/** Grows with each answer and each change, so that what happens in one millisecond has an order too. */
	sequence = 0;
	isInPoll = false;
	/** The list was sorted in another way while it was read, so that its count seemed wrong. */
	wasSortedAmid = false;
	/** When the list was last sorted in another way. */
	orderSequence = 0;
	/** When a charge last left the list. */
	leftSequence = 0;
	/** Largest number of rows of a page so far. */
	fullestPage = 1;
	/** When a list whose rows changed their places between requests became still. */
	settledAt: number | undefined;
	unsteadyOrder: ServiceTraits['order'] | undefined;
	/** What goes wrong in the poll that is under way. */
	faults: readonly Fault[] = [];
	/** Called after each answer: what happens between two requests. */
	afterAnswer: (request: number) => void = () => undefined;
	onGoodAnswer: () => void = () => undefined;
	private readonly listing: Listing;
	/** Rows as they were shown, until their charge changes. */
	private readonly rows = new Map<ModelCharge, unknown>();

	constructor(
		private traits: ServiceTraits,
		readonly time: VirtualTime,
		/** Of the ids of its charges. */
		private readonly prefix = 'charge',
	) {
		this.listing = new Listing(traits);
	}

	get lists(): ServiceTraits {
		return this.traits;
	}

	/** The service lists in another way from now on. */
	become(traits: ServiceTraits): void {
		if (traits.order !== this.traits.order) {
			this.orderSequence = ++this.sequence;
			this.wasSortedAmid ||= this.isInPoll;
		}
		this.traits = traits;
		this.listing.forget(traits);
	}

	/** Rows keep their places from now on. */
	settle(): void {
		const { order, tiesMove } = this.traits;
		if (order !== 'shuffled' && !tiesMove) return;
		this.settledAt = this.time.now;
		this.unsteadyOrder = order;
		this.become({ ...this.traits, tiesMove: false, order: order === 'shuffled' ? 'none' : order });
	}

	beginPoll(faults: readonly Fault[]): void {
		this.requests = 0;
		this.goodAnswers = 0;
		this.faults = faults;
	}

	insert(createdMs: number, status = 'authorised'): ModelCharge {
		const number = this.charges.length;
		const { now } = this.time;
		const charge: ModelCharge = {
			id: `${this.prefix}-${number}`,
			number,
			createdMs,
			earliestCreatedMs: createdMs,
			firstCreatedMs: createdMs,
			wasAway: false,
			shownAt: now,
			shownSequence: ++this.sequence,
			changedAt: now,
			amount: amountOf(number),
			currency: number % 3 === 0 ? 'EUR' : 'USD',
			customerId: `00000000-0000-4000-8000-00000000000${number % 2}`,
			type: number % 5 === 0 ? 'link' : 'charge',
			status,
			statuses: [status],
			statusSince: createdMs,
			statusSequence: this.sequence,
			refundSequence: 0,
			refunds: [],
			isListed: true,
			isDeleted: false,
			defect: null,
			readableAt: now,
			isPoisoned: false,
		};
		this.charges.push(charge);
		this.listing.add(charge);
		return charge;
	}

	/** To be called after a charge, or many, were changed from outside. */
	changed(charge?: ModelCharge): void {
		this.sequence += 1;
		this.listing.forget();
		if (charge === undefined) this.rows.clear();
		else this.rows.delete(charge);
	}

	show(charge: ModelCharge, isListed: boolean): void {
		if (charge.isListed === isListed) return;
		charge.isListed = isListed;
		if (isListed) charge.shownAt = this.time.now;
		else charge.wasAway = true;
		this.changed(charge);
		if (!isListed) this.leftSequence = this.sequence;
		if (isListed) charge.shownSequence = this.sequence;
	}

	listed(): ModelCharge[] {
		return this.charges.filter(({ isListed }) => isListed);
	}

	/** Answers GET /v1/charges; what the HTTP client throws is thrown here too. */
	async answer({ query, timeoutMs }: ListRequest): Promise<Answer> {
		this.requests += 1;
		this.totalRequests += 1;
		const request = this.requests;
		if (request > RUNAWAY_REQUESTS) throw new RunawayError('A poll sends requests for ever');
		const fault = this.faults.find(({ from, to }) => request >= from && request <= to);
		const { latencyMs } = this.traits;
		if (fault?.kind === 'hang' || latencyMs >= timeoutMs) {
			await this.time.sleep(timeoutMs);
			return failWith({ kind: 'hang', from: 0, to: 0 });
		}
		await this.time.sleep(latencyMs);
		const answer = fault === undefined ? this.list(query) : failWith(fault);
		this.afterAnswer(request);
		return answer;
	}

	private list(query: Readonly<Record<string, unknown>>): Answer {
		const { page = 1, page_size: asked = 10, ...filters } = query;
		const { quirk } = this.traits;
		const size = this.pageSize(Number(asked));
		const request = this.totalRequests;
		const lagMs = quirk?.kind === 'replicas' && request % 3 === 2 ? quirk.lagMs : 0;
		const seenMs = Math.max(START_MS, this.time.now - lagMs);
		const at = (number: number) =>
			this.listing.page(this.charges, filters, (number - 1) * size, size, request, seenMs);
		let number = Number(page);
		let { rows, total } = at(number);
		if ((number - 1) * size >= total && number > 1) {
			const { end } = this.traits;
			if (end === 'lastAgain') {
				number = Math.max(1, Math.ceil(total / size));
				({ rows, total } = at(number));
			} else if (end !== 'empty') return failWith({ kind: end, from: 0, to: 0 });
		}
		if (rows.some(({ isPoisoned }) => isPoisoned))
			return failWith({ kind: 'broken', from: 0, to: 0 });
		this.sequence += 1;
		this.fullestPage = Math.max(this.fullestPage, rows.length);
		// An empty page behind the first may be behind the end of anything.
		if (rows.length > 0 || number === 1 || hasCount(this.traits)) {
			this.goodAnswers += 1;
			this.onGoodAnswer();
		}
		const shown = rows.map((charge) => this.rowOf(charge));
		return answerWith(this.traits, shown, total, number * size < total ? number + 1 : undefined);
	}

	private pageSize(asked: number): number {
		const { quirk, pageSize } = this.traits;
		if (quirk?.kind !== 'resized') return servedSize(pageSize, asked);
		const cap = quirk.caps[Math.floor(this.time.now / (10 * MINUTE_MS)) % quirk.caps.length];
		return Math.min(asked, cap ?? asked);
	}

	/** A row that the reader may change without anybody noticing. */
	private rowOf(charge: ModelCharge): unknown {
		let row = this.rows.get(charge);
		if (row === undefined) {
			row = toRow(charge, this.traits);
			this.rows.set(charge, row);
		}
		return typeof row === 'object' ? { ...row } : row;
	}
}

/** Large amounts grow with time and small ones are random, so that a list by amount looks sorted by date on page 1. */
const amountOf = (number: number): number =>
	number % 2 === 0 ? 100_000 + number : mix(number) % 100_000;
