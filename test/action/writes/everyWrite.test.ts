import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { MAX_AGE_MS } from '../../../nodes/PaymentCollection/writes/sentWrites';
import { clock as nodesClock } from '../../../nodes/shared/clock';
import { plainText } from '../../../nodes/shared/values';
import { clock } from '../../support/clock';
import { friendly, keyOf, runExample, uuid, type OperationOptions } from '../../support/operations';
import { processedData } from '../../support/processedData';
import { descriptionOf, messageOf, reportedBy } from '../../support/refunds';
import {
	afterOthers,
	failure,
	reset,
	scriptedServer,
	type Answer,
	type RecordedRequest,
} from '../../support/servers/http-server';
import { WRITES } from '../../support/writeMatrix';

/** Tests of each write, also of a new one with an example. faults.matrix.test.ts tries every response to them. */

const KEYS = [uuid(1), uuid(2), uuid(3)] as const;
const [firstKey, struckKey] = KEYS;
const ITEMS = KEYS.map((key) => ({ key }));
/** Too long for a title, and no ID. */
const REFUSED_KEY = 'x'.repeat(51);

describe.each(WRITES)('$name', ({ example, method, movesMoney, keyFields }) => {
	/** An Idempotency Key for each item, if the write takes one. */
	const withKey: INodeParameters =
		keyFields.length > 0 ? { options: { idempotencyKey: '={{ $json.key }}' } } : {};

	/** A service with these responses to writes for the second key. The others succeed. */
	async function serviceWith(...answers: Array<() => Answer>) {
		const usual = friendly(example);
		const server = await scriptedServer(async (request, count) => {
			const isStruck = request.method !== 'GET' && keyOf(request) === struckKey;
			const next = isStruck ? answers.shift() : undefined;
			if (next === undefined) return await usual(request, count);
			const answer = next();
			// Lets the requests of other items arrive first.
			return await afterOthers(answer);
		});
		const writes = (key: string): RecordedRequest[] =>
			server.requests.filter((one) => one.method !== 'GET' && keyOf(one) === key);
		return { server, writes, counts: () => KEYS.map((key) => writes(key).length) };
	}

	const run = async (server: { url: string }, options: Partial<OperationOptions> = {}) =>
		await runExample(server, example, { items: ITEMS, ...options });

	const refused = (): Answer => failure(422, 'Not this one');
	const busy = (): Answer => failure(409, 'Busy');

	it('reports UNKNOWN after a lost response, and is only sent again if that does no harm', async () => {
		const { server, writes } = await serviceWith(reset);
		const items = [{ key: struckKey }];
		expect(messageOf(await run(server, { items }))).toMatch(/^UNKNOWN whether/);
		const retried = await serviceWith(reset);
		await run(retried.server, { items, retryOnFail: { maxTries: 3 } });
		expect(writes(struckKey)).toHaveLength(1);
		expect(retried.writes(struckKey)).toHaveLength(method === 'POST' ? 1 : 2);
	});

	it('reports NOT after a refusal, and is sent again by the next attempt', async () => {
		const { server, writes } = await serviceWith(refused);
		const items = [{ key: struckKey }];
		expect(messageOf(await run(server, { items }))).toMatch(
			/^Not this one \(.*HTTP 422\) – .*\bNOT\b/,
		);
		expect((await run(server, { items })).json).toEqual([example.gives(struckKey)]);
		expect(writes(struckKey)).toHaveLength(2);
	});

	it('is sent again after a 429', async () => {
		const { server, counts } = await serviceWith(() => failure(429, 'Slow down'));
		expect((await run(server)).json).toEqual(KEYS.map(example.gives));
		expect(counts()).toEqual([1, 2, 1]);
	});

	it.each<[maxTries: number, parameters: INodeParameters]>([
		[2, {}],
		[3, withKey],
		[5, withKey],
	])(
		'is sent once for each item if another one fails in all but the last of %i attempts: %j',
		async (maxTries, parameters) => {
			// More items than parallel requests, before and after the failing one.
			const keys = Array.from({ length: 40 }, (_, item) => uuid((item + 22) % 40));
			const { server, writes } = await serviceWith(
				...Array.from({ length: maxTries - 1 }, () => busy),
			);
			const items = keys.map((key) => ({ key }));
			const result = await run(server, { items, parameters, retryOnFail: { maxTries } });
			expect(result.items).toEqual(
				keys.map((key, item) => ({ json: example.gives(key), pairedItem: { item } })),
			);
			expect(keys.map((key) => writes(key).length)).toEqual(
				keys.map((key) => (key === struckKey ? maxTries : 1)),
			);
		},
	);

	it.each<OnError>(['continueRegularOutput', 'continueErrorOutput'])(
		'reports each item separately with %s',
		async (onError) => {
			const { server } = await serviceWith(refused);
			const outcomes = reportedBy(await run(server, { onError }));
			expect(outcomes.map(({ item, verdict }) => [item, verdict])).toEqual([
				[0, 'done'],
				[1, 'not done'],
				[2, 'done'],
			]);
		},
	);

	it.each([REFUSED_KEY, uuid(9)])(
		'returns the result of an earlier attempt, also if its values have changed: %s',
		async (key) => {
			const items: IDataObject[] = [{ key: firstKey, simplify: true }, { key: struckKey }];
			const { server, counts, writes } = await serviceWith(() => {
				// An invalid Simplify leaves the record whole.
				Object.assign(items[0] ?? {}, { key, simplify: 'perhaps' });
				return busy();
			});
			const parameters = { simplify: '={{ $json.simplify ?? false }}' };
			const result = await run(server, { items, parameters, retryOnFail: { maxTries: 2 } });
			expect(result.json).toEqual([firstKey, struckKey].map(example.gives));
			expect(counts()).toEqual([1, 2, 0]);
			expect(writes(uuid(9))).toEqual([]);
		},
	);

	it.each([
		['key', REFUSED_KEY],
		['proxy', 'no address'],
	])('stays in doubt if a later attempt can’t begin: %s', async (name, value) => {
		const items: IDataObject[] = [{ key: struckKey }];
		const { server, counts } = await serviceWith(() => {
			Object.assign(items[0] ?? {}, { [name]: value });
			return failure(500, 'broken');
		});
		const requestOptions = { proxy: '={{ $json.proxy ?? "" }}' };
		const result = await run(server, { items, requestOptions, retryOnFail: { maxTries: 2 } });
		expect(messageOf(result)).toMatch(/^UNKNOWN whether .*broken/);
		expect(result.tries).toBe(2);
		expect(counts()).toEqual([0, 1, 0]);
		if (name === 'proxy') {
			expect(descriptionOf(result)).toMatch(
				/About the latest attempt only: 'Request Options → Proxy' must be/,
			);
		}
	});

	it('is sent again if a loop runs the node again', async () => {
		const { server, counts } = await serviceWith(busy);
		const result = await run(server, { times: 3, retryOnFail: { maxTries: 2 } });
		expect(result.status).toBe('success');
		expect(counts()).toEqual([3, 4, 3]);
	});

	it.each([
		['', [2, 3, 2]],
		// A queue can restart an execution.
		['same', [1, 2, 1]],
	])('is sent again only by an execution with another ID: %j', async (executionId, sent) => {
		const { server, writes, counts } = await serviceWith(busy);
		const options = { executionId, retryOnFail: { maxTries: 2 } };
		await run(server, options);
		await run(server, options);
		expect(counts()).toEqual(sent);
		await run(server, { ...options, items: [{ key: uuid(9) }] });
		expect(writes(uuid(9))).toHaveLength(1);
		// Nothing is stored without an Idempotency Key.
		expect(processedData.lists.size).toBe(0);
	});

	it('names what was done before an error, and then sends nothing', async () => {
		const { server, writes, counts } = await serviceWith(refused);
		const { error } = await run(server);
		await server.settled();
		// Refunds run one after another.
		if (movesMoney) expect(counts()).toEqual([1, 1, 0]);
		const named = (item: number, key: string): RegExp => {
			const { id, charge_id: of = id } = example.gives(key);
			return writes(key).length === 0
				? /Not sent: item 3\./
				: new RegExp(`item ${item}: [^;]*${plainText(of)}`);
		};
		expect(error?.description).toMatch(named(1, KEYS[0]));
		expect(error?.description).toMatch(named(3, KEYS[2]));
	});

	it('sends no other item once the execution is stopped', async () => {
		const controller = new AbortController();
		const { server, counts } = await serviceWith(() => {
			controller.abort();
			return refused();
		});
		const result = await run(server, {
			signal: controller.signal,
			// Otherwise, the failed item would end the run.
			onError: 'continueRegularOutput',
			requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 0 } } },
		});
		expect(result.status).toBe('canceled');
		await server.settled();
		expect(counts()).toEqual([1, 1, 0]);
	});

	if (method === 'POST') {
		it('is not sent again if a run takes longer than results are stored', async () => {
			const { server, counts } = await serviceWith(() => {
				clock.advance(MAX_AGE_MS + 1);
				return busy();
			});
			const result = await run(server, { retryOnFail: { maxTries: 2 } });
			expect(messageOf(result)).toMatch(/^UNKNOWN whether.*its result is no longer stored/);
			expect(counts()[0]).toBe(1);
		});

		it('is not sent again if the node itself failed on its response', async () => {
			const { server, counts } = await serviceWith(() => {
				jest.spyOn(nodesClock, 'now').mockImplementationOnce(() => {
					throw new Error('A mistake in the node');
				});
				const later = 'Wed, 15 Jan 2025 12:00:09 GMT';
				return failure(500, 'broken', 'odd', { 'retry-after': later });
			});
			const items = [{ key: struckKey }];
			const result = await run(server, { items, retryOnFail: { maxTries: 2 } });
			expect(result.thrown.map(String)).toEqual([
				'Error: A mistake in the node',
				expect.stringContaining('UNKNOWN whether'),
			]);
			expect(counts()).toEqual([0, 1, 0]);
		});
	}

	// Refunds run one after another, so earlier ones are already done.
	if (!movesMoney) {
		it.each(keyFields.length > 0 ? [{}, withKey] : [{}])(
			'is sent for no item if one of them is refused: %j',
			async (parameters) => {
				const { server } = await serviceWith();
				const items = Array.from({ length: 20 }, (_, number) => ({ key: uuid(number) }));
				const bad = items.map((item, number) => (number === 3 ? { key: REFUSED_KEY } : item));
				const { error } = await run(server, { parameters, items: bad });
				expect(error?.description).toMatch(/^Item 4 of 20: .*Not sent: items 1 to 3, 5 to 20/);
				expect(server.calls()).toEqual([]);
				// Nothing counts as sent, so a corrected run sends all of them.
				expect(processedData.keys()).toEqual([]);
				expect((await run(server, { parameters, items })).error).toBeUndefined();
				expect(server.calls()).toHaveLength(20);
			},
		);
	}
});
