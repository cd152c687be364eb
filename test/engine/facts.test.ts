import { NodeApiError } from 'n8n-workflow';
import { runAsTool, runNode, runRouting, type RunOptions } from '../support/engine';
import {
	empty,
	failure,
	json,
	redirect,
	scriptedServer,
	type Handler,
} from '../support/servers/http-server';
import { probe, probeOn } from '../support/probe';
import { findSecrets } from '../support/secrets/secrets';

const THREE_ITEMS = [{ path: '/1' }, { path: '/2' }, { path: '/3' }];
const PARAMETERS = { method: 'POST', path: '={{ $json.path }}' };

const post = async (server: { url: string }, options: Partial<RunOptions> = {}) =>
	await runNode({ ...probeOn(server.url), parameters: PARAMETERS, items: THREE_ITEMS, ...options });

const failingSecond: Handler = ({ path }) => (path === '/2' ? failure(500, 'no') : json({ path }));

describe('the engine facts that the design rests on (docs/n8n-engine.md)', () => {
	it('requests all items at once', async () => {
		const server = await scriptedServer(async () => {
			await server.arrived(THREE_ITEMS.length);
			return json({});
		});
		await post(server);
		expect(server.maxInFlight()).toBe(3);
	});

	it('one failing item fails the node, after all requests were sent', async () => {
		const server = await scriptedServer(failingSecond);
		const result = await post(server);
		expect(result.status).toBe('error');
		expect(result.items).toEqual([]);
		expect(result.error).toMatchObject({ name: 'NodeApiError', httpCode: '500' });
		expect(server.calls()).toHaveLength(3);
	});

	it('"Retry On Fail" sends every item again', async () => {
		let isDown = true;
		const server = await scriptedServer(({ path }) => {
			if (path !== '/2' || !isDown) return json({ path });
			isDown = false;
			return failure(503, 'later');
		});
		const result = await post(server, { retryOnFail: { maxTries: 2 } });
		expect(result.status).toBe('success');
		expect(result.tries).toBe(2);
		expect(result.thrown).toEqual([expect.any(NodeApiError)]);
		expect(server.calls()).toHaveLength(6);
	});

	it('a request answered 401 is sent twice, a POST included', async () => {
		const server = await scriptedServer(() => failure(401, 'who?'));
		const result = await post(server, { items: [{}] });
		expect(result.error).toMatchObject({ httpCode: '401' });
		expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
	});

	it('a redirect sends the API key to another host', async () => {
		const other = await scriptedServer(() => json({ stolen: true }));
		const server = await scriptedServer(() => redirect(`${other.url}/elsewhere`, 307));
		await post(server, { items: [{}] });
		expect(other.calls()).toEqual(['POST /elsewhere']);
		expect(findSecrets(other.requests)).toEqual([
			{ path: 'value[0].headers["x-api-key"]', secret: 'apiKey' },
		]);
	});

	it('the engine links items when their numbers are equal', async () => {
		const server = await scriptedServer(({ path }) => json({ path }));
		const result = await post(server, { readAfter: "={{ $('Input').item.json.path }}" });
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(result.after).toEqual(['/1', '/2', '/3']);
	});

	it('with "continue (error output)" a failed item has no link of its own', async () => {
		const server = await scriptedServer(failingSecond);
		const result = await post(server, { onError: 'continueErrorOutput' });
		expect(result.status).toBe('success');
		expect(result.json).toEqual([{ path: '/1' }, { path: '/3' }]);
		expect(result.errorItems).toHaveLength(1);
		expect(result.errorItems[0]?.pairedItem).toBeUndefined();
		expect(result.errorItems[0]?.json).toEqual({ error: expect.any(String) as string });
		expect(result.errorItems[0]?.error).toBeInstanceOf(NodeApiError);
	});

	it('an empty response becomes an item whose JSON is an empty text', async () => {
		const server = await scriptedServer(() => empty(204));
		const result = await runNode(probeOn(server.url));
		expect(result.items).toMatchObject([{ json: '' }]);
	});

	it('a custom operation replaces the routing, but not when the node is a tool', async () => {
		const server = await scriptedServer(() => json({ from: 'routing' }));
		const options = {
			...probeOn(server.url),
			nodeType: probe({ thing: { send: async () => [[{ json: { from: 'handler' } }]] } }),
		};
		expect((await runNode(options)).json).toEqual([{ from: 'handler' }]);
		expect(await runRouting(options)).toEqual([[{ json: { from: 'routing' } }]]);
		expect(await runAsTool(options)).toMatchObject([{ answer: '[{"from":"routing"}]' }]);
	});
});
