import type { AddressInfo } from 'node:net';
import { buildApp } from './app';
import { keepArriving } from './store/arrivals';
import type { SandboxContext } from './context';
import type { Counts } from './data/world';
import { FaultRules } from './behaviour/faults';
import { type Operations, operationsOn } from './operations/operations';
import { type RequestEntry, RequestLog } from './behaviour/requestLog';
import { Store } from './store/store';
import {
	DEFAULT_SWITCHES,
	patchSwitches,
	type SwitchPatch,
	type Switches,
} from './behaviour/switches';

/** The key of every sandbox that was not given another one. It opens nothing but a sandbox. */
export const DEMO_API_KEY = 'demo-sandbox-key';
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_SEED = 1;
export const DEFAULT_COUNTS: Counts = {
	charges: 3_000,
	customers: 2_000,
	links: 200,
	invoices: 300,
	checkoutSessions: 200,
};
const DEFAULT_CHARGE_GAP_MS = 60 * 60 * 1000;

export interface SandboxOptions {
	/** 0, the default, takes any free port. */
	port?: number;
	/** 127.0.0.1 by default. */
	host?: string;
	apiKey?: string;
	seed?: number;
	counts?: Partial<Counts>;
	switches?: SwitchPatch;
	/**
	 * The sandbox's time in ms since the epoch, the host's by default. Seeded records end where it stands at
	 * the start.
	 */
	clock?: () => number;
	/** Mean time between two seeded charges, an hour by default, ms. */
	chargeGapMs?: number;
	/** New charges that keep arriving, none by default. */
	chargesPerMinute?: number;
}

/** A running sandbox. */
export interface Sandbox extends Operations {
	/** Without a trailing slash. */
	readonly url: string;
	readonly apiKey: string;
	/** What the sandbox holds; replaced by a reset. */
	readonly store: Store;
	readonly switches: Switches;
	/** Requests since the start or the last clearRequests, control surface excluded. */
	readonly requests: readonly RequestEntry[];
	/** The most requests that were in flight at once in that time. */
	readonly maxInFlight: number;
	close(): Promise<void>;
}

/** Starts the payment service of docs/service.md on a real port. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = DEFAULT_HOST, apiKey = DEMO_API_KEY } = options;
	const initialSwitches = patchSwitches(DEFAULT_SWITCHES, options.switches ?? {});
	let url = '';
	const seedStore = (seed = options.seed ?? DEFAULT_SEED) =>
		new Store({
			seed,
			counts: { ...DEFAULT_COUNTS, ...options.counts },
			chargeGapMs: options.chargeGapMs ?? DEFAULT_CHARGE_GAP_MS,
			url,
			clock: options.clock ?? Date.now,
		});
	const context: SandboxContext = {
		apiKey,
		faults: new FaultRules(),
		log: new RequestLog(),
		store: seedStore(),
		switches: initialSwitches,
		restart: (seed) => {
			context.store = seedStore(seed);
			context.switches = initialSwitches;
			context.faults.clear();
			context.log.clear();
		},
	};
	const operations = operationsOn(context);
	const app = buildApp(context, operations);
	await app.listen({ port, host });
	url = addressOf(app.server.address(), host);
	// Records carry the sandbox's address, and its port is known only now.
	context.restart();
	const stopArrivals = keepArriving(() => operations.insertCharge(), options.chargesPerMinute ?? 0);

	return {
		...operations,
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
		close: async () => {
			stopArrivals();
			await app.close();
		},
	};
}

function addressOf(address: AddressInfo | string | null, host: string): string {
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	const name = host === '0.0.0.0' || host === '::' ? DEFAULT_HOST : host;
	return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
}
