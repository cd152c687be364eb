import type { AddressInfo } from 'node:net';
import type { Charge } from '../contract/schemas/charge';
import { buildApp } from './app';
import type { SandboxContext } from './context';
import type { Counts } from './data/world';
import { notFound } from './errors';
import { type FaultRule, FaultRules } from './faults';
import { decimalsOf, toText } from './money';
import { applyRefund, remainingOf, withStatus } from './refunds';
import { type RequestEntry, RequestLog } from './requestLog';
import { type ChargeDraft, Store } from './store';
import { DEFAULT_SWITCHES, patchSwitches, type SwitchPatch, type Switches } from './switches';

/** The key of every sandbox that was not given another one. It opens nothing but a sandbox. */
export const DEMO_API_KEY = 'demo-sandbox-key';
export const DEFAULT_SEED = 1;
export const DEFAULT_COUNTS: Counts = {
	charges: 3_000,
	customers: 2_000,
	links: 200,
	invoices: 300,
	checkoutSessions: 200,
};
const DEFAULT_CHARGE_GAP_MS = 60 * 60 * 1000;
const LOOPBACK = '127.0.0.1';

export interface SandboxOptions {
	/** 0, the default, takes any free port. */
	port?: number;
	/** 127.0.0.1 by default. */
	host?: string;
	apiKey?: string;
	seed?: number;
	counts?: Partial<Counts>;
	switches?: SwitchPatch;
	/** The sandbox's time in ms since the epoch, the host's by default. Seeded records end at its first value. */
	clock?: () => number;
	/** Mean time between two seeded charges, an hour by default, ms. */
	chargeGapMs?: number;
}

/** A running sandbox. */
export interface Sandbox {
	/** Without a trailing slash. */
	readonly url: string;
	readonly apiKey: string;
	/** What the sandbox holds; replaced by {@link Sandbox.reset}. */
	readonly store: Store;
	readonly switches: Switches;
	/** Requests since the start or the last {@link Sandbox.clearRequests}, control surface excluded. */
	readonly requests: readonly RequestEntry[];
	readonly maxInFlight: number;
	clearRequests(): void;
	setSwitches(patch: SwitchPatch): void;
	/** Answers the number to remove the rule by. */
	addFault(rule: FaultRule): number;
	removeFault(id: number): boolean;
	clearFaults(): void;
	/** A new charge, created now unless `created` is given; see {@link Store.insertCharge}. */
	insertCharge(draft?: ChargeDraft): Charge;
	/** Refunds as the endpoint does, the whole rest by default. Throws ServiceError as it would answer. */
	refundCharge(id: string, amount?: string): Charge;
	setChargeStatus(id: string, status: string): Charge;
	removeCharge(id: string): void;
	/** Pays a link, whatever its status, and answers the charge. */
	payLink(id: string): Charge;
	/** Seeds anew, puts the switches back to those at the start, and forgets faults and requests. */
	reset(seed?: number): void;
	close(): Promise<void>;
}

/** Starts the payment service of service-interface.md on a real port. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = LOOPBACK, apiKey = DEMO_API_KEY, seed = DEFAULT_SEED } = options;
	const initialSwitches = patchSwitches(DEFAULT_SWITCHES, options.switches ?? {});
	const seedStore = (storeSeed: number, url: string) =>
		new Store({
			seed: storeSeed,
			counts: { ...DEFAULT_COUNTS, ...options.counts },
			chargeGapMs: options.chargeGapMs ?? DEFAULT_CHARGE_GAP_MS,
			url,
			clock: options.clock ?? Date.now,
		});
	const context: SandboxContext = {
		apiKey,
		faults: new FaultRules(),
		log: new RequestLog(),
		store: seedStore(seed, ''),
		switches: initialSwitches,
	};
	const app = buildApp(context);
	await app.listen({ port, host });
	const url = addressOf(app.server.address(), host);
	// Records carry addresses of the sandbox, and its port is known only now.
	context.store = seedStore(seed, url);

	const change = (id: string, apply: (charge: Charge) => Charge): Charge => {
		const charge = context.store.updateCharge(id, apply);
		if (!charge) throw notFound('charge', id);
		return charge;
	};
	return {
		url,
		apiKey,
		get store() {
			return context.store;
		},
		get switches() {
			return context.switches;
		},
		get requests() {
			return context.log.entries;
		},
		get maxInFlight() {
			return context.log.maxInFlight;
		},
		clearRequests: () => context.log.clear(),
		setSwitches: (patch) => {
			context.switches = patchSwitches(context.switches, patch);
		},
		addFault: (rule) => context.faults.add(rule),
		removeFault: (id) => context.faults.remove(id),
		clearFaults: () => context.faults.clear(),
		insertCharge: (draft) => context.store.insertCharge(draft),
		refundCharge: (id, amount) =>
			change(id, (charge) => {
				const rest = toText(remainingOf(charge), decimalsOf(charge.currency) ?? 2);
				return applyRefund(charge, amount ?? rest, context.store.nowMs, context.switches);
			}),
		setChargeStatus: (id, status) =>
			change(id, (charge) => withStatus(charge, status, context.store.nowMs)),
		removeCharge: (id) => {
			if (!context.store.charges.remove(id)) throw notFound('charge', id);
		},
		payLink: (id) => {
			const charge = context.store.payLink(id);
			if (!charge) throw notFound('link', id);
			return charge;
		},
		reset: (newSeed = seed) => {
			context.store = seedStore(newSeed, url);
			context.switches = initialSwitches;
			context.faults.clear();
			context.log.clear();
		},
		close: () => app.close(),
	};
}

function addressOf(address: AddressInfo | string | null, host: string): string {
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	const name = host === '0.0.0.0' || host === '::' ? LOOPBACK : host;
	return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
}
