import { capped, charge, chargeListServer, history } from '../../support/servers/chargeListServer';
import type { Row } from '../../support/servers/chargeListServer';
import { DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS, SECOND_MS, createdIds, scene } from './scene';
import type { Scene } from './scene';

const RENEWED_KEY = 'renewed-key';

interface Shown {
	readonly order: 'newest first' | 'oldest first';
	readonly isCounted: boolean;
}

const LISTS: readonly Shown[] = (['newest first', 'oldest first'] as const).flatMap((order) =>
	[true, false].map((isCounted) => ({ order, isCounted })),
);

/** A trigger that has run for a while, of an account with 300 charges in pages of 20. */
async function running({ order, isCounted }: Shown, parameters = {}) {
	const rows = history(300, NOW_MS, MINUTE_MS);
	if (order === 'oldest first') rows.reverse();
	const made = await scene(
		rows,
		{ size: capped(20), ...(isCounted ? {} : { count: () => undefined }) },
		{ parameters: { events: ['charge.created'], ...parameters } },
	);
	const arrive = (count: number): Row[] => {
		const fresh = Array.from({ length: count }, () => {
			made.clock.advance(10);
			return charge(made.clock.now());
		});
		if (order === 'oldest first') rows.push(...fresh);
		else rows.unshift(...[...fresh].reverse());
		return fresh;
	};
	await made.activate();
	await made.ticks(3);
	const first = arrive(2);
	await made.ticks(2);
	return { ...made, publish: made.publish, rows, arrive, first, url: made.list.url };
}

const keyOf = ({ list }: Pick<Scene, 'list'>, apiKey: string) => ({
	credentials: { baseUrl: list.url, apiKey },
});

/** n8n starts anew: what the process remembered, by the workflow, is gone. */
let restarts = 0;
const afterRestart = () => ({ workflowId: `restarted-${++restarts}` });

describe('a key that is renewed for the same account', () => {
	it.each(LISTS)(
		'loses nothing that came in meanwhile, $order, counted: $isCounted',
		async (shown) => {
			for (const count of [1, 19, 45, 130]) {
				const made = await running(shown);
				const meanwhile = made.arrive(count);
				await made.publish(keyOf(made, RENEWED_KEY));
				await made.publish(keyOf(made, RENEWED_KEY));
				const later = made.arrive(1);
				await made.publish({ ...keyOf(made, RENEWED_KEY), ...afterRestart() });
				expect(made.told).toEqual(createdIds([...made.first, ...meanwhile, ...later]));
			}
		},
	);

	it('tells nothing twice once the former key is back', async () => {
		const made = await running({ order: 'newest first', isCounted: true });
		await made.publish(keyOf(made, RENEWED_KEY));
		const meanwhile = made.arrive(3);
		await made.publish(keyOf(made, RENEWED_KEY));
		await made.publish(keyOf(made, 'finding-key'));
		await made.publish(keyOf(made, RENEWED_KEY));
		const later = made.arrive(1);
		await made.publish(keyOf(made, 'finding-key'));
		expect(made.told).toEqual(createdIds([...made.first, ...meanwhile, ...later]));
	});

	it('goes on with a backlog', async () => {
		const made = await running(
			{ order: 'newest first', isCounted: true },
			{ options: { maxChargesPerPoll: 5 } },
		);
		const waiting = made.arrive(23);
		await made.tick();
		for (let polls = 0; polls < 6; polls++) await made.publish(keyOf(made, RENEWED_KEY));
		expect(made.told).toEqual(createdIds([...made.first, ...waiting]));
	});

	it('goes on with a backlog of which more is left than is looked through for charges that are known', async () => {
		const parameters = {
			events: ['charge.created'],
			options: { startFrom: 'beginning', maxChargesPerPoll: 500 },
		};
		const made = await scene(history(3_000, NOW_MS, MINUTE_MS), {}, { parameters });
		await made.activate();
		await made.publish({ parameters, ...keyOf(made, RENEWED_KEY) });
		await made.ticks(6);
		expect(made.told).toEqual(createdIds([...made.list.rows].reverse()));
	});

	it('is recognised also where pages fail', async () => {
		const made = await running({ order: 'newest first', isCounted: true });
		const meanwhile = made.arrive(3);
		made.list.manners.instead = () => ({ kind: 'reply', status: 500 });
		await made.publish(keyOf(made, RENEWED_KEY));
		expect((await made.tick()).error).toBeDefined();
		made.list.manners.instead = ({ page }) =>
			page === 1 ? { kind: 'reply', status: 500 } : undefined;
		await made.publish(keyOf(made, RENEWED_KEY));
		made.list.manners.instead = () => undefined;
		await made.publish(keyOf(made, RENEWED_KEY));
		expect(made.told).toEqual(createdIds([...made.first, ...meanwhile]));
	});

	it.each(['beginning', 'now'])(
		'is recognised in a later poll where the page that would show it fails, Start From %s',
		async (startFrom) => {
			const parameters = { events: ['charge.created'], options: { startFrom } };
			const made = await scene(history(300, NOW_MS, 10 * MINUTE_MS), {}, { parameters });
			await made.activate();
			const { length } = made.told;
			const meanwhile = [made.arrive()];
			made.list.manners.instead = ({ page }) =>
				page === 1 ? { kind: 'reply', status: 500 } : undefined;
			await made.publish({ parameters, ...keyOf(made, RENEWED_KEY) });
			await made.tick();
			delete made.list.manners.instead;
			await made.ticks(2);
			expect(made.told.slice(length)).toEqual(createdIds(meanwhile));
		},
	);

	it.each([
		[1, MINUTE_MS],
		[1, HOUR_MS],
		[20, MINUTE_MS],
	])(
		'is taken for another account’s where a page fails in %d polls, each %d ms, and what came in since is told',
		async (polls, everyMs) => {
			const made = await running({ order: 'newest first', isCounted: true });
			const other = await chargeListServer(history(300, made.clock.now(), MINUTE_MS), {
				size: capped(20),
				instead: ({ page }) => (page === 2 ? { kind: 'reply', status: 500 } : undefined),
			});
			await made.publish({ credentials: { baseUrl: other.url, apiKey: 'other-key' } });
			const fresh: Row[] = [];
			for (let poll = 1; poll <= 25; poll++) {
				made.clock.advance(SECOND_MS);
				const row = charge(made.clock.now());
				fresh.push(row);
				other.rows.unshift(row);
				if (poll >= polls) delete other.manners.instead;
				await made.tick(everyMs);
			}
			expect(made.told).toEqual(createdIds([...made.first, ...fresh]));
		},
	);

	it('is recognised in a list that is oldest first by one request', async () => {
		const parameters = { events: ['charge.created'], options: { startFrom: 'beginning' } };
		const rows = history(300, NOW_MS, 10 * MINUTE_MS).reverse();
		const made = await scene(rows, {}, { parameters });
		await made.activate();
		made.list.beforeAnswer = () => made.clock.advance(70 * SECOND_MS);
		await made.publish({ parameters, ...keyOf(made, RENEWED_KEY) });
		await made.ticks(3);
		expect(made.told).toEqual(createdIds(rows));
	});

	it('has time for the poll in a slow service, too', async () => {
		const made = await running({ order: 'newest first', isCounted: true });
		const meanwhile = made.arrive(3);
		made.list.beforeAnswer = () => made.clock.advance(25 * SECOND_MS);
		await made.publish({ ...keyOf(made, RENEWED_KEY), durable: true });
		await made.ticks(4);
		expect(made.told).toEqual(createdIds([...made.first, ...meanwhile]));
	});
});

describe('a key of another account', () => {
	it('tells nothing of what is there, and after the former key is back what came in meanwhile is told, also after a restart', async () => {
		for (const isRestarted of [false, true]) {
			const made = await running({ order: 'newest first', isCounted: true });
			const other = await chargeListServer(history(100, NOW_MS, 3 * MINUTE_MS));
			const elsewhere = { credentials: { baseUrl: other.url, apiKey: 'other-key' } };
			await made.publish(elsewhere);
			const meanwhile = [...made.arrive(3)];
			made.clock.advance(MINUTE_MS);
			const foreign = charge(made.clock.now());
			other.rows.unshift(foreign);
			await made.publish(elsewhere);
			meanwhile.push(...made.arrive(2));
			made.clock.advance(2 * DAY_MS);
			const restarted = isRestarted ? afterRestart() : {};
			await made.publish({ ...keyOf(made, 'finding-key'), ...restarted });
			await made.publish({ ...keyOf(made, 'finding-key'), ...restarted });
			expect(made.told).toEqual(createdIds([...made.first, foreign, ...meanwhile]));
		}
	});

	it('is one of a service that has begun anew, with the same IDs at other times', async () => {
		const beginning = {
			parameters: { events: ['charge.created'], options: { startFrom: 'beginning' } },
		};
		const made = await scene(history(30, NOW_MS, MINUTE_MS), {}, beginning);
		await made.activate();
		const ids = createdIds([...made.list.rows].reverse());
		expect(made.told).toEqual(ids);
		made.clock.advance(DAY_MS);
		for (const row of made.list.rows)
			row['created'] = new Date(Date.parse(row['created'] as string) + DAY_MS).toISOString();
		await made.publish({ ...beginning, ...keyOf(made, RENEWED_KEY) });
		expect(made.told).toEqual([...ids, ...ids]);
	});
});
