import fc from 'fast-check';
import {
	HOUR_MS,
	MINUTE_MS,
	ModelEngine,
	ModelService,
	START_MS,
	baseSettings,
} from './triggerModel';
import type { ModelCharge, ServiceTraits } from './triggerModel';

type Change =
	| { kind: 'arrive'; count: number; spreadMs: number }
	| { kind: 'late'; agoMs: number }
	| { kind: 'future'; aheadMs: number }
	| { kind: 'remove'; pick: number }
	| { kind: 'hide'; pick: number }
	| { kind: 'show' };

type Step =
	| { kind: 'change'; changes: Change[] }
	| { kind: 'poll'; waitMs: number; failAt: number | undefined; between: Array<[number, Change]> }
	| { kind: 'crash' };

const duration = (most: number) =>
	fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: most }));

const change: fc.Arbitrary<Change> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('arrive' as const),
			count: fc.integer({ min: 1, max: 30 }),
			spreadMs: duration(30 * MINUTE_MS),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({ kind: fc.constant('late' as const), agoMs: duration(HOUR_MS) }),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('future' as const),
			aheadMs: fc.oneof(
				duration(40 * MINUTE_MS),
				fc.integer({ min: HOUR_MS, max: 1000 * HOUR_MS }),
			),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat(1000) }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('hide' as const), pick: fc.nat(1000) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('show' as const) }) },
);

const stepOf = (withCrashes: boolean): fc.Arbitrary<Step> =>
	fc.oneof(
		{
			weight: 4,
			arbitrary: fc.record({
				kind: fc.constant('change' as const),
				changes: fc.array(change, { minLength: 1, maxLength: 4 }),
			}),
		},
		{
			weight: 6,
			arbitrary: fc.record({
				kind: fc.constant('poll' as const),
				waitMs: duration(3 * HOUR_MS),
				failAt: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 6 }),
				between: fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), change), { maxLength: 3 }),
			}),
		},
		{ weight: withCrashes ? 1 : 0, arbitrary: fc.constant({ kind: 'crash' as const }) },
	);

const traits: fc.Arbitrary<ServiceTraits> = fc.record({
	order: fc.constantFrom(
		'newestFirst' as const,
		'newestFirst' as const,
		'byArrival' as const,
		'oldestFirst' as const,
		'shuffled' as const,
	),
	cap: fc.constantFrom(8, 10, 12, 15, 25, 100),
	tells: fc.constantFrom('count and next' as const, 'count' as const, 'next' as const),
	timestamps: fc.constantFrom(
		'millis' as const,
		'micros' as const,
		'offset' as const,
		'seconds' as const,
	),
});

const scheduleOf = (withCrashes: boolean) =>
	fc.record({
		traits,
		isDurable: fc.boolean(),
		clockErrorMs: fc.integer({ min: -10 * MINUTE_MS, max: 10 * MINUTE_MS }),
		maxCharges: fc.constantFrom(5_000, 5_000, 7, 40),
		history: fc.record({
			count: fc.integer({ min: 0, max: 60 }),
			gapMs: fc.constantFrom(0, 500, MINUTE_MS, HOUR_MS),
		}),
		steps: fc.array(stepOf(withCrashes), { minLength: 3, maxLength: 14 }),
	});

type Schedule = ReturnType<typeof scheduleOf> extends fc.Arbitrary<infer T> ? T : never;

function apply(service: ModelService, change: Change): void {
	const pickFrom = (pick: number): ModelCharge | undefined => {
		const rows = service.visible();
		return rows[rows.length - 1 - (pick % Math.max(1, rows.length))];
	};
	switch (change.kind) {
		case 'arrive': {
			const { count, spreadMs } = change;
			service.now += spreadMs;
			for (let index = 0; index < count; index++) {
				const agoMs = Math.floor((spreadMs * (count - index - 1)) / count);
				service.insert(service.now - agoMs, (index * 37) % 1000);
			}
			break;
		}
		case 'late':
			service.insert(service.now - change.agoMs);
			break;
		case 'future':
			service.insert(service.now + change.aheadMs);
			break;
		case 'remove': {
			const row = pickFrom(change.pick);
			if (row !== undefined) row.removed = true;
			break;
		}
		case 'hide': {
			const row = pickFrom(change.pick);
			if (row !== undefined) row.hidden = true;
			break;
		}
		case 'show':
			for (const row of service.charges) row.hidden = false;
	}
	service.changed();
}

interface Outcome {
	lost: string[];
	repeated: string[];
	beforeBaseline: string[];
	outOfOrder: boolean;
}

async function run(schedule: Schedule): Promise<Outcome> {
	const service = new ModelService(schedule.traits);
	const { count, gapMs } = schedule.history;
	for (let index = count; index > 0; index--) service.insert(START_MS - index * gapMs);
	const engine = new ModelEngine(
		service,
		schedule.isDurable,
		{ ...baseSettings, maxCharges: schedule.maxCharges },
		schedule.clockErrorMs,
	);
	const baseline = new Set(service.charges.map(({ id }) => `charge.created:${id}`));
	let lastBaseline = service.charges.length;
	const everHidden = new Set<string>();
	let outOfOrder = false;
	const poll = async (isActivation = false) => {
		await engine.poll(isActivation);
		const dates = engine.lastEvents.map(({ at }) => at);
		outOfOrder ||= dates.some((at, index) => at < (dates[index - 1] ?? ''));
		engine.lastEvents = [];
	};
	await poll(true);
	const track = () => {
		for (const row of service.charges) if (row.hidden || row.removed) everHidden.add(row.id);
	};
	for (const step of schedule.steps) {
		if (step.kind === 'change') for (const each of step.changes) apply(service, each);
		if (step.kind === 'crash') {
			// Under durable cursors a null poll at activation is not stored: what it saw is forgotten.
			if (!engine.hasSaved) lastBaseline = service.charges.length;
			await engine.crash();
		}
		if (step.kind === 'poll') {
			service.now += step.waitMs;
			service.failAt = step.failAt;
			service.afterRequest = (request) => {
				for (const [at, each] of step.between) if (at === request) apply(service, each);
				track();
			};
			await poll();
			service.afterRequest = () => undefined;
		}
		track();
	}
	const promised = service.charges
		.slice(lastBaseline)
		.filter((row) => !everHidden.has(row.id))
		.map(({ id }) => `charge.created:${id}`);
	const missing = () => promised.filter((id) => !engine.pollsOfEmission.has(id));
	for (let round = 0; round < 150; round++) {
		service.now += round % 2 === 0 ? MINUTE_MS : 20 * MINUTE_MS;
		service.insert(service.now);
		await poll();
		if (missing().length === 0 && round > 2) break;
	}
	return {
		lost: missing(),
		repeated: engine.emitted.filter((id, index) => engine.emitted.indexOf(id) !== index),
		beforeBaseline: engine.emitted.filter((id) => baseline.has(id)),
		outOfOrder,
	};
}

const NOTHING_WRONG: Outcome = { lost: [], repeated: [], beforeBaseline: [], outOfOrder: false };

const runs = Number(process.env.TRIGGER_SCHEDULES ?? 5_000);

it('emits every charge that gets into the list within the lookback exactly once, oldest first', async () => {
	await fc.assert(
		fc.asyncProperty(scheduleOf(false), async (schedule) => {
			expect(await run(schedule)).toEqual(NOTHING_WRONG);
		}),
		{ numRuns: runs, endOnFailure: process.env.FAST === '1' },
	);
}, 300_000);

it('emits it at least once when n8n is killed in between', async () => {
	await fc.assert(
		fc.asyncProperty(scheduleOf(true), async (schedule) => {
			const { lost, outOfOrder } = await run(schedule);
			expect({ lost, outOfOrder }).toEqual({ lost: [], outOfOrder: false });
		}),
		{ numRuns: runs, endOnFailure: process.env.FAST === '1' },
	);
}, 300_000);
