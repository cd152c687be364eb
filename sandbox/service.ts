import type { Charge } from '../contract/schemas/charge';
import type { Customer } from '../contract/schemas/customer';
import { withStatus, applyRefund } from './refunds';
import type { Counts } from './data/world';
import { notFound } from './errors';
import { type ActiveFault, type FaultRule, faultRuleSchema } from './faults';
import { type RequestEntry, RequestLog } from './requestLog';
import { type ChargeDraft, type CustomerDraft, Store } from './store';
import { type Switches, switchesSchema } from './switches';

/** The key of every sandbox that was not given another one. It opens nothing but a sandbox. */
export const DEMO_API_KEY = 'demo-sandbox-key';
const DEFAULT_SEED = 1;
export const DEFAULT_COUNTS: Counts = {
	charges: 3_000,
	customers: 2_000,
	links: 200,
	invoices: 300,
	checkoutSessions: 200,
};

export interface ServiceOptions {
	apiKey?: string;
	seed?: number;
	counts?: Partial<Counts>;
	switches?: Partial<Switches>;
	/**
	 * The sandbox's time in ms since the epoch, the host's by default. Seeded records end where it stands at
	 * the start.
	 */
	clock?: () => number;
}

/** The service without HTTP: what it holds, how it behaves, what was asked of it, and how all that is steered. */
export class Service {
	/** Address that it listens at, without a trailing slash. */
	url = '';
	readonly apiKey: string;
	/** Rules in the order of adding. */
	faults: readonly ActiveFault[] = [];
	private lastFault = 0;
	readonly log = new RequestLog();
	/** Replaced by a reset. */
	store: Store;
	switches: Switches;

	constructor(private readonly options: ServiceOptions) {
		this.apiKey = options.apiKey ?? DEMO_API_KEY;
		this.store = this.seeded();
		this.switches = this.initialSwitches();
	}

	/** Requests since the start or the last clearRequests, control surface excluded. */
	get requests(): readonly RequestEntry[] {
		return this.log.entries;
	}

	/** The most requests that were in flight at once in that time. */
	get maxInFlight(): number {
		return this.log.maxInFlight;
	}

	/** Throws ZodError when a switch or a value is unknown. */
	setSwitches(patch: Partial<Switches>): void {
		this.switches = switchesSchema.parse({ ...this.switches, ...patch });
	}

	/** Answers the number to remove the rule by. Throws ZodError when the rule is malformed. */
	addFault(rule: FaultRule): number {
		const id = this.lastFault + 1;
		this.faults = [...this.faults, { id, ...faultRuleSchema.parse(rule), seen: 0, applied: 0 }];
		return (this.lastFault = id);
	}

	removeFault(id: number): void {
		const others = this.faults.filter((rule) => rule.id !== id);
		if (others.length === this.faults.length) throw notFound('fault rule', id);
		this.faults = others;
	}

	clearFaults(): void {
		this.faults = [];
	}

	clearRequests(): void {
		this.log.clear();
	}

	/** A new charge, created now unless `created` is given; fields that are not given are drawn. */
	insertCharge(draft?: ChargeDraft): Charge {
		return this.store.insertCharge(draft);
	}

	insertCustomer(draft?: CustomerDraft): Customer {
		return this.store.insertCustomer(draft);
	}

	/** Refunds as the endpoint does, all that is left by default. Throws ServiceError where that answers an error. */
	refundCharge(id: string, amount?: string): Charge {
		return this.store.changeCharge(id, (charge) =>
			applyRefund(charge, amount, this.store.nowMs, this.switches),
		);
	}

	setChargeStatus(id: string, status: string): Charge {
		return this.store.changeCharge(id, (charge) => withStatus(charge, status, this.store.nowMs));
	}

	/** Seeds anew (by default as at the start), puts the switches back, forgets faults and requests. */
	reset(seed?: number): void {
		this.store = this.seeded(seed);
		this.switches = this.initialSwitches();
		this.clearFaults();
		this.clearRequests();
	}

	private initialSwitches(): Switches {
		return switchesSchema.parse(this.options.switches ?? {});
	}

	private seeded(seed = this.options.seed ?? DEFAULT_SEED): Store {
		const { clock = Date.now } = this.options;
		const counts = { ...DEFAULT_COUNTS, ...this.options.counts };
		return new Store({ seed, counts, url: this.url, clock });
	}
}
