import type { INodeParameters, OnError } from 'n8n-workflow';

import { RESOURCES } from '../../../nodes/PaymentCollection/resources';
import type { OperationDefinition } from '../../../nodes/PaymentCollection/operation';
import { plainText } from '../../../nodes/shared/values';
import '../../support/clock';
import {
	OPERATIONS,
	friendly,
	keyOf,
	runOperation,
	uuid,
	type OperationCase,
	type OperationName,
	type OperationOptions,
} from '../../support/operations';
import '../../support/processedData';
import { messageOf, toldBy } from '../../support/refunds';
import {
	afterOthers,
	failure,
	reset,
	scriptedServer,
	type Answer,
	type RecordedRequest,
} from '../../support/servers/http-server';
import { settled } from '../../service/answering';

/** What holds for each write. A new one is tried here as soon as it has its example. */

const WRITES = RESOURCES.flatMap(({ value, operations }) =>
	Object.entries<OperationDefinition>(operations).flatMap(([operation, { write, endpoint }]) =>
		write === undefined
			? []
			: [{ name: `${value} ${operation}` as OperationName, write, endpoint }],
	),
);

const KEYS = [uuid(1), uuid(2), uuid(3)] as const;
const [, struckKey] = KEYS;
const ITEMS = KEYS.map((key) => ({ key }));

describe.each(WRITES)('$name', ({ name, write, endpoint: { method } }) => {
	const testCase: OperationCase = OPERATIONS[name];

	/** A service that answers writes for the second key so, one after another, and then as usual. */
	async function serviceWith(...answers: Answer[]) {
		const usual = friendly(testCase);
		const server = await scriptedServer(async (request, count) => {
			const isStruck = request.method !== 'GET' && keyOf(request) === struckKey;
			const next = isStruck ? answers.shift() : undefined;
			// Requests of the other items have arrived by then.
			return next === undefined ? await usual(request, count) : await afterOthers(next);
		});
		const writes = (key: string): RecordedRequest[] =>
			server.requests.filter((one) => one.method !== 'GET' && keyOf(one) === key);
		return { server, writes };
	}

	const run = async (
		server: { url: string },
		{ parameters, ...options }: Partial<OperationOptions> = {},
	) =>
		await runOperation(server, {
			...testCase,
			items: ITEMS,
			...options,
			parameters: { ...testCase.parameters, ...parameters },
		});

	it('says UNKNOWN after a lost response, and sends it again only where that does no harm', async () => {
		const { server, writes } = await serviceWith(reset());
		const lost = await run(server, { items: [{ key: struckKey }] });
		expect(messageOf(lost)).toMatch(/^UNKNOWN whether/);
		const retried = await serviceWith(reset());
		await run(retried.server, { items: [{ key: struckKey }], retryOnFail: { maxTries: 3 } });
		expect(writes(struckKey)).toHaveLength(1);
		expect(retried.writes(struckKey)).toHaveLength(method === 'POST' ? 1 : 2);
	});

	it('says NOT after a refusal, and sends it again for the next attempt', async () => {
		const { server, writes } = await serviceWith(failure(422, 'Not this one'));
		const refused = await run(server, { items: [{ key: struckKey }] });
		expect(messageOf(refused)).toMatch(/^Not this one \(.*HTTP 422\) – .*\bNOT\b/);
		const again = await run(server, { items: [{ key: struckKey }] });
		expect(again.json).toEqual([testCase.gives(struckKey)]);
		expect(writes(struckKey)).toHaveLength(2);
	});

	it('goes out again after a 429', async () => {
		const { server, writes } = await serviceWith(failure(429, 'Slow down'));
		const result = await run(server);
		expect(result.json).toEqual(KEYS.map(testCase.gives));
		expect(writes(struckKey)).toHaveLength(2);
	});

	it('is sent once for each item, however often another item makes n8n try again', async () => {
		const busy = failure(409, 'Busy');
		const { server, writes } = await serviceWith(busy, busy);
		const result = await run(server, { retryOnFail: { maxTries: 3 } });
		expect(result.json).toEqual(KEYS.map(testCase.gives));
		expect(KEYS.map((key) => writes(key).length)).toEqual([1, 3, 1]);
	});

	it.each<OnError>(['continueRegularOutput', 'continueErrorOutput'])(
		'reports each item for itself under %s',
		async (onError) => {
			const { server } = await serviceWith(failure(422, 'Not this one'));
			const result = await run(server, { onError });
			expect(toldBy(result).map(({ item, verdict }) => [item, verdict])).toEqual([
				[0, 'done'],
				[1, 'not done'],
				[2, 'done'],
			]);
		},
	);

	it('names what was done before an error, and sends nothing more', async () => {
		const { server, writes } = await serviceWith(failure(422, 'Not this one'));
		const { error } = await run(server);
		await settled(server);
		const named = (item: number, key: string): RegExp => {
			const { id, charge_id: of = id } = testCase.gives(key);
			return writes(key).length === 0
				? /Not sent: item 3\./
				: new RegExp(`item ${item}: [^;]*${plainText(of)}`);
		};
		expect(error?.description).toMatch(named(1, KEYS[0]));
		expect(error?.description).toMatch(named(3, KEYS[2]));
	});

	it('sends nothing once the execution is stopped', async () => {
		const controller = new AbortController();
		const { server } = await serviceWith();
		controller.abort();
		const result = await run(server, { signal: controller.signal });
		expect(result.status).toBe('canceled');
		await settled(server);
		expect(server.requests.filter((one) => one.method !== 'GET')).toEqual([]);
	});

	if (write.keyFields.length > 0) {
		const withKey = (idempotencyKey: string): INodeParameters => ({ options: { idempotencyKey } });

		it('is sent once for an Idempotency Key, in whatever execution', async () => {
			const { server, writes } = await serviceWith();
			const one = { items: [{ key: struckKey }], parameters: withKey('order-1') };
			expect((await run(server, one)).json).toEqual([testCase.gives(struckKey)]);
			expect(messageOf(await run(server, one))).toMatch(/“order-1” was used before/);
			expect(writes(struckKey)).toHaveLength(1);
		});
	}
});
