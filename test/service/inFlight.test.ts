import { useFakeClock } from '../support/clock';
import { afterOthers, failure, scriptedServer, type Handler } from '../support/servers/http-server';
import { getMany, getManyByRouting, listOf, shownError } from '../support/lists';
import { findSecrets } from '../support/secrets/secrets';
import { settled, always, retryAfter, after } from './answering';

describe('cancelling the execution', () => {
	/** Holds every request back from the given one on, until they are let go. */
	function held(good: Handler, from: number): { handler: Handler; letGo: () => void } {
		let letGo = (): void => undefined;
		const gate = new Promise<void>((resolve) => {
			letGo = resolve;
		});
		return {
			handler: async (request, count) => {
				if (count >= from) await gate;
				return await good(request, count);
			},
			letGo: () => letGo(),
		};
	}

	it('while requests are under way: none follows', async () => {
		const { handler, letGo } = held(listOf(5000), 2);
		const server = await scriptedServer(handler);
		const controller = new AbortController();
		const running = getMany(server.url, { signal: controller.signal, items: [{}, {}, {}] });
		await server.arrived(9);
		controller.abort();
		const sent = server.calls().length;
		letGo();
		expect((await running).status).toBe('canceled');
		await settled(server);
		expect(server.calls()).toHaveLength(sent);
	});

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'while a retry waits: none follows (%s)',
		async (onError) => {
			const clock = useFakeClock();
			clock.freeze();
			const server = await always(retryAfter(503, '30'));
			const controller = new AbortController();
			const running = getMany(server.url, {
				signal: controller.signal,
				onError,
				items: [{}, {}],
				parameters: { options: { maxConcurrency: 1 } },
			});
			await server.arrived(2);
			await settled(server);
			expect(clock.sleeps).toHaveLength(2);
			controller.abort();
			expect((await running).status).toBe('canceled');
			await settled(server);
			expect(server.calls()).toHaveLength(2);
		},
	);

	it('while items wait for their batch: none follows', async () => {
		const clock = useFakeClock();
		clock.freeze();
		const server = await scriptedServer(listOf(1));
		const controller = new AbortController();
		const running = getMany(server.url, {
			signal: controller.signal,
			items: [{}, {}, {}],
			requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 5000 } } },
		});
		await server.arrived(1);
		await settled(server);
		controller.abort();
		expect((await running).status).toBe('canceled');
		await settled(server);
		expect(server.calls()).toHaveLength(1);
	});

	it('by routing: none follows', async () => {
		const { handler, letGo } = held(listOf(5000), 2);
		const server = await scriptedServer(handler);
		const controller = new AbortController();
		const running = getManyByRouting(server.url, { signal: controller.signal });
		const ended = running.catch((error: unknown) => error);
		await server.arrived(9);
		controller.abort();
		const sent = server.calls().length;
		letGo();
		expect(findSecrets(await ended)).toEqual([]);
		await settled(server);
		expect(server.calls()).toHaveLength(sent);
	});
});

describe('requests in flight', () => {
	const slowList =
		(total: number): Handler =>
		async (request, count) =>
			await afterOthers(await listOf(total)(request, count));

	it('are at most Max Concurrency over many items', async () => {
		useFakeClock();
		const server = await scriptedServer(slowList(60));
		const result = await getMany(server.url, {
			items: Array.from({ length: 40 }, () => ({})),
			parameters: { options: { maxConcurrency: 16, pageSize: 10 } },
		});
		expect(result.json).toHaveLength(2400);
		expect(server.maxInFlight()).toBe(16);
	});

	it('are at most 8 unless set, in one list and over many items', async () => {
		useFakeClock();
		const server = await scriptedServer(slowList(100));
		await getMany(server.url, { parameters: { options: { pageSize: 5 } } });
		expect(server.maxInFlight()).toBe(8);
		server.forget();
		await getMany(server.url, { items: Array.from({ length: 30 }, () => ({})) });
		expect(server.maxInFlight()).toBe(8);
	});

	it('are bounded by routing too', async () => {
		useFakeClock();
		const server = await scriptedServer(slowList(30));
		const rows = await getManyByRouting(server.url, {
			items: Array.from({ length: 20 }, () => ({})),
			parameters: { options: { maxConcurrency: 3, pageSize: 10 } },
		});
		expect(rows).toHaveLength(600);
		expect(server.maxInFlight()).toBe(3);
	});

	it('are halved after a 429 for the rest of the run, over all items', async () => {
		useFakeClock();
		const good = listOf(600);
		let isRefused = false;
		const later: number[] = [];
		const server = await scriptedServer(async (request, count) => {
			if (request.query['page'] === '20' && !isRefused) {
				isRefused = true;
				return failure(429, 'Slow down');
			}
			if (isRefused) later.push(request.inFlight);
			return await afterOthers(await good(request, count));
		});
		const result = await getMany(server.url, {
			items: [{}, {}],
			parameters: { options: { pageSize: 10 } },
		});
		expect(result.json).toHaveLength(1200);
		// Those that were under way at the time may still be.
		expect(Math.max(...later.slice(8))).toBe(4);
	});

	it('of other items end soon when one item fails the node', async () => {
		const good = slowList(5000);
		const server = await scriptedServer(async (request, count) =>
			request.query['search'] === 'bad' ? failure(422, 'Bad') : await good(request, count),
		);
		const result = await getMany(server.url, {
			items: [{ search: 'good' }, { search: 'bad' }, { search: 'good' }],
			parameters: { filters: { search: '={{ $json.search }}' }, options: { pageSize: 10 } },
		});
		expect(shownError(result).message).toBe('Bad (code error, HTTP 422)');
		await settled(server);
		expect(server.calls().length).toBeLessThan(20);
	});
});

describe('Batching of the Request Options', () => {
	it('waits between batches of items', async () => {
		const clock = useFakeClock();
		const server = await scriptedServer(listOf(2));
		const result = await getMany(server.url, {
			items: Array.from({ length: 5 }, () => ({})),
			requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 1000 } } },
		});
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1, 2, 2, 3, 3, 4, 4].map((item) => ({ item })),
		);
		expect(clock.sleeps).toEqual([1000, 1000]);
	});
});

it('a list is read again as a whole under Retry On Fail, which does no harm', async () => {
	const server = await after(failure(500, 'Broken'));
	const result = await getMany(server.url, { retryOnFail: { maxTries: 2 } });
	expect(result.json).toHaveLength(3);
	expect(result.tries).toBe(2);
});
