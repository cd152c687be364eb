import { type IDataObject } from 'n8n-workflow';
import { createPoller } from '../support/engine';
import { pollerOf } from '../support/probe';

describe('createPoller', () => {
	/** Emits what the test queued; counts polls in its static data, and throws on "boom". */
	function counting(queue: Array<IDataObject | null | 'boom'>) {
		return pollerOf(async function () {
			const data = this.getWorkflowStaticData('node');
			data['polls'] = Number(data['polls'] ?? 0) + 1;
			const next = queue.shift() ?? null;
			if (next === 'boom') throw new Error('boom');
			return next === null ? null : [[{ json: next }]];
		});
	}

	it('saves after activation and when something is emitted, not after a null poll', async () => {
		const poller = createPoller({ nodeType: counting([null, null, { n: 1 }]) });
		expect(await poller.activate()).toMatchObject({ items: null, saved: true });
		expect(poller.saved()).toEqual({ polls: 1 });
		expect(await poller.tick()).toMatchObject({ items: null, saved: false });
		expect([poller.saved(), poller.unsaved()]).toEqual([{ polls: 1 }, { polls: 2 }]);
		expect(poller.restart().unsaved()).toEqual({ polls: 1 });
		expect(await poller.tick()).toMatchObject({ json: [{ n: 1 }], saved: true });
		expect(poller.saved()).toEqual({ polls: 3 });
	});

	it('keeps in memory what a poll changed before it threw', async () => {
		const poller = createPoller({ nodeType: counting([null, 'boom']) });
		await poller.activate();
		expect((await poller.tick()).error?.message).toBe('boom');
		expect(poller.unsaved()).toEqual({ polls: 2 });
	});

	it('rejects an activation whose poll throws, and saves nothing', async () => {
		const poller = createPoller({ nodeType: counting(['boom']) });
		expect((await poller.activate()).error?.message).toBe('boom');
		expect(poller.saved()).toEqual({});
	});

	it('commits a durable cursor on null ticks, but not at activation and not after a throw', async () => {
		const poller = createPoller({
			nodeType: counting([null, null, 'boom', { n: 1 }]),
			durable: true,
		});
		await poller.activate();
		expect(poller.cursor()).toEqual({});
		await poller.tick();
		expect(poller.cursor()).toEqual({ polls: 1 });
		expect((await poller.tick()).error?.message).toBe('boom');
		expect(poller.cursor()).toEqual({ polls: 1 });
		expect(await poller.tick()).toMatchObject({ json: [{ n: 1 }], saved: true });
		expect(poller.cursor()).toEqual({ polls: 2 });
		expect(poller.saved()).toEqual({});
	});

	it('has one context for all polls, but a new one for each durable tick', async () => {
		const contextsOf = async (durable: boolean) => {
			const contexts: unknown[] = [];
			const poller = createPoller({
				nodeType: pollerOf(async function () {
					contexts.push(this);
					return null;
				}),
				durable,
			});
			await poller.activate();
			await poller.tick();
			await poller.tick();
			return new Set(contexts).size;
		};
		expect(await contextsOf(false)).toBe(1);
		expect(await contextsOf(true)).toBe(3);
	});

	it('has observing proxies as static data, which miss changes deep inside what was added', async () => {
		const poller = createPoller({
			nodeType: pollerOf(async function () {
				const data = this.getWorkflowStaticData('node');
				expect(() => structuredClone(data)).toThrow();
				if (data['deep'] === undefined) data['deep'] = { n: 1 };
				else (data['deep'] as IDataObject)['n'] = 2;
				return [[{ json: {} }]];
			}),
		});
		await poller.activate();
		expect(await poller.tick()).toMatchObject({ saved: false });
		expect([poller.saved(), poller.unsaved()]).toEqual([{ deep: { n: 1 } }, { deep: { n: 2 } }]);
	});

	it('tells the budget and the modes as n8n does', async () => {
		const told: unknown[] = [];
		const nodeType = pollerOf(async function () {
			const budget = Reflect.get(this, 'getPollBudgetMs') as (() => number) | undefined;
			told.push([this.getMode(), this.getActivationMode(), budget?.()]);
			return null;
		});
		const legacy = createPoller({ nodeType, activation: 'init' });
		await legacy.activate();
		await legacy.tick();
		const durable = createPoller({ nodeType, durable: true });
		await durable.activate();
		await durable.tick();
		await createPoller({ nodeType, budgetMs: null }).activate();
		expect(told).toEqual([
			['trigger', 'init', 300_000],
			['trigger', 'init', 300_000],
			['trigger', 'activate', 300_000],
			['trigger', 'update', 36_000],
			['trigger', 'activate', undefined],
		]);
	});

	it('fetches a test event without saving, and shows its error', async () => {
		const poller = createPoller({
			nodeType: counting([{ n: 1 }, 'boom']),
			staticData: { polls: 5 },
		});
		expect(await poller.fetchTestEvent()).toMatchObject({ json: [{ n: 1 }], saved: false });
		expect(poller.saved()).toEqual({ polls: 5 });
		expect((await poller.fetchTestEvent()).error?.message).toBe('boom');
	});

	it('lets ticks overlap on the same static data', async () => {
		let release: () => void = () => undefined;
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		let polls = 0;
		const poller = createPoller({
			nodeType: pollerOf(async () => {
				polls += 1;
				if (polls === 2) await held;
				return [[{ json: { poll: polls } }]];
			}),
		});
		await poller.activate();
		const slow = poller.tick();
		const quick = await poller.tick();
		release();
		expect(quick.json).toEqual([{ poll: 3 }]);
		expect((await slow).json).toHaveLength(1);
	});
});
