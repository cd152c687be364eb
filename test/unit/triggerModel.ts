import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../../nodes/shared/listPage';
import { pollCharges } from '../../nodes/PaymentCollectionTrigger/poll';
import type { PollResult } from '../../nodes/PaymentCollectionTrigger/poll';
import { parseCursor, storableCursor } from '../../nodes/PaymentCollectionTrigger/cursor';
import { eventId } from '../../nodes/PaymentCollectionTrigger/events';
import type { EventName } from '../../nodes/PaymentCollectionTrigger/events';
import type { Settings } from '../../nodes/PaymentCollectionTrigger/settings';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const START_MS = Date.UTC(2026, 0, 15, 12);

/** How a modelled service lists its charges: everything that its document leaves open. */
export interface ServiceTraits {
	order: 'newestFirst' | 'byArrival' | 'oldestFirst' | 'shuffled' | 'shuffledPerRequest';
	/** Greatest page size. */
	cap: number;
	tells: 'count and next' | 'count' | 'next';
	timestamps: 'millis' | 'micros' | 'offset' | 'seconds';
}

export interface ModelCharge {
	id: string;
	/** Exact, in microseconds. */
	createdUs: number;
	/** When it got into the list, ms. */
	visibleAt: number;
	arrival: number;
	rank: number;
	hidden: boolean;
	removed: boolean;
	status: string;
	statusSince: number;
	refunds: Array<{ atMs: number; minor: number }>;
}

/** A poll that never ends. */
export class RunawayError extends Error {}

/** Pseudo-random and always the same: ranks of rows in a shuffled list. */
export function mix(seed: number): number {
	let value = (seed + 0x9e3779b9) | 0;
	value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
	value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
	return (value ^ (value >>> 16)) >>> 0;
}

/** A payment service of which only the list of charges is modelled. Time is the service's own. */
export class ModelService {
	now = START_MS;
	readonly charges: ModelCharge[] = [];
	requests = 0;
	/** Called after each answer: what happens between two requests of a poll. */
	afterRequest: (requestOfPoll: number) => void = () => undefined;
	failAt: number | undefined;
	private requestsOfPoll = 0;
	private sorted: ModelCharge[] | undefined;

	constructor(readonly traits: ServiceTraits) {}

	beginPoll(): void {
		this.requestsOfPoll = 0;
	}

	get requestsInPoll(): number {
		return this.requestsOfPoll;
	}

	insert(createdMs: number, extraUs = 0): ModelCharge {
		const number = this.charges.length;
		const precision = { millis: 1000, micros: 1, offset: 1000, seconds: 1_000_000 }[
			this.traits.timestamps
		];
		const us = createdMs * 1000 + extraUs;
		const charge: ModelCharge = {
			id: `charge-${number}`,
			createdUs: Math.floor(us / precision) * precision,
			visibleAt: this.now,
			arrival: number,
			rank: mix(number),
			hidden: false,
			removed: false,
			status: 'authorised',
			statusSince: createdMs,
			refunds: [],
		};
		this.charges.push(charge);
		const [newest] = this.sorted ?? [];
		const isNewest =
			this.traits.order === 'newestFirst' && newest && charge.createdUs > newest.createdUs;
		// A million rows are not to be sorted anew for each that comes.
		if (isNewest) this.sorted?.unshift(charge);
		else this.sorted = undefined;
		return charge;
	}

	changed(): void {
		this.sorted = undefined;
	}

	visible(): ModelCharge[] {
		return this.charges.filter(({ hidden, removed }) => !hidden && !removed);
	}

	private listed(): ModelCharge[] {
		const { order } = this.traits;
		if (order === 'shuffledPerRequest') {
			return this.visible().sort(
				(a, b) => mix(a.rank + this.requests) - mix(b.rank + this.requests),
			);
		}
		this.sorted ??= this.visible().sort((a, b) => {
			switch (order) {
				case 'newestFirst':
					return b.createdUs - a.createdUs || a.rank - b.rank;
				case 'oldestFirst':
					return a.createdUs - b.createdUs || a.rank - b.rank;
				case 'byArrival':
					return b.arrival - a.arrival;
				case 'shuffled':
					return a.rank - b.rank;
			}
		});
		return this.sorted;
	}

	readonly fetchPage = async (page: number, pageSize: number): Promise<Page> => {
		this.requests += 1;
		this.requestsOfPoll += 1;
		if (this.requestsOfPoll > 3_000) throw new RunawayError();
		if (this.failAt === this.requestsOfPoll) throw new Error('request failed');
		const size = Math.min(pageSize, this.traits.cap);
		const all = this.listed();
		const rows = all.slice((page - 1) * size, page * size);
		const { tells } = this.traits;
		const answer: Page =
			rows.length === 0 && page > 1
				? { rows: [], count: undefined, hasNext: false }
				: {
						rows: rows.map((row) => this.toRecord(row)),
						count: tells === 'next' ? undefined : all.length,
						hasNext: tells === 'count' ? undefined : page * size < all.length,
					};
		this.afterRequest(this.requestsOfPoll);
		return answer;
	};

	private readonly texts = new Map<number, string>();

	private timestamp(us: number): string {
		const text = this.texts.get(us) ?? this.write(us);
		this.texts.set(us, text);
		return text;
	}

	private write(us: number): string {
		const ms = Math.floor(us / 1000);
		const iso = new Date(ms).toISOString();
		switch (this.traits.timestamps) {
			case 'millis':
				return iso;
			case 'micros':
				return iso.replace('Z', `${String(us % 1000).padStart(3, '0')}Z`);
			case 'offset':
				return new Date(ms + 4 * HOUR_MS).toISOString().replace('Z', '+04:00');
			case 'seconds':
				return iso.replace(/\.\d+Z/, 'Z');
		}
	}

	private toRecord(charge: ModelCharge): IDataObject {
		const refunded = charge.refunds.reduce((sum, { minor }) => sum + minor, 0);
		return {
			id: charge.id,
			created: this.timestamp(charge.createdUs),
			status: charge.status,
			refund_total: (refunded / 100).toFixed(2),
			refunds: charge.refunds.map(({ atMs, minor }) => ({
				created: this.timestamp(atMs * 1000),
				amount: (minor / 100).toFixed(2),
			})),
			events: { type: charge.status, created: this.timestamp(charge.statusSince * 1000) },
		};
	}
}

export const baseSettings: Settings = {
	events: new Set<EventName>(['charge.created']),
	filters: {},
	simplify: false,
	includeSensitiveData: false,
	startFrom: { kind: 'now' },
	lookbackMs: HOUR_MS,
	watchMs: 7 * DAY_MS,
	sweepPages: 5,
	maxCharges: 5_000,
};

/** n8n around the trigger: what it saves and when, and what a crash loses (engine.md, Polling 5 and 6). */
export class ModelEngine {
	emitted: string[] = [];
	readonly pollsOfEmission = new Map<string, number>();
	polls = 0;
	/** What the last poll emitted, in order. */
	lastEvents: PollResult['events'] = [];
	private saved: string | undefined;
	private live: string | undefined;
	private memory: string | undefined;

	constructor(
		readonly service: ModelService,
		readonly isDurable: boolean,
		public settings: Settings = baseSettings,
		readonly clockErrorMs = 0,
	) {}

	get cursor() {
		return parseCursor(JSON.parse(this.stored() ?? 'null') ?? undefined);
	}

	/** Whether n8n has stored anything: before that, a crash makes the trigger begin anew. */
	get hasSaved(): boolean {
		return this.saved !== undefined;
	}

	get cursorSize(): number {
		return (this.stored() ?? '').length;
	}

	private stored(): string | undefined {
		return (this.isDurable ? this.saved : this.live) ?? this.memory;
	}

	/** @returns the error of a failed poll */
	async poll(isActivation = false, hasTime: () => boolean = () => true): Promise<unknown> {
		this.polls += 1;
		this.service.beginPoll();
		const stored = this.stored();
		let result: PollResult;
		try {
			result = await pollCharges({
				account: 'a',
				filters: JSON.stringify(this.settings.filters),
				cursor: stored === undefined ? undefined : parseCursor(JSON.parse(stored)),
				settings: this.settings,
				fetchPage: this.service.fetchPage,
				nowMs: this.service.now + this.clockErrorMs,
				hasTime,
			});
		} catch (error) {
			if (error instanceof RunawayError) throw error;
			return error;
		} finally {
			this.service.failAt = undefined;
		}
		const next = JSON.stringify(storableCursor(result.cursor));
		const isNull = result.events.length === 0;
		this.lastEvents = result.events;
		for (const event of result.events) {
			this.emitted.push(eventId(event));
			this.pollsOfEmission.set(eventId(event), this.polls);
		}
		this.live = next;
		if (isNull) this.memory = next;
		if (this.isDurable ? !(isNull && isActivation) : !isNull || isActivation) this.saved = next;
		return undefined;
	}

	/** n8n is gone and comes back over what was saved. */
	async crash(): Promise<void> {
		this.live = this.saved;
		this.memory = undefined;
		await this.poll(true);
	}
}
