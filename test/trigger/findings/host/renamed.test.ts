import { capped, history } from '../../../support/servers/chargeListServer';
import type { Row } from '../../../support/servers/chargeListServer';
import { json } from '../../../support/servers/http-server';
import { MINUTE_MS, NOW_MS, createdIds, scene } from '../scene';
import type { Scene } from '../scene';

const RENAMED = { nodeName: 'Payments', staticData: {} };

const renewedKey = ({ list }: Scene) => ({
	credentials: { baseUrl: list.url, apiKey: 'renewed-key' },
});

/** A trigger in a busy account: each of its last polls had items. */
async function busy() {
	const made = await scene(history(30, NOW_MS, MINUTE_MS), { size: capped(10) });
	await made.activate();
	await made.ticks(2);
	const rows: Row[] = [];
	for (let polls = 0; polls < 5; polls++) {
		rows.push(made.arrive());
		await made.tick();
	}
	expect(made.told).toEqual(createdIds(rows));
	return { made, rows };
}

describe('a node that is renamed', () => {
	it('tells nothing twice where its key is renewed with it', async () => {
		const { made, rows } = await busy();
		const meanwhile = made.arrive();
		await made.publish({ ...RENAMED, ...renewedKey(made) });
		await made.ticks(2);
		expect(made.told).toEqual(createdIds([...rows, meanwhile]));
	});

	it('loses nothing where its key is renewed with it, and the service was down since n8n started', async () => {
		const { made, rows } = await busy();
		const staticData = made.poller.unsaved();
		const meanwhile = made.arrive();
		made.list.manners.instead = () => json({}, 500);
		const restarted = { workflowId: 'renamed-after-start' };
		await made.publish({ ...restarted, staticData, activation: 'init' });
		delete made.list.manners.instead;
		await made.publish({ ...restarted, ...RENAMED, ...renewedKey(made) });
		await made.ticks(2);
		expect(made.told).toEqual(createdIds([...rows, meanwhile]));
	});

	it.each([false, true])(
		'tells what a poll found while the workflow was unpublished, after a first poll that failed under its former name, key renewed by then: %p',
		async (isRenewed) => {
			const { made, rows } = await busy();
			const saved = made.poller.unsaved();
			const thrownAway = made.arrive();
			made.clock.advance(MINUTE_MS);
			// n8n throws away what this one found, and saves nothing of it.
			expect((await made.poller.tick()).json).toHaveLength(1);
			const key = isRenewed ? renewedKey(made) : {};
			made.list.manners.instead = () => json({}, 500);
			await made.publish({ ...key, staticData: saved });
			delete made.list.manners.instead;
			await made.publish({ ...key, ...RENAMED });
			await made.ticks(2);
			expect(made.told).toEqual(createdIds([...rows, thrownAway]));
		},
	);

	it('tells nothing twice where the state of the last poll was damaged before a first poll that failed', async () => {
		const { made, rows } = await busy();
		made.list.manners.instead = () => json({}, 500);
		await made.publish({ staticData: { cursor: 'damaged' } });
		delete made.list.manners.instead;
		await made.publish(RENAMED);
		await made.ticks(2);
		expect(made.told).toEqual(createdIds(rows));
	});
});
