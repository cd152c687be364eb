import { getMany, listOf } from '../support/lists';
import { scriptedServer } from '../support/servers/http-server';

/** A credential may hold expressions: each input item then has an account of its own. */

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

it('every request goes to the address of its own item, with its key', async () => {
	const servers = [await scriptedServer(listOf(150)), await scriptedServer(listOf(150))];
	const items = servers.map(({ url }, index) => ({ url, key: KEYS[index] }));
	const credentials = { baseUrl: '={{ $json.url }}', apiKey: BY_ITEM };
	const { error } = await getMany('', { items, credentials });
	expect(error).toBeUndefined();
	expect(servers.map(keysOf)).toEqual(KEYS.map((key) => [key, key]));
});

it('n8n reads and decrypts the credential once for each item, however many pages it takes', async () => {
	const server = await scriptedServer(listOf(1_000));
	const { decryptions } = await getMany(server.url, { items: [{}, {}] });
	expect(server.requests).toHaveLength(20);
	expect(decryptions).toBe(2);
});
