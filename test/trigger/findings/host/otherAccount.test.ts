import type { IDataObject } from 'n8n-workflow';
import { PaymentCollectionTrigger } from '../../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { createPoller } from '../../../support/engine';
import type { PollerOptions } from '../../../support/engine';
import {
	capped,
	charge,
	chargeListServer,
	history,
} from '../../../support/servers/chargeListServer';
import { DAY_MS, MINUTE_MS, NOW_MS, SECOND_MS, createdIds, scene } from '../scene';

/** A trigger of one account, and another account whose page 2 fails at first. */
async function twoAccounts(options: Partial<PollerOptions> = {}) {
	const made = await scene(history(300, NOW_MS, MINUTE_MS), { size: capped(20) }, options);
	await made.activate();
	await made.ticks(3);
	const other = await chargeListServer(history(300, made.clock.now(), MINUTE_MS), {
		size: capped(20),
		instead: ({ page }) => (page === 2 ? { kind: 'reply', status: 500 } : undefined),
	});
	const elsewhere = { credentials: { baseUrl: other.url, apiKey: 'other-key' } };
	const arriveThere = () => {
		made.clock.advance(SECOND_MS);
		const row = charge(made.clock.now());
		other.rows.unshift(row);
		return row;
	};
	return Object.assign(made, { other, elsewhere, arriveThere });
}

it.each([21 * DAY_MS, 3 * MINUTE_MS])(
	'of an account that could not be recognised, and whose key was taken back, nothing from before its next use is told: %d ms later',
	async (laterMs) => {
		const made = await twoAccounts();
		await made.publish(made.elsewhere);
		made.arriveThere();
		await made.publish({});
		made.clock.advance(laterMs);
		await made.tick();
		made.arriveThere();
		delete made.other.manners.instead;
		await made.publish(made.elsewhere);
		await made.ticks(3);
		expect(made.told).toEqual([]);
		const fresh = made.arriveThere();
		await made.ticks(1);
		expect(made.told).toEqual(createdIds([fresh]));
	},
);

it('an account that could not be recognised, and then again after the first one’s turn, is waited for as long as at first', async () => {
	const made = await twoAccounts();
	await made.publish(made.elsewhere);
	await made.ticks(10);
	await made.publish({});
	const meanwhile = made.arrive();
	await made.tick();
	expect(made.told).toEqual(createdIds([meanwhile]));
	await made.publish(made.elsewhere);
	const waiting = made.arriveThere();
	await made.ticks(10);
	expect(made.told).toHaveLength(1);
	delete made.other.manners.instead;
	await made.ticks(2);
	expect(made.told).toEqual(createdIds([meanwhile, waiting]));
});

it('no more than 20 accounts are remembered, those that were polled last', async () => {
	const made = await scene(history(30, NOW_MS, MINUTE_MS));
	const remembered = (): unknown[] => {
		const { cursor } = made.poller.unsaved() as { cursor: { accounts: string } };
		return JSON.parse(cursor.accounts) as unknown[];
	};
	await made.activate();
	for (let key = 1; key <= 25; key++) {
		const before = remembered();
		await made.publish({ credentials: { baseUrl: made.list.url, apiKey: `key-${key}` } });
		expect(remembered().slice(1)).toEqual(before.slice(0, 19));
	}
	expect(remembered()).toHaveLength(20);
	const fresh = made.arrive();
	await made.tick();
	expect(made.told).toEqual(createdIds([fresh]));
});

it('of an account that counts as another one, what came in meanwhile is told though the poll that tells it is thrown away', async () => {
	const workflowId = 'thrown away while whose list it is was asked';
	const made = await twoAccounts({ durable: true, workflowId });
	const goOnFrom = (cursor: IDataObject) => {
		const nodeType = new PaymentCollectionTrigger();
		made.poller = createPoller({ nodeType, durable: true, workflowId, ...made.elsewhere, cursor });
	};
	goOnFrom(made.poller.cursor() ?? {});
	await made.tick();
	const rows = Array.from({ length: 11 }, () => made.arriveThere());
	for (let thrownAway = 0; thrownAway < 2; thrownAway++) {
		const saved = made.poller.cursor() ?? {};
		for (let polls = 0; made.told.length === 0 && polls < 20; polls++) await made.tick();
		expect(made.told).toEqual(createdIds(rows));
		if (thrownAway === 1) break;
		// n8n could not commit the tick: neither its items nor its cursor are there.
		goOnFrom(saved);
		made.told.length = 0;
	}
	await made.ticks(5);
	expect(made.told).toEqual(createdIds(rows));
});
