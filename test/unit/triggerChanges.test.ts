import fc from 'fast-check';
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
import type { ModelCharge } from './triggerModel';

const events: ReadonlySet<EventName> = new Set([
	'charge.created',
	'charge.refunded',
	'charge.statusChanged',
]);
const STATUSES = ['authorised', 'captured', 'refunded', 'disputed'];

const step = fc.record({
	waitMs: fc.oneof(
		fc.integer({ min: 0, max: 10 * MINUTE_MS }),
		fc.integer({ min: 0, max: 6 * HOUR_MS }),
	),
	arrivals: fc.integer({ min: 0, max: 6 }),
	refunds: fc.array(fc.nat(1000), { maxLength: 2 }),
	statuses: fc.array(fc.tuple(fc.nat(1000), fc.nat(3)), { maxLength: 2 }),
	fails: fc.boolean().map((fails) => fails),
});

const schedule = fc.record({
	order: fc.constantFrom(
		'newestFirst' as const,
		'oldestFirst' as const,
		'shuffled' as const,
		'byArrival' as const,
	),
	cap: fc.constantFrom(10, 20, 100),
	tells: fc.constantFrom('count and next' as const, 'count' as const, 'next' as const),
	isDurable: fc.boolean(),
	history: fc.integer({ min: 0, max: 80 }),
	sweepPages: fc.integer({ min: 1, max: 5 }),
	steps: fc.array(step, { minLength: 2, maxLength: 12 }),
});

const refundTotal = ({ refunds }: ModelCharge) =>
	(refunds.reduce((sum, { minor }) => sum + minor, 0) / 100).toFixed(2);

it('tells every refund and change of status of the watched days exactly once, in time', async () => {
	await fc.assert(
		fc.asyncProperty(
			schedule,
			async ({ order, cap, tells, isDurable, history, sweepPages, steps }) => {
				const service = new ModelService({ order, cap, tells, timestamps: 'millis' });
				for (let index = history; index > 0; index--) {
					const charge = service.insert(START_MS - index * 2 * HOUR_MS);
					if (index % 7 === 0)
						charge.refunds.push({ atMs: START_MS - HOUR_MS * index, minor: 100 });
					if (index % 9 === 0) charge.status = 'disputed';
				}
				const engine = new ModelEngine(service, isDurable, { ...baseSettings, events, sweepPages });
				await engine.poll(true);
				const expected = new Map<string, number>();
				const seenStatuses = new Map<string, Set<string>>();
				for (const { id, status } of service.charges) seenStatuses.set(id, new Set([status]));
				for (const { waitMs, arrivals, refunds, statuses, fails } of steps) {
					service.now += waitMs;
					for (let index = 0; index < arrivals; index++) {
						const { id, status } = service.insert(service.now - index * 1000);
						seenStatuses.set(id, new Set([status]));
						expected.set(`charge.created:${id}`, engine.polls);
					}
					// Changes of one charge in one step would hide one another: what is between two polls is not seen.
					const touched = new Set<string>();
					const pick = (number: number) => {
						const young = service.charges.filter(
							({ createdUs, id, visibleAt }) =>
								service.now - createdUs / 1000 < 6.9 * DAY_MS &&
								!touched.has(id) &&
								visibleAt < service.now,
						);
						const charge = young[number % Math.max(1, young.length)];
						if (charge !== undefined) touched.add(charge.id);
						return charge;
					};
					for (const number of refunds) {
						const charge = pick(number);
						if (charge === undefined) continue;
						charge.refunds.push({ atMs: service.now, minor: 50 });
						expected.set(`charge.refunded:${charge.id}:${refundTotal(charge)}`, engine.polls);
					}
					for (const [number, which] of statuses) {
						const charge = pick(number);
						const status = STATUSES[which] ?? '';
						if (charge === undefined || charge.status === status) continue;
						charge.status = status;
						charge.statusSince = service.now;
						const seen = seenStatuses.get(charge.id);
						if (seen?.has(status) === false)
							expected.set(`charge.statusChanged:${charge.id}:${status}`, engine.polls);
						seen?.add(status);
					}
					if (fails) {
						service.failAt = 1;
						await engine.poll();
					}
					// A whole round: nothing that happens is overtaken by the next thing that does.
					const round = Math.ceil(service.charges.length / cap / sweepPages) + 2;
					for (let poll = 0; poll < round; poll++) {
						service.now += MINUTE_MS;
						await engine.poll();
					}
					const missing = [...expected.keys()].filter((id) => !engine.pollsOfEmission.has(id));
					expect(missing).toEqual([]);
				}
				expect([...engine.emitted].sort()).toEqual([...expected.keys()].sort());
			},
		),
		{
			numRuns: Number(process.env.TRIGGER_CHANGES ?? 500),
			endOnFailure: process.env.FAST === '1',
		},
	);
}, 300_000);

it('gives both events for a charge that is refunded when it is first seen', async () => {
	const service = new ModelService({
		order: 'newestFirst',
		cap: 100,
		tells: 'count',
		timestamps: 'micros',
	});
	service.insert(START_MS - HOUR_MS);
	const engine = new ModelEngine(service, false, { ...baseSettings, events });
	await engine.poll(true);
	service.now += MINUTE_MS;
	service.insert(service.now).refunds.push({ atMs: service.now + 1000, minor: 250 });
	service.now += MINUTE_MS;
	await engine.poll();
	expect(engine.emitted).toEqual(['charge.created:charge-1', 'charge.refunded:charge-1:2.50']);
});

describe.each(['newestFirst' as const, 'oldestFirst' as const])('in a list %s', (order) => {
	it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])(
		'finds a refund of the last minute of the watched days, whatever page the round has come to: %d',
		async (poll) => {
			const intervalMs = 10 * MINUTE_MS;
			const service = new ModelService({
				order,
				cap: 10,
				tells: 'count and next',
				timestamps: 'millis',
			});
			// Page 1 of a list that begins with the oldest is read in every poll: there must be others on it.
			for (let index = 30; index > 0; index--)
				service.insert(START_MS - 8 * DAY_MS - index * HOUR_MS);
			const oldest = service.insert(START_MS - 7 * DAY_MS + poll * intervalMs + MINUTE_MS);
			for (let index = 58; index >= 0; index--) service.insert(START_MS - index * 2 * HOUR_MS);
			const engine = new ModelEngine(service, false, { ...baseSettings, events, sweepPages: 1 });
			await engine.poll(true);
			const next = async () => {
				service.now += intervalMs;
				service.insert(service.now);
				await engine.poll();
			};
			for (let count = 0; count < poll; count++) await next();
			oldest.refunds.push({ atMs: service.now, minor: 100 });
			for (let count = 0; count < 18; count++) await next();
			expect(engine.emitted).toContain(`charge.refunded:${oldest.id}:1.00`);
		},
	);
});
