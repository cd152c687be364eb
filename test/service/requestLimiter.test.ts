import { RequestLimiter, MAX_CONCURRENCY } from '../../nodes/shared/service/requestLimiter';
import { clock } from '../../nodes/shared/clock';
import { useFakeClock } from '../support/clock';
import fc, { property } from '../support/jest/property';

/** Runs tasks in a limiter in an order of the scheduler's choice; some are answered with a 429. */
async function runTasks(
	scheduler: fc.Scheduler,
	limiter: RequestLimiter,
	tasks: ReadonlyArray<{ refused: boolean; fails: boolean }>,
): Promise<{ most: number; done: number }> {
	let inFlight = 0;
	let most = 0;
	let done = 0;
	const run = async ({ refused, fails }: { refused: boolean; fails: boolean }): Promise<void> =>
		await limiter.withPermit(async (halvingsAtStart) => {
			inFlight += 1;
			most = Math.max(most, inFlight);
			await scheduler.schedule(Promise.resolve());
			if (refused) limiter.slowDown(halvingsAtStart);
			inFlight -= 1;
			done += 1;
			if (fails) throw new Error('failed');
		});
	await scheduler.waitFor(Promise.allSettled(tasks.map(run)));
	return { most, done };
}

/** The lowest limit of several items counts. */
const limitsOf = fc.array(fc.integer({ min: 1, max: MAX_CONCURRENCY }), {
	minLength: 1,
	maxLength: 3,
});
const tasksOf = fc.array(fc.record({ refused: fc.boolean(), fails: fc.boolean() }), {
	minLength: 1,
	maxLength: 60,
});
const quiet = (count: number) =>
	Array.from({ length: count }, () => ({ refused: false, fails: false }));

property(
	'the requests in flight of a run reach the limit, stay lower after a 429, and all finish, also if some fail',
	[fc.scheduler(), limitsOf, tasksOf],
	async (scheduler, limits, tasks) => {
		const limiter = new RequestLimiter();
		for (const one of limits) limiter.limitConcurrency(one);
		const limit = Math.min(...limits);
		const failing = tasks.map(({ fails }) => ({ refused: false, fails }));
		const allowed = { most: Math.min(limit, tasks.length), done: tasks.length };
		expect(await runTasks(scheduler, limiter, failing)).toEqual(allowed);
		expect((await runTasks(scheduler, limiter, tasks)).done).toBe(tasks.length);
		const refused = tasks.some((task) => task.refused);
		const { most, done } = await runTasks(scheduler, limiter, quiet(tasks.length));
		expect(most).toBeLessThanOrEqual(refused ? Math.max(1, limit / 2) : limit);
		expect(done).toBe(tasks.length);
	},
);

describe('requests to a service whose answers take a while', () => {
	const ANSWER_MS = 24;
	const LIMIT = 8;

	/** @returns when each request left, in milliseconds */
	async function starts(count: number, answerMs: number): Promise<number[]> {
		const fakeClock = useFakeClock({ now: 0 });
		const limiter = new RequestLimiter();
		limiter.limitConcurrency(LIMIT);
		const left: number[] = [];
		const send = async (): Promise<void> => {
			left.push(fakeClock.now());
			await clock.sleep(answerMs);
		};
		await limiter.withPermit(send);
		await Promise.all(Array.from({ length: count }, () => limiter.withPermit(send)));
		return left.slice(1);
	}

	it('are sent one after another, as soon as earlier responses allow', async () => {
		const left = await starts(40, ANSWER_MS);
		const spread = ANSWER_MS / LIMIT;
		expect(left).toEqual(left.map((_, index) => ANSWER_MS + index * spread));
	});

	it.each([4, 9])('are sent at once if responses take only %i ms', async (answerMs) => {
		const left = await starts(LIMIT, answerMs);
		expect(left).toEqual(left.map(() => answerMs));
	});
});
