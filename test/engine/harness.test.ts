import { runNode } from '../support/engine';
import { json, scriptedServer } from '../support/http-server';
import { probe, probeCredential } from '../support/probe';

describe('the harness', () => {
	it('runs a declarative node in the real engine, expressions included', async () => {
		const server = await scriptedServer(({ path }) => json({ path }));
		const result = await runNode({
			nodeType: probe(),
			parameters: { path: '={{ $json.path }}' },
			items: [{ path: '/a' }, { path: '/b' }],
			credentials: { baseUrl: server.url, apiKey: 'the-key' },
			credentialType: probeCredential(),
		});
		expect(result.status).toBe('success');
		expect(result.json).toEqual([{ path: '/a' }, { path: '/b' }]);
		expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
			'the-key',
			'the-key',
		]);
	});
});
