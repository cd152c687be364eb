import type { IDataObject, INodeParameters } from 'n8n-workflow';
import '../../support/clock';
import { type RunResult } from '../../support/engine';
import {
	afterOthers,
	empty,
	failure,
	html,
	json,
	reset,
	scriptedServer,
	type Answer,
} from '../../support/servers/http-server';
import { envelope, runOperation, uuid } from '../../support/operations';
import { atRead, carryOut, five, lenientService, messageOf, refund } from '../../support/refunds';
import { LEAST, createLinks } from './links';

/** What the node may say of a write, and what may leave n8n, when something went wrong. */

const A = uuid(1);
const retryOnFail = { maxTries: 2 };

/** The error as the node threw it, description included. */
const thrownText = ({ thrown }: RunResult): string =>
	thrown
		.map((error) => {
			const { message, description } = error as Error & { description?: string };
			return `${message}\n${description ?? ''}`;
		})
		.join('\n');

describe('a deletion', () => {
	const remove = async (answer: Answer, ofGet: Answer) => {
		const server = await scriptedServer(({ method }) => (method === 'GET' ? ofGet : answer));
		const options = { resource: 'link', operation: 'delete', parameters: { linkId: A } };
		const result = await runOperation(server, options);
		return { result, requests: server.requests.map(({ method, path }) => `${method} ${path}`) };
	};

	it.each<[unknown]>([
		[undefined],
		[null],
		[{ deleted: true }],
		[{ deleted: 'true', id: A }],
		[{ id: A, success: true, error: null }],
	])('is believed with the body %j, without another request', async (body) => {
		const answer = body === undefined ? empty(204) : json(body);
		const { result, requests } = await remove(answer, failure(500, 'never asked'));
		expect(result.json).toEqual([{ id: A, deleted: true }]);
		expect(requests).toEqual([`DELETE /v1/links/${A}/delete`]);
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
	])('is looked at where the body is %j', async (body) => {
		const answer = typeof body === 'string' ? html(body, 200) : json(body);
		const gone = await remove(answer, failure(404, 'No such link'));
		expect(gone.result.json).toEqual([{ id: A, deleted: true }]);
		expect(gone.requests).toEqual([`DELETE /v1/links/${A}/delete`, `GET /v1/links/${A}`]);
		for (const ofGet of [json({ id: A }), failure(403, 'no'), html('<html>', 404), empty(204)]) {
			const { result } = await remove(answer, ofGet);
			expect(result.json).toEqual([]);
			expect(messageOf(result)).toMatch(/^UNKNOWN whether the link was deleted: check before/);
		}
	});
});

it.each<[unknown, RegExp]>([
	[{ status: 'failed', message: 'Link is locked' }, /\. Link is locked \(HTTP 200\)/],
	[{ ok: false, detail: 'Link is locked' }, /\. Link is locked \(HTTP 200\)/],
	[{ errors: { title: ['is taken'] } }, /\. title: is taken \(HTTP 200\)/],
	[{ id: uuid(9), status: 'rejected', message: 'Link is locked' }, /\. Link is locked/],
])('an update answered %j is no success, and says why', async (body, says) => {
	const server = await scriptedServer(() => json(body));
	const result = await runOperation(server, {
		resource: 'link',
		operation: 'update',
		parameters: { linkId: A, updateFields: { title: 'new' } },
	});
	expect(result.json).toEqual([]);
	expect(messageOf(result)).toMatch(
		/^UNKNOWN whether the link was updated: check before you retry/,
	);
	expect(messageOf(result)).toMatch(says);
});

it.each<['charge' | 'link', string]>([
	['charge', 'refund'],
	['link', 'create'],
])('a %s in doubt stays so when a later try can’t even begin: %s', async (resource, operation) => {
	const items: IDataObject[] = [{ charge: A, amount: '1.00', timeout: 1000 }];
	const server = await scriptedServer(({ method }) => {
		if (method === 'GET') {
			return json(envelope({ id: A, total: '10.00', currency: 'USD', refund_total: '0.00' }));
		}
		if (items[0] !== undefined) items[0]['proxy'] = 'no address';
		return failure(500, 'broken');
	});
	const parameters: INodeParameters =
		operation === 'refund'
			? { chargeId: { __rl: true, mode: 'id', value: A }, amount: '1.00' }
			: LEAST;
	const result = await runOperation(server, {
		resource,
		operation,
		parameters: { ...parameters, requestOptions: { proxy: '={{ $json.proxy ?? "" }}' } },
		items,
		retryOnFail,
	});
	expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	const { message, description } = result.thrown.at(-1) as Error & { description?: string };
	expect(message).toMatch(/^UNKNOWN whether/);
	expect(description).toMatch(/About the latest attempt only: 'Request Options → Proxy' must be/);
});

describe('Items per Batch', () => {
	const thirty = async (server: { url: string }, batchSize: unknown) =>
		await createLinks(
			server,
			Array.from({ length: 30 }, (_, number) => `link ${number}`),
			{
				requestOptions: { batching: { batch: { batchSize, batchInterval: 0 } } } as INodeParameters,
				onError: 'continueRegularOutput',
			},
		);

	it.each<[batchSize: unknown, most: number]>([
		[1, 1],
		['={{ "1" }}', 1],
		[0, 1],
		[3, 3],
		[50, 8],
		[-1, 8],
	])('of %j: so many links at most are sent at the same time: %i', async (batchSize, most) => {
		const server = await scriptedServer(
			async (_request, count) => await afterOthers(json({ id: uuid(count) }, 201)),
		);
		const { json: records } = await thirty(server, batchSize);
		expect(records.filter(({ id }) => id !== undefined)).toHaveLength(30);
		expect(server.maxInFlight()).toBe(most);
	});

	it.each(['={{ "two" }}', 1.5])('of %j is refused, and nothing is sent', async (batchSize) => {
		const server = await scriptedServer(() => json({ id: uuid(1) }, 201));
		const result = await thirty(server, batchSize);
		expect(messageOf(result)).toMatch(/^'Request Options → Batching → Items per Batch' is /);
		expect(server.requests).toEqual([]);
	});

	it('is named where a service fails, as it may when several links are written at once', async () => {
		const server = await scriptedServer(() => failure(500, 'database is locked'));
		const { json: records } = await thirty(server, 8);
		expect(records).toHaveLength(30);
		for (const { error, details } of records) {
			expect(error).toMatch(/^UNKNOWN .* database is locked/);
			expect(details).toMatchObject({
				description: expect.stringMatching(
					/set 'Request Options → Batching → Items per Batch' to 1/,
				) as string,
			});
		}
	});
});

describe('Retry On Fail', () => {
	const titleOf = (body: unknown): string => String(Reflect.get(body as object, 'title'));

	it('names in the last error what earlier tries created and left in doubt, and what was never sent', async () => {
		const server = await scriptedServer(async ({ body }) => {
			const number = Number(titleOf(body));
			// The first items are still under way when the second one is refused.
			if (number === 1) return failure(400, 'never');
			return await afterOthers(
				number === 2 ? failure(500, 'broken') : json({ id: uuid(number) }, 201),
			);
		});
		const titles = Array.from({ length: 40 }, (_, number) => String(number));
		const result = await createLinks(server, titles, { retryOnFail: { maxTries: 3 } });
		const last = thrownText({ ...result, thrown: result.thrown.slice(-1) });
		expect(thrownText({ ...result, thrown: result.thrown.slice(0, 1) })).toMatch(
			/never .* – the link was NOT created by this request/,
		);
		const created = server.requests
			.map(({ body }) => Number(titleOf(body)))
			.filter((number) => ![1, 2].includes(number));
		expect(created.length).toBeGreaterThan(1);
		for (const number of created)
			expect(last).toContain(`item ${number + 1}: link ${uuid(number)} created`);
		expect(last).toMatch(/UNKNOWN whether the link was created.*broken/);
		// In the last try, the third item's failure is known before the second one could leave.
		expect(last).toMatch(/Not sent: items 2, \d+ to 40\./);
		expect(new Set(created).size).toBe(created.length);
	});

	it('gives the link that an earlier try created, though its values can’t be sent any more', async () => {
		const items: IDataObject[] = [{ title: 'a' }, { title: 'b' }];
		let isRefused = false;
		const server = await scriptedServer(({ body }) => {
			if (titleOf(body) === 'a') {
				if (items[0] !== undefined) items[0]['title'] = 'x'.repeat(51);
				return json({ id: uuid(1) }, 201);
			}
			isRefused = !isRefused;
			return isRefused ? failure(409, 'busy') : json({ id: uuid(2) }, 201);
		});
		const result = await createLinks(server, [], { items, retryOnFail });
		expect(result.json).toMatchObject([{ id: uuid(1) }, { id: uuid(2) }]);
	});

	it('gives it whole, where it can no longer be said whether it is to be simplified', async () => {
		const items: IDataObject[] = [
			{ title: 'a', simplify: true },
			{ title: 'b', simplify: true },
		];
		let tries = 0;
		const server = await scriptedServer(({ body }) => {
			if (titleOf(body) === 'a') return json({ id: uuid(1), tax: '0.00' }, 201);
			Object.assign(items[0] ?? {}, { simplify: 'perhaps' });
			return tries++ === 0 ? failure(409, 'busy') : json({ id: uuid(2), tax: '0.00' }, 201);
		});
		const additionalFields = { title: '={{ $json.title }}' };
		const simplify = '={{ $json.simplify }}';
		const parameters = { ...LEAST, additionalFields, simplify };
		const result = await createLinks(server, [], { items, retryOnFail, parameters });
		expect(result.error).toBeUndefined();
		expect(result.json).toEqual([
			{ id: uuid(1), tax: '0.00' },
			expect.objectContaining({ id: uuid(2), url: null }),
		]);
		expect(server.requests).toHaveLength(3);
	});

	it('says that a link is in doubt, though its values can’t be sent any more', async () => {
		const items: IDataObject[] = [{ title: 'a' }];
		const server = await scriptedServer(() => {
			if (items[0] !== undefined) items[0]['title'] = 'x'.repeat(51);
			return failure(500, 'broken');
		});
		const result = await createLinks(server, [], { items, retryOnFail });
		expect(messageOf(result)).toMatch(/^UNKNOWN whether the link was created.*broken/);
		expect(server.requests).toHaveLength(1);
	});

	it.each<[operation: string, answer: string, refusal: Answer, says: RegExp]>([
		['update', '409', failure(409, 'no'), /^UNKNOWN whether the link was updated/],
		['delete', '409', failure(409, 'no'), /^UNKNOWN whether the link was deleted/],
		['delete', '404', failure(404, 'no'), /^$/],
		['delete', '410', failure(410, 'no'), /^$/],
		['delete', 'a proxy’s 404', html('<html>', 404), /^UNKNOWN whether the link was deleted/],
	])(
		'of a lost %s that is sent again, %s says nothing, unless the link is gone',
		async (operation, _answer, refusal, says) => {
			let tries = 0;
			const server = await scriptedServer(() => (tries++ === 0 ? reset() : refusal));
			const result = await runOperation(server, {
				resource: 'link',
				operation,
				parameters: {
					linkId: A,
					...(operation === 'update' ? { updateFields: { title: 'new' } } : {}),
				},
				retryOnFail,
			});
			expect(messageOf(result)).toMatch(says);
			expect(result.json).toEqual(messageOf(result) === '' ? [{ id: A, deleted: true }] : []);
			expect(thrownText(result)).not.toMatch(/Nothing was changed/);
			expect(server.requests).toHaveLength(2);
		},
	);

	it('reads the charge again for a refund in doubt, though its values can’t be sent any more', async () => {
		const service = await lenientService({ [A]: 1000 }, [{ answer: reset(), executed: false }]);
		const items = [five(A)];
		atRead(service, 2, () => {
			items[0] = Object.assign(items[0] ?? {}, { amount: 'broken' });
			atRead(service, 2, () => carryOut(service, A, 500));
		});
		const result = await refund(service, items, { retryOnFail });
		expect(result.json).toMatchObject([{ amount: '5.00', refund_total: '5.00' }]);
		expect(service.posts()).toHaveLength(1);
	});
});
