import type { DeduplicationHelperFunctions, ICheckProcessedContextData } from 'n8n-workflow';

import type { KeyMemory as Memory } from '../../../nodes/PaymentCollection/writes/keyMemory';
import { clock as nodesClock } from '../../../nodes/shared/clock';
import type * as Clock from '../../../nodes/shared/clock';
import type { ItemContext } from '../../../nodes/shared/n8nAdapter';
import { clock, useFakeClock } from '../../support/clock';
import { ProcessedData } from '../../support/processedData';
import fc, { property } from '../../support/jest/property';

/**
 * Several n8n processes, such as the workers of queue mode, that claim the same keys. Each has its own copy of the module.
 * Like n8n's, the memory reads the whole list for a change, and writes it some time later.
 */

/** Longest change in milliseconds. */
const MOST_CHANGE_MS = 25;

const PLACE = { workflow: { id: 'workflow' }, node: { id: 'node' } } as ICheckProcessedContextData;
/** The node's own list, and that of its workflow. */
const LISTS = { node: 'workflow node', workflow: 'workflow ' };

function dataWith(changeMs: () => number): ProcessedData {
	const data = new ProcessedData();
	data.meanwhile = async () => await nodesClock.sleep(changeMs());
	return data;
}

const helpersOf = (data: ProcessedData): Partial<DeduplicationHelperFunctions> => ({
	checkProcessedAndRecord: async (items, scope, options) =>
		await data.checkProcessedAndRecord(items, scope, PLACE, options),
	removeProcessed: async (items, scope) => await data.removeProcessed(items, scope, PLACE),
});

/** Starts a process with its own random numbers. */
function startProcess(data: ProcessedData, number: number): Memory {
	let memory: Memory | undefined;
	let drawn = 0;
	jest.isolateModules(() => {
		const own = jest.requireActual<typeof Clock>('../../../nodes/shared/clock');
		const random = (): number => (number + (drawn += 1) / 1_000) / 100;
		Object.assign(own.clock, nodesClock, { random });
		const { KeyMemory } = jest.requireActual<{ KeyMemory: typeof Memory }>(
			'../../../nodes/PaymentCollection/writes/keyMemory',
		);
		memory = KeyMemory.of({
			helpers: helpersOf(data),
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

/** Checks that each requested key goes to one process. */
async function oneEach(asked: Asked, changeMs: () => number, used: string[]) {
	useFakeClock();
	const data = dataWith(changeMs);
	for (const list of used) data.lists.set(list, ['earlier']);
	const processes = [0, 1, 2].map((number) => startProcess(data, number));
	const won: string[] = [];
	await Promise.all(
		asked.map(async ({ process, key, content, atMs }) => {
			await nodesClock.sleep(atMs);
			const claim = await processes[process]?.claim(key, content);
			if (claim === undefined || typeof claim === 'string') return;
			won.push(`${key} ${content}`);
			await processes[process]?.settle(claim, true);
		}),
	);
	const wonKeys = won.map((use) => use.split(' ')[0]);
	expect(wonKeys.sort()).toEqual([...new Set(asked.map(({ key }) => key))].sort());
	return { keys: data.keys(), won, processes };
}

property(
	'a key that several processes claim in parallel goes to one of them, and stays used',
	[claims, changes, fc.boolean()],
	async (asked, durations, isFirst) => {
		const { keys, won, processes } = await oneEach(
			asked,
			() => Number(durations.next().value),
			isFirst ? [] : [LISTS.node],
		);
		// Another process can restore an old owner, but never remove a key.
		expect(keys).toEqual(expect.arrayContaining(asked.map(({ key }) => key)));
		// A carried out write can be reported as in doubt, but never the reverse.
		for (const use of won) {
			const [key = '', content = ''] = use.split(' ');
			expect(await processes[0]?.claim(key, content)).toMatch(/^(done|inDoubt)$/);
			expect(await processes[1]?.claim(key, `not ${content}`)).toMatch(/^(otherContent|inDoubt)$/);
		}
	},
	{ numRuns: 200 },
);

property(
	'a key goes to one process, also if another pauses for seconds during a change',
	[claims, changes, fc.nat({ max: 20 }), fc.integer({ min: 200, max: 5_000 })],
	async (asked, durations, which, stillMs) => {
		let number = 0;
		const later = asked.map((one) => ({ ...one, atMs: one.atMs * 30 }));
		const changeMs = (): number => (number++ === which ? stillMs : Number(durations.next().value));
		await oneEach(later, changeMs, Object.values(LISTS));
	},
	{ numRuns: 300 },
);

it('a key can be claimed if other nodes use the workflow’s list in another mode', async () => {
	const data = new ProcessedData();
	data.meanwhile = async (list) => {
		const reason = 'Deduplication data was originally saved with an incompatible setting';
		if (list === LISTS.workflow) await Promise.reject(new Error(reason));
	};
	const memory = startProcess(data, 0);
	const claim = await memory.claim('a', 'x');
	expect(claim).toMatchObject({ key: 'a' });
	expect(await memory.claim('a', 'x')).toBe('inDoubt');
	if (typeof claim !== 'string') await memory.release(claim);
	expect(await memory.claim('a', 'y')).toMatchObject({ key: 'a' });
});

it('a claim waits longer if n8n’s database is slow', async () => {
	const data = dataWith(() => 200);
	await startProcess(data, 0).claim('a', 'x');
	expect(clock.sleeps).toEqual([200, 800, 200, 200]);
});
