import { type IDataObject } from 'n8n-workflow';
import { createPoller } from '../support/engine';
import { pollerOf } from '../support/probe';

describe('createPoller', () => {
	it('saves after activation and when something is emitted, not after a null poll', async () => {
		let polls = 0;
		const nodeType = pollerOf(async function () {
			polls += 1;
			this.getWorkflowStaticData('node')['polls'] = polls;
			return await Promise.resolve(polls < 3 ? null : [[{ json: { n: 1 } }]]);
		});
		const poller = createPoller({ nodeType });
		expect(await poller.activate()).toMatchObject({ items: null, saved: true });
		expect(poller.saved()).toEqual({ polls: 1 });
		expect(await poller.tick()).toMatchObject({ items: null, saved: false });
		expect([poller.saved(), poller.unsaved()]).toEqual([{ polls: 1 }, { polls: 2 }]);
		expect(poller.restart().unsaved()).toEqual({ polls: 1 });
		expect(await poller.tick()).toMatchObject({ json: [{ n: 1 }], saved: true });
		expect(poller.saved()).toEqual({ polls: 3 });
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
});
