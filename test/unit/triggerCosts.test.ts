import type { EventName } from '../../nodes/PaymentCollectionTrigger/events';
import {
	DAY_MS,
	HOUR_MS,
	MINUTE_MS,
	ModelEngine,
	ModelService,
	START_MS,
	baseSettings,
} from './triggerModel';
import type { ServiceTraits } from './triggerModel';

const likely: ServiceTraits = {
	order: 'newestFirst',
	cap: 100,
	tells: 'count and next',
	timestamps: 'millis',
};

/** Charges a day. */
const RATE = 10_000;
const GAP_MS = DAY_MS / RATE;

async function started(history: number, gapMs: number, settings = baseSettings, traits = likely) {
	const service = new ModelService(traits);
	for (let index = history; index > 0; index--) service.insert(START_MS - index * gapMs);
	const engine = new ModelEngine(service, false, settings);
	await engine.poll(true);
	return { service, engine };
}

async function requestsOfPoll({ service, engine }: Awaited<ReturnType<typeof started>>) {
	service.now += MINUTE_MS;
	await engine.poll();
	return service.requestsInPoll;
}

it('costs one request per idle poll, also after a burst and with a window of several pages', async () => {
	const trigger = await started(3_000, GAP_MS);
	expect(await requestsOfPoll(trigger)).toBe(1);
	for (let index = 0; index < 250; index++) trigger.service.insert(trigger.service.now);
	expect(await requestsOfPoll(trigger)).toBeLessThanOrEqual(4);
	expect(trigger.engine.emitted).toHaveLength(250);
	for (let poll = 0; poll < 5; poll++) expect(await requestsOfPoll(trigger)).toBe(1);
});

it('costs at most ceil(k / 100) + 1 requests for k new charges, all day long', async () => {
	const trigger = await started(1_000, GAP_MS);
	const sizes = [7, 7, 1, 0, 13, 7, 2, 99, 100, 0, 101, 7, 250];
	for (let poll = 0; poll < 700; poll++) {
		const fresh = sizes[poll % sizes.length] ?? 0;
		for (let index = 0; index < fresh; index++) trigger.service.insert(trigger.service.now + index);
		const requests = await requestsOfPoll(trigger);
		expect(requests).toBeLessThanOrEqual(Math.max(1, Math.ceil(fresh / 100) + (fresh > 0 ? 1 : 0)));
	}
	expect(new Set(trigger.engine.emitted).size).toBe(trigger.engine.emitted.length);
});

it.each(['newestFirst', 'oldestFirst'] as const)(
	'drains a backlog of 100,000, %s',
	async (order) => {
		const settings = { ...baseSettings, startFrom: { kind: 'beginning' as const } };
		const trigger = await started(100_000, 20_000, settings, { ...likely, order });
		const perPoll = [trigger.service.requestsInPoll];
		for (let poll = 0; poll < 60 && trigger.engine.emitted.length < 100_000; poll++) {
			perPoll.push(await requestsOfPoll(trigger));
		}
		expect(new Set(trigger.engine.emitted).size).toBe(100_000);
		expect(trigger.engine.emitted).toHaveLength(100_000);
		expect(Math.max(...perPoll)).toBeLessThan(75);
		expect(perPoll.length).toBeLessThan(30);
		expect(trigger.engine.cursorSize).toBeLessThan(256_000);
	},
	60_000,
);

const all: ReadonlySet<EventName> = new Set([
	'charge.created',
	'charge.refunded',
	'charge.statusChanged',
]);

describe.each([
	{ name: 'new charges', settings: baseSettings },
	{ name: 'all events', settings: { ...baseSettings, events: all } },
])('the cursor for $name', ({ name, settings }) => {
	it.each([100, 10_000, 1_000_000])(
		'of %d charges at 10,000 a day stays below 256 kB',
		async (history) => {
			const service = new ModelService(likely);
			for (let index = history; index > 0; index--) {
				const charge = service.insert(START_MS - index * GAP_MS);
				// As in the sandbox: one in ten refunded, one in eight with another status.
				if (index % 10 === 0)
					charge.refunds.push({ atMs: START_MS - (index - 5) * GAP_MS, minor: 100 });
				if (index % 8 === 0) charge.status = 'declined';
			}
			const engine = new ModelEngine(service, false, settings);
			await engine.poll(true);
			let most = engine.cursorSize;
			for (let poll = 0; poll < 40; poll++) {
				service.now += 5 * MINUTE_MS;
				for (let index = 0; index < 35; index++) service.insert(service.now - index * GAP_MS);
				await engine.poll();
				most = Math.max(most, engine.cursorSize);
			}
			if (process.env.SHOW_SIZES !== undefined)
				process.stderr.write(`${name}, ${history}: ${most} bytes\n`);
			expect(most).toBeLessThan(256_000);
		},
		120_000,
	);
});

it('has nothing of a charge in the cursor but hashes, dates and statuses', async () => {
	const { engine } = await started(50, HOUR_MS, { ...baseSettings, events: all });
	expect(JSON.stringify(engine.cursor)).not.toContain('charge-');
});
