import { type IDataObject } from 'n8n-workflow';
import { createPoller } from '../support/engine';
import { pollerOf } from '../support/probe';

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
