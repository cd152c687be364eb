import { existsSync } from 'node:fs';
import { inspect } from 'node:util';

import { runNode } from '../support/engine';
import { nodeOf, probe } from '../support/probe';
import { PLANTED, findSecrets } from '../support/secrets/secrets';

it('n8n gets a folder of its own, of which nothing is left behind', () => {
	const folder = process.env['N8N_USER_FOLDER'];
	expect(folder).toMatch(/payment-collection-engine-[\w-]+$/);
	expect(existsSync(String(folder))).toBe(false);
});

it('runNode runs all tries on the same execute data and stops after the last one', async () => {
	const seen: unknown[] = [];
	const nodeType = nodeOf(async function () {
		seen.push(this.getExecuteData());
		throw new Error('again');
	});
	const result = await runNode({ nodeType, retryOnFail: { maxTries: 3 } });
	expect(result.status).toBe('error');
	expect(result.tries).toBe(3);
	expect(new Set(seen).size).toBe(1);
});

it('runNode with asAgentTool takes the custom operation and turns an error into an item for the model', async () => {
	const thing = {
		send: async () => [[{ json: { from: 'handler' } }]],
		fail: async () => await Promise.reject(new Error('did not work')),
	};
	const options = { nodeType: probe({ thing }), asAgentTool: true };
	expect((await runNode(options)).json).toEqual([{ from: 'handler' }]);
	const failed = await runNode({ ...options, parameters: { operation: 'fail' } });
	expect(failed.status).toBe('success');
	expect(failed.json).toEqual([{ error: 'did not work' }]);
});

class Holder {
	#hidden = PLANTED.token;
	get open() {
		return this.#hidden;
	}
}

describe('findSecrets', () => {
	const { apiKey, cardNumber, securityCode, token } = PLANTED;
	const circular: Record<string, unknown> = { apiKey };
	circular['self'] = circular;

	it.each<[string, unknown]>([
		['a circular object', circular],
		['the cause of an error', new Error('outer', { cause: new Error(`key ${apiKey}`) })],
		['a map', new Map([[token, 1]])],
		['a set', new Set([securityCode])],
		['headers', new Headers({ key: apiKey })],
		['an address', new URL(`https://pay.example/?key=${apiKey}`)],
		['a buffer', Buffer.from(`{"card":"${cardNumber}"}`)],
		['an array of bytes', new Uint8Array(Buffer.from(`${'-'.repeat(200)}${token}`))],
		['bytes', new Uint8Array(Buffer.from(`${'-'.repeat(200)}${token}`)).buffer],
		['a text with the digits in groups', { grouped: '4929 4205 7359 5709' }],
		['a text in Base64', Buffer.from(apiKey).toString('base64')],
		['an accessor of a class', new Holder()],
		['a property that is not enumerable', Object.defineProperty({}, 'key', { value: apiKey })],
		['a name', { [apiKey]: true }],
		['a long text', `${'x'.repeat(100_000)}\n${token}`],
		['what hides itself', { token, [inspect.custom]: () => 'nothing' }],
		['what lies deep', JSON.parse(`${'['.repeat(100)}"${token}"${']'.repeat(100)}`)],
	])('finds a secret in %s', (_what, value) => {
		expect(findSecrets({ value: [value] })).toHaveLength(1);
	});

	it('finds none where there is none', () => {
		// Stands beside it in the memory that all small buffers share.
		const others = Buffer.from(token);
		expect(findSecrets([{ text: 'nothing', count: 4929 }, Buffer.from('nothing')])).toEqual([]);
		expect(findSecrets(others)).toHaveLength(1);
	});
});
