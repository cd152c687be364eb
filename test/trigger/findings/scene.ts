import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { charge, chargeListServer } from '../../support/servers/chargeListServer';
import type { ChargeListServer, ListManners, Row } from '../../support/servers/chargeListServer';
import { useFakeClock } from '../../support/clock';
import type { FakeClock } from '../../support/clock';
import { createPoller } from '../../support/engine';
import type { PollOutcome, Poller, PollerOptions } from '../../support/engine';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const NOW_MS = Date.UTC(2026, 0, 15, 12);

const TEST_KEY = 'finding-key';
let lastWorkflow = 0;

/** The trigger in n8n's own poll context, against a list on 127.0.0.1. */
export interface Scene {
	readonly clock: FakeClock;
	readonly list: ChargeListServer;
	/** The ids of all events told so far, as often as they were told. */
	readonly told: string[];
	poller: Poller;
	readonly activate: () => Promise<PollOutcome>;
	/** A tick after some time. */
	readonly tick: (afterMs?: number) => Promise<PollOutcome>;
	/** So many ticks, one minute apart; a failed one is an error. */
	readonly ticks: (count: number, afterMs?: number) => Promise<void>;
	/** The same workflow published anew with something changed; what was stored is there unless it says otherwise. */
	readonly publish: (change: Partial<PollerOptions>) => Promise<PollOutcome>;
	/** A charge that comes in now, at the top of the list. */
	readonly arrive: (more?: Row) => Row;
	readonly stateBytes: () => number;
}

export async function scene(
	rows: Row[],
	manners: ListManners = {},
	options: Partial<PollerOptions> = {},
): Promise<Scene> {
	const clock = useFakeClock({ now: NOW_MS });
	const list = await chargeListServer(rows, manners);
	lastWorkflow += 1;
	const base: PollerOptions = {
		nodeType: new PaymentCollectionTrigger(),
		credentials: { baseUrl: list.url, apiKey: TEST_KEY },
		workflowId: `finding-${lastWorkflow}`,
		...options,
	};
	const told: string[] = [];
	const note = (outcome: PollOutcome): PollOutcome => {
		for (const { event_id: id } of outcome.json) told.push(id as string);
		return outcome;
	};
	const made: Scene = {
		clock,
		list,
		told,
		poller: createPoller(base),
		activate: async () => note(await made.poller.activate()),
		tick: async (afterMs = MINUTE_MS) => {
			clock.advance(afterMs);
			return note(await made.poller.tick());
		},
		ticks: async (count, afterMs) => {
			for (let tick = 0; tick < count; tick++) {
				const { error } = await made.tick(afterMs);
				if (error !== undefined) throw error;
			}
		},
		publish: async (change) => {
			const staticData = made.poller.unsaved();
			made.poller = createPoller({ ...base, staticData, activation: 'update', ...change });
			return await made.activate();
		},
		arrive: (more) => {
			const row = charge(clock.now(), more);
			list.rows.unshift(row);
			return row;
		},
		stateBytes: () => JSON.stringify(made.poller.cursor() ?? made.poller.unsaved()).length,
	};
	return made;
}

export const createdIds = (rows: readonly Row[]): string[] =>
	rows.map(({ id }) => `charge.created:${id as string}`);
