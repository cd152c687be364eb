import {
	capped,
	charge,
	chargeListServer,
	history,
} from '../../../support/servers/chargeListServer';
import type { Row } from '../../../support/servers/chargeListServer';
import { DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS, SECOND_MS, createdIds, scene } from '../scene';
import type { Scene } from '../scene';

/** By which n8n's clock is ahead of the service's. */
const FAST_MS = 90 * SECOND_MS;

const arrive = ({ clock, list }: Scene): Row => {
	const row = charge(clock.now() - FAST_MS);
	list.rows.unshift(row);
	return row;
};

const ofOtherVersion = ({ poller }: Scene) => {
	const { cursor } = poller.unsaved() as { cursor: object };
	return { cursor: { ...cursor, version: 999, text: 'of another version' } };
};

/** What a user does between two polls, after charges came in. */
const CHANGES: Record<string, (made: Scene) => Promise<unknown>> = {
	'the filters change': async ({ publish }) =>
		await publish({ parameters: { filters: { currency: 'USD' } } }),
	'the package is updated': async (made) =>
		await made.publish({ staticData: ofOtherVersion(made), workflowId: 'updated by a fast clock' }),
};

describe('charges that came in since the last poll are told where', () => {
	it.each(Object.keys(CHANGES))('%s by a clock that is fast', async (what) => {
		const made = await scene(history(300, NOW_MS - FAST_MS, MINUTE_MS), { size: capped(100) });
		await made.activate();
		await made.ticks(3);
		const rows: Row[] = [];
		for (let count = 0; count < 6; count++) {
			made.clock.advance(10 * SECOND_MS);
			rows.push(arrive(made));
		}
		await CHANGES[what]?.(made);
		await made.ticks(5);
		expect(made.told).toEqual(createdIds(rows));
	});

	it('another account’s key was used in between, by a clock that is fast', async () => {
		const made = await scene(history(300, NOW_MS - FAST_MS, MINUTE_MS), { size: capped(100) });
		const other = await chargeListServer(history(10, NOW_MS, MINUTE_MS));
		await made.activate();
		await made.ticks(3);
		made.clock.advance(20 * SECOND_MS);
		const rows = [arrive(made)];
		made.clock.advance(40 * SECOND_MS);
		await made.publish({ credentials: { baseUrl: other.url, apiKey: 'other-key' } });
		await made.publish({ workflowId: 'back by a fast clock' });
		await made.ticks(5);
		expect(made.told).toEqual(createdIds(rows));
	});

	it.each(Object.keys(CHANGES))(
		'%s, days after one poll by a clock a month ahead',
		async (what) => {
			const made = await scene(history(300, NOW_MS, MINUTE_MS), { size: capped(100) });
			await made.activate();
			await made.tick(30 * DAY_MS);
			made.clock.advance(-30 * DAY_MS);
			const rows: Row[] = [];
			for (let hours = 0; hours < 48; hours++) {
				rows.push(made.arrive());
				await made.tick(HOUR_MS);
			}
			made.clock.advance(20 * MINUTE_MS);
			rows.push(made.arrive());
			made.clock.advance(20 * MINUTE_MS);
			await CHANGES[what]?.(made);
			await made.ticks(5);
			expect(made.told).toEqual(createdIds(rows));
		},
	);

	it('the filters change behind a charge that is dated ahead of time', async () => {
		const made = await scene(history(300, NOW_MS, MINUTE_MS), { size: capped(100) });
		await made.activate();
		const ahead = charge(made.clock.now() + 10 * MINUTE_MS);
		made.list.rows.unshift(ahead);
		await made.ticks(2);
		made.clock.advance(30 * SECOND_MS);
		const row = charge(made.clock.now());
		made.list.rows.splice(1, 0, row);
		await CHANGES['the filters change']?.(made);
		await made.ticks(5);
		expect(made.told).toEqual(createdIds([ahead, row]));
	});
});

/** Charges in US dollars that end three days ago, and others of since then in euros, that only the latter filters show. */
async function widened(change: (made: Scene) => Promise<unknown>): Promise<readonly string[]> {
	const dollars = history(30, NOW_MS - 3 * DAY_MS, HOUR_MS, { currency: 'USD' });
	const made = await scene(dollars, {}, { parameters: { filters: { currency: 'USD' } } });
	await made.activate();
	await made.ticks(3);
	made.list.rows.unshift(
		...history(60, made.clock.now() - MINUTE_MS, HOUR_MS, { currency: 'EUR' }),
	);
	await change(made);
	await made.ticks(5);
	return made.told;
}

it('charges that only the new filters let through, and that came in before them, are not told', async () => {
	const change = async (made: Scene) => await made.publish({ parameters: { filters: {} } });
	expect(await widened(change)).toEqual([]);
});

it('nor are they where the package is updated at once', async () => {
	const change = async (made: Scene) =>
		await made.publish({
			parameters: { filters: {} },
			staticData: ofOtherVersion(made),
			workflowId: 'updated and widened',
		});
	expect(await widened(change)).toEqual([]);
});
