import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { DEFAULT_CONCURRENCY } from '../../../nodes/shared/service/requestLimiter';
import '../../support/clock';
import type { RunResult } from '../../support/engine';
import {
	afterOthers,
	empty,
	failure,
	hang,
	html,
	json,
	reset,
	scriptedServer,
	type Answer,
	type ScriptedServer,
} from '../../support/servers/http-server';
import { OPERATIONS, runExample, uuid, type OperationOptions } from '../../support/operations';
import {
	atRead,
	carryOut,
	descriptionOf,
	refundOf,
	lenientService,
	messageOf,
	refund,
	verdicts,
} from '../../support/refunds';

/** Outcomes that differ between writes, and reports about many links. Others are in everyWrite.test.ts. */

const A = uuid(1);

const createLinks = async (
	server: { url: string },
	titles: string[],
	options: Partial<OperationOptions> = {},
): Promise<RunResult> =>
	await runExample(server, OPERATIONS['link create'], {
		items: titles.map((key) => ({ key })),
		...options,
	});

const numbersUpTo = (count: number): string[] =>
	Array.from({ length: count }, (_, number) => String(number));

const titleOf = (body: unknown): string => String(Reflect.get(body as object, 'title'));

describe('a deletion', () => {
	const DELETION = `DELETE /v1/links/${A}/delete`;
	const remove = async (body: unknown, ofGet: Answer) => {
		const answer = typeof body === 'string' ? html(body, 200) : json(body);
		const server = await scriptedServer(({ method }) =>
			method === 'GET' ? ofGet : body === undefined ? empty() : answer,
		);
		const result = await runExample(server, OPERATIONS['link delete']);
		return { ...result, requests: server.requests.map(({ method, path }) => `${method} ${path}`) };
	};

	it.each<[unknown]>([
		[undefined],
		[null],
		[{ deleted: true }],
		[{ deleted: 'true', id: A }],
		[{ id: A, success: true, error: null }],
	])('succeeds with the body %j, without another request', async (body) => {
		const { json: records, requests } = await remove(body, failure(500, 'never asked'));
		expect([records, requests]).toEqual([[{ id: A, deleted: true }], [DELETION]]);
	});

	it.each<[unknown]>([
		[{ id: A, title: 'Spring' }],
		[{ deleted: false }],
		[{ deleted: false, success: true }],
		[{ success: false }],
		[{ error: 'refused' }],
		[[{ id: A }]],
		[{}],
		[{ message: 'Deleted' }],
		[{ status: 'failed', message: 'Link is in use' }],
		['OK'],
	])('is checked by reading the link after the body %j', async (body) => {
		const gone = await remove(body, failure(404, 'No such link'));
		expect(gone.json).toEqual([{ id: A, deleted: true }]);
		expect(gone.requests).toEqual([DELETION, `GET /v1/links/${A}`]);
		for (const ofGet of [json({ id: A }), failure(403, 'no'), html('<html>', 404), empty(204)]) {
			const result = await remove(body, ofGet);
			expect(result.json).toEqual([]);
			expect(messageOf(result)).toMatch(/^UNKNOWN whether the link was deleted: check before/);
		}
	});
});

it.each<[name: 'link update' | 'link delete', answer: string, refusal: Answer, says: RegExp]>([
	['link update', '409', failure(409, 'no'), /^UNKNOWN whether the link was updated/],
	['link delete', '409', failure(409, 'no'), /^UNKNOWN whether the link was deleted/],
	['link delete', '404', failure(404, 'no'), /^$/],
	['link delete', '410', failure(410, 'no'), /^$/],
	['link delete', 'a proxy’s 404', html('', 404), /^UNKNOWN whether the link was deleted/],
])(
	'a lost %s that is sent again and refused with %s stays in doubt, unless the link is gone',
	async (name, _answer, refusal, says) => {
		const server = await scriptedServer((_request, count) => (count === 1 ? reset() : refusal));
		const result = await runExample(server, OPERATIONS[name], { retryOnFail: { maxTries: 2 } });
		expect(messageOf(result)).toMatch(says);
		expect(result.json).toEqual(messageOf(result) === '' ? [{ id: A, deleted: true }] : []);
		const said = result.thrown.map((one) => descriptionOf({ ...result, thrown: [one] }));
		expect(`${messageOf(result)} ${said.join()}`).not.toMatch(/Nothing was changed/);
		expect(server.requests).toHaveLength(2);
	},
);

describe('Items per Batch', () => {
	const createWith = async (server: { url: string }, batchSize: unknown) =>
		await createLinks(server, numbersUpTo(30), {
			requestOptions: { batching: { batch: { batchSize, batchInterval: 0 } } } as INodeParameters,
			onError: 'continueRegularOutput',
		});

	it.each<[batchSize: unknown, most: number]>([
		[1, 1],
		['={{ "1" }}', 1],
		[0, 1],
		[3, 3],
		[50, 8],
		[-1, 8],
	])('of %j sends at most this number of links in parallel: %i', async (batchSize, most) => {
		const server = await scriptedServer(
			async (_request, count) => await afterOthers(json({ id: uuid(count) }, 201)),
		);
		const { json: records } = await createWith(server, batchSize);
		expect(records.filter(({ id }) => id !== undefined)).toHaveLength(30);
		expect(server.maxInFlight()).toBe(most);
	});

	it.each(['={{ "two" }}', 1.5])('of %j is refused, and nothing is sent', async (batchSize) => {
		const server = await scriptedServer(() => json({ id: uuid(1) }, 201));
		const result = await createWith(server, batchSize);
		expect(messageOf(result)).toMatch(/^'Request Options → Batching → Items per Batch' is /);
		expect(server.requests).toEqual([]);
	});

	it('is named in the error of a service that may not handle parallel writes', async () => {
		const server = await scriptedServer(() => failure(500, 'database is locked'));
		const { json: records } = await createWith(server, 8);
		const description = expect.stringContaining(
			"set 'Request Options → Batching → Items per Batch' to 1",
		) as string;
		const error = expect.stringMatching(/^UNKNOWN .* database is locked/) as string;
		const details = expect.objectContaining({ description }) as IDataObject;
		expect(records).toEqual(Array.from({ length: 30 }, () => ({ error, details })));
	});
});

it('the last error names what earlier attempts created and left in doubt, and what was never sent', async () => {
	const server = await scriptedServer(async ({ body }) => {
		const number = Number(titleOf(body));
		// The first items are still in progress when the second one is refused.
		if (number === 1) return failure(400, 'never');
		return await afterOthers(
			number === 2 ? failure(500, 'broken') : json({ id: uuid(number) }, 201),
		);
	});
	const result = await createLinks(server, numbersUpTo(40), { retryOnFail: { maxTries: 3 } });
	expect(String(result.thrown[0])).toMatch(/never .* – the link was NOT created by this request/);
	const created = server.requests
		.map(({ body }) => Number(titleOf(body)))
		.filter((number) => ![1, 2].includes(number));
	expect(created.length).toBeGreaterThan(1);
	expect(new Set(created).size).toBe(created.length);
	const last = `${messageOf(result)} ${descriptionOf(result)}`;
	for (const number of created)
		expect(last).toContain(`item ${number + 1}: link ${uuid(number)} created`);
	expect(last).toMatch(/UNKNOWN whether the link was created.*broken/);
	// The last attempt knows the failure of the third item before it could send the second one.
	expect(last).toMatch(/Not sent: items 2, \d+ to 40\./);
});

it('a link that got a 429 before another item failed is sent by the next attempt', async () => {
	const server = await scriptedServer(async (_request, count) => {
		if (count === 1) return failure(429, 'slow');
		// The first one waits for its second attempt by then.
		return count === 2 ? await afterOthers(failure(400, 'no')) : json({ id: uuid(count) }, 201);
	});
	const result = await createLinks(server, ['one', 'other'], { retryOnFail: { maxTries: 2 } });
	expect(result.error).toBeUndefined();
	expect(result.json).toHaveLength(2);
	expect(server.calls()).toHaveLength(4);
});

describe('an execution that is stopped', () => {
	/** @returns what was logged */
	async function stopped(
		server: ScriptedServer,
		arrived: number,
		start: (signal: AbortSignal) => Promise<RunResult>,
	): Promise<string> {
		const controller = new AbortController();
		const running = start(controller.signal);
		await server.arrived(arrived);
		controller.abort();
		const { status, logs } = await running;
		expect(status).toBe('canceled');
		await server.settled();
		return logs.map(({ message }) => message).join();
	}

	it('sends nothing else, and logs what was created and what is in doubt', async () => {
		const server = await scriptedServer(async (_request, count) => {
			const answer = json({ id: uuid(count) }, 201);
			return count > 4 ? await afterOthers(answer) : answer;
		});
		const logged = await stopped(
			server,
			12,
			async (signal) => await createLinks(server, numbersUpTo(40), { signal }),
		);
		// Requests that had left n8n by then can still arrive.
		expect(server.requests.length).toBeLessThan(12 + DEFAULT_CONCURRENCY);
		expect(logged).toMatch(
			/node “Tested Node”: The execution was stopped\. Done: item \d+: link \S+ created; .*In doubt: item \d+: UNKNOWN/,
		);
		expect(logged).toMatch(/The connection to the service broke \(execution stopped\)/);
	});

	it('logs a refund in progress as in doubt, and holds its charge', async () => {
		const service = await lenientService({ [A]: 1000 }, [{ answer: hang(), executed: false }]);
		const logged = await stopped(
			service,
			2,
			async (signal) => await refund(service, [refundOf(A), refundOf(A)], { signal }),
		);
		expect(service.requests).toHaveLength(2);
		expect(logged).toMatch(/stopped\. In doubt: item 1: UNKNOWN whether charge \S+ was refunded/);
		expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['not done']);
	});
});

it('the charge of a refund in doubt is read again, also if its values are invalid by then', async () => {
	const service = await lenientService({ [A]: 1000 }, [{ answer: reset(), executed: false }]);
	const items = [refundOf(A)];
	atRead(service, 2, () => {
		items[0] = Object.assign(items[0] ?? {}, { amount: 'broken' });
		atRead(service, 2, () => carryOut(service, A, 500));
	});
	const result = await refund(service, items, { retryOnFail: { maxTries: 2 } });
	expect(result.json).toMatchObject([{ amount: '5.00', refund_total: '5.00' }]);
	expect(service.posts()).toHaveLength(1);
});
