import type { INode } from 'n8n-workflow';

import { toNodeError } from '../../nodes/shared/errors/reportedError';
import { withoutApiKey } from '../../nodes/shared/service/credential';
import { getMany, listOf } from '../support/lists';
import { scriptedServer } from '../support/servers/http-server';

/** A credential with expressions, so that each input item can have its own account. */

const KEYS = ['key-of-the-first-shop', 'key-of-the-second-shop'];
const OF_EACH_ITEM = KEYS.map((key) => ({ key }));
const BY_ITEM = '={{ $json.key }}';

const keysOf = ({ requests }: Awaited<ReturnType<typeof scriptedServer>>): unknown[] =>
	requests.map(({ headers }) => headers['x-api-key']);

it('every request has the key of its own item', async () => {
	const server = await scriptedServer(listOf(250));
	const credentials = { baseUrl: server.url, apiKey: BY_ITEM };
	const { error } = await getMany(server.url, { items: OF_EACH_ITEM, credentials });
	expect(error).toBeUndefined();
	expect(keysOf(server).sort()).toEqual([KEYS[0], KEYS[0], KEYS[0], KEYS[1], KEYS[1], KEYS[1]]);
});

it('every request goes to the URL of its own item, with its key', async () => {
	const servers = [await scriptedServer(listOf(150)), await scriptedServer(listOf(150))];
	const items = servers.map(({ url }, index) => ({ url, key: KEYS[index] }));
	const credentials = { baseUrl: '={{ $json.url }}', apiKey: BY_ITEM };
	const { error } = await getMany('', { items, credentials });
	expect(error).toBeUndefined();
	expect(servers.map(keysOf)).toEqual(KEYS.map((key) => [key, key]));
});

it('n8n decrypts the credential once for each item, for any number of pages', async () => {
	const server = await scriptedServer(listOf(1_000));
	const { decryptions } = await getMany(server.url, { items: [{}, {}] });
	expect(server.requests).toHaveLength(20);
	expect(decryptions).toBe(2);
});

it.each([
	['API Key', { apiKey: '={{ $vars.paymentKey }}' }],
	['API Key', { apiKey: BY_ITEM }],
	['Base URL', { baseUrl: '={{ $json.address }}' }],
])('the error of an empty expression in %s says so: %j', async (field, expression) => {
	const server = await scriptedServer(listOf(1));
	const credentials = { baseUrl: server.url, apiKey: KEYS[0] ?? '', ...expression };
	const { error } = await getMany(server.url, { credentials });
	expect(error?.message).toBe(`${field} is empty: its expression returned nothing`);
	expect(server.requests).toEqual([]);
});

it('the error of an expression that can’t be evaluated names the credential', async () => {
	const credentials = { baseUrl: 'http://127.0.0.1:1', apiKey: "={{ $('Orders').item.json.key }}" };
	const { error } = await getMany('', { credentials });
	expect(error).toMatchObject({
		message: expect.stringMatching(
			/^An expression in the credential can’t be evaluated: .* may need input items, which triggers and dropdown lists don’t have/,
		) as string,
		description: 'Correct the Payment Collection API credential. Nothing was sent.',
	});
});

it('the stack of an error that is not ours, which repeats its message, shows no key either', async () => {
	const [apiKey = ''] = KEYS;
	const context = { getCredentials: async () => await Promise.resolve({ apiKey }) };
	const thrown = new Error(`Can't use ${apiKey}`);
	expect(thrown.stack).toContain(apiKey);
	const node = { type: 'paymentCollection' } as INode;
	const shown = toNodeError(await withoutApiKey(thrown, context as never), node);
	expect(shown.message).toBe("Can't use [redacted]");
	expect(shown.stack).toContain("Can't use [redacted]");
	expect(shown.stack).not.toContain(apiKey);
});
