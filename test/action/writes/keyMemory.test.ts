import type { KeyMemory as Memory } from '../../../nodes/PaymentCollection/writes/keyMemory';
import type * as Clock from '../../../nodes/shared/clock';
import type { ItemContext } from '../../../nodes/shared/n8nFeatures';
import { useFakeClock } from '../../support/clock';
import fc from '../../support/jest/property';

/**
 * One key, several n8n processes: main and workers of queue mode. Each has the module for itself, as processes do, and
 * n8n's memory has what n8n's has: a change reads the whole list, and writes it whole some time later.
 */

/** Milliseconds that a change takes at most, here. */
const MOST_CHANGE_MS = 25;

interface Shared {
	/** By scope. */
	lists: Record<string, string[] | undefined>;
	/** Drawn for each change. */
	changeMs: () => number;
	sleep: (ms: number) => Promise<void>;
	/** The scope that something else uses. */
	refuses?: string;
}

type Change = (list: string[]) => string[];

async function change(shared: Shared, scope: string, apply: Change): Promise<void> {
	const before = shared.lists[scope];
	if (scope === shared.refuses)
		throw new Error('Deduplication data was originally saved with an incompatible setting');
	const after = apply([...(before ?? [])]);
	await shared.sleep(shared.changeMs());
	if (before === undefined && shared.lists[scope] !== undefined)
		throw new Error('duplicate key value violates unique constraint');
	shared.lists[scope] = after;
}

const helpersOf = (shared: Shared) => ({
	async checkProcessedAndRecord(items: string[], scope: string) {
		const known = new Set(shared.lists[scope]);
		await change(shared, scope, (list) => [...list, ...items.filter((item) => !known.has(item))]);
		return {
			new: items.filter((item) => !known.has(item)),
			processed: items.filter((item) => known.has(item)),
		};
	},
	async removeProcessed(items: string[], scope: string) {
		await change(shared, scope, (list) => list.filter((entry) => !items.includes(entry)));
	},
});

/** A process of its own, with chance of its own. */
function startProcess(
	shared: Shared,
	time: ReturnType<typeof useFakeClock>,
	number: number,
): Memory {
	let memory: Memory | undefined;
	let drawn = 0;
	jest.isolateModules(() => {
		const { clock } = jest.requireActual<typeof Clock>('../../../nodes/shared/clock');
		const random = (): number => (number + (drawn += 1) / 1_000) / 100;
		Object.assign(clock, { elapsed: () => time.now(), sleep: shared.sleep, random });
		const { KeyMemory } = jest.requireActual<{ KeyMemory: typeof Memory }>(
			'../../../nodes/PaymentCollection/writes/keyMemory',
		);
		memory = KeyMemory.of({
			helpers: helpersOf(shared),
			getExecutionId: () => 'execution',
			getWorkflow: () => ({ id: 'workflow' }),
			getNode: () => ({ id: 'node' }),
		} as unknown as ItemContext);
	});
	if (memory === undefined) throw new Error('There is no memory');
	return memory;
}

const claims = fc.array(
	fc.record({
		process: fc.nat({ max: 2 }),
		key: fc.constantFrom('a', 'b', 'c'),
		content: fc.constantFrom('x', 'y'),
		atMs: fc.nat({ max: 3 * MOST_CHANGE_MS }),
	}),
	{ minLength: 2, maxLength: 8 },
);
const changes = fc.infiniteStream(fc.integer({ min: 1, max: MOST_CHANGE_MS }));

type Asked = Array<{ process: number; key: string; content: string; atMs: number }>;

/** Each key that was asked for goes to one, and stays. */
async function oneEach(asked: Asked, changeMs: () => number, lists: Shared['lists']) {
	const time = useFakeClock();
	const { clock } = await import('../../../nodes/shared/clock');
	const shared: Shared = { lists, changeMs, sleep: clock.sleep };
	const processes = [0, 1, 2].map((number) => startProcess(shared, time, number));
	const won: string[] = [];
	await Promise.all(
		asked.map(async ({ process, key, content, atMs }) => {
			await shared.sleep(atMs);
			const claim = await processes[process]?.claim(key, content);
			if (claim === undefined || typeof claim === 'string') return;
			won.push(`${key} ${content}`);
			await processes[process]?.settle(claim, true);
		}),
	);
	const wonKeys = won.map((use) => use.split(' ')[0]);
	expect(wonKeys.sort()).toEqual([...new Set(asked.map(({ key }) => key))].sort());
	return { lists: shared.lists, won, processes };
}

it('a key that several processes claim at once goes to one of them, whatever they claim besides', async () => {
	await fc.assert(
		fc.asyncProperty(claims, changes, fc.boolean(), async (asked, durations, isFirst) => {
			const { lists, won, processes } = await oneEach(
				asked,
				() => Number(durations.next().value),
				isFirst ? {} : { node: ['earlier'] },
			);
			// A mark that was wiped and comes back with another process's change stays; a key never goes.
			expect(lists['node']).toEqual(expect.arrayContaining(asked.map(({ key }) => key)));
			// The same of what says that it is in doubt: it may be said of what was done, never the other way round.
			for (const use of won) {
				const [key = '', content = ''] = use.split(' ');
				expect(await processes[0]?.claim(key, content)).toMatch(/^(done|inDoubt)$/);
				expect(await processes[1]?.claim(key, `not ${content}`)).toMatch(/^(otherUse|inDoubt)$/);
			}
		}),
		{ numRuns: 200 },
	);
});

it('a key goes to one of them, also where one stands still for seconds amid a change', async () => {
	await fc.assert(
		fc.asyncProperty(
			claims,
			changes,
			fc.nat({ max: 20 }),
			fc.integer({ min: 200, max: 5_000 }),
			async (asked, durations, which, stillMs) => {
				let number = 0;
				const later = asked.map((one) => ({ ...one, atMs: one.atMs * 30 }));
				const changeMs = (): number =>
					number++ === which ? stillMs : Number(durations.next().value);
				await oneEach(later, changeMs, { node: ['earlier'], workflow: ['earlier'] });
			},
		),
		{ numRuns: 300 },
	);
});

it('a key can be claimed where the workflow’s list is used in another way', async () => {
	const time = useFakeClock();
	const { clock } = await import('../../../nodes/shared/clock');
	const shared: Shared = { lists: {}, changeMs: () => 1, sleep: clock.sleep };
	shared.refuses = 'workflow';
	const memory = startProcess(shared, time, 0);
	const claim = await memory.claim('a', 'x');
	expect(claim).toMatchObject({ key: 'a' });
	expect(await memory.claim('a', 'x')).toBe('inDoubt');
	if (typeof claim !== 'string') await memory.release(claim);
	expect(await memory.claim('a', 'y')).toMatchObject({ key: 'a' });
});

it('a claim waits longer where n8n’s database is slow', async () => {
	const time = useFakeClock();
	const { clock } = await import('../../../nodes/shared/clock');
	const shared: Shared = { lists: {}, changeMs: () => 200, sleep: clock.sleep };
	await startProcess(shared, time, 0).claim('a', 'x');
	expect(time.sleeps).toEqual([200, 800, 200, 200]);
});
