import type { INodeParameters } from 'n8n-workflow';
import { clock } from '../support/clock';
import { afterOthers, failure, scriptedServer, type Handler } from '../support/servers/http-server';
import { getMany, getManyByRouting, listOf, shownError } from '../support/lists';
import { findSecrets } from '../support/secrets/secrets';

describe('cancelling the execution', () => {
	it.each([
		['of all items', getMany, { items: [{}, {}, {}] }],
		['by routing', getManyByRouting, {}],
	])('while requests are in progress %s sends no more', async (_how, run, options) => {
		const good = listOf(5000);
		let letGo = (): void => undefined;
		const gate = new Promise<void>((resolve) => {
			letGo = resolve;
		});
		const server = await scriptedServer(async (request, count) => {
			if (count > 1) await gate;
			return await good(request, count);
		});
		const controller = new AbortController();
		const running: Promise<object> = run(server.url, { ...options, signal: controller.signal });
		const ended = running.catch((error: unknown) => error);
		await server.arrived(9);
		controller.abort();
		const sent = server.calls().length;
		letGo();
		expect(findSecrets(await ended)).toEqual([]);
		await server.settled();
		expect(server.calls()).toHaveLength(sent);
	});

	const batching = { batch: { batchSize: 1, batchInterval: 5000 } };
	const retrying = [() => failure(503, 'Later', 'busy', { 'retry-after': '30' }), 2] as const;

	it.each<[string, Handler, number, Parameters<typeof getMany>[1]]>([
		['retries', ...retrying, { onError: 'stopWorkflow' }],
		['retries under Continue', ...retrying, { onError: 'continueRegularOutput' }],
		['items that a batch holds back', listOf(1), 1, { requestOptions: { batching } }],
	])('during %s sends no more', async (_what, handler, sent, options) => {
		clock.freeze();
		const server = await scriptedServer(handler);
		const controller = new AbortController();
		const { signal } = controller;
		const running = getMany(server.url, { signal, items: [{}, {}], ...options });
		await server.arrived(sent);
		await server.settled();
		controller.abort();
		expect((await running).status).toBe('canceled');
		await server.settled();
		expect(server.calls()).toHaveLength(sent);
	});
});

describe('requests in flight', () => {
	const slowList =
		(total: number): Handler =>
		async (request, count) =>
			await afterOthers(await listOf(total)(request, count));

	const many = { items: Array.from({ length: 20 }, () => ({})) };
	const optionsOf = (options: INodeParameters) => ({ parameters: { options } });

	const upTo = (maxConcurrency: number) => ({ maxConcurrency, pageSize: 10 });

	it.each([
		['Max Parallel Requests over many items', 16, getMany, upTo(16), many],
		['Max Parallel Requests by routing', 3, getManyByRouting, upTo(3), many],
		['8 unless set, in one list', 8, getMany, { pageSize: 3 }, {}],
		['8 unless set, over many items', 8, getMany, {}, many],
	])('are at most %s: %i', async (_what, most, run, options, items) => {
		const server = await scriptedServer(slowList(60));
		await run(server.url, { ...optionsOf(options), ...items });
		expect(server.maxInFlight()).toBe(most);
	});

	it('are halved after a 429 for the rest of the run, over all items', async () => {
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
		// Earlier requests can still be in flight.
		expect(Math.max(...later.slice(8))).toBe(4);
	});

	it('of other items end soon if one item fails the node', async () => {
		const good = slowList(5000);
		const server = await scriptedServer(async (request, count) =>
			request.query['search'] === 'bad' ? failure(422, 'Bad') : await good(request, count),
		);
		const result = await getMany(server.url, {
			items: [{ search: 'good' }, { search: 'bad' }, { search: 'good' }],
			parameters: { filters: { search: '={{ $json.search }}' }, options: { pageSize: 10 } },
		});
		expect(shownError(result).message).toBe('Bad (code error, HTTP 422)');
		await server.settled();
		expect(server.calls().length).toBeLessThan(20);
	});
});

it('Batching of the Request Options waits between batches of items', async () => {
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
