import { useFakeClock } from '../../support/clock';
import { LIST_OPERATIONS } from '../../support/lists';
import {
	empty,
	failure,
	html,
	json,
	reset,
	scriptedServer,
	text,
	type Answer,
} from '../../support/servers/http-server';
import { OPERATIONS, OPERATION_NAMES, runOperation, uuid } from '../../support/operations';
import { PLANTED, findSecrets } from '../../support/secrets/secrets';
import { runAgainst } from './runAgainst';

beforeEach(() => void useFakeClock());

describe('link delete', () => {
	it.each<[string, Answer]>([
		['204 without a body', empty(204)],
		['200 without a body', empty(200)],
		['202 without a body', empty(202)],
		['an empty object', json({})],
		['null', json(null)],
		['blank text', text(' \n')],
	])(
		'answers the ID and that it is deleted, whatever the success looks like: %s',
		async (_what, answer) => {
			const { error, items } = await runAgainst(answer, { name: 'link delete' });
			expect(error).toBeUndefined();
			expect(items).toEqual([{ json: { id: uuid(1), deleted: true }, pairedItem: { item: 0 } }]);
		},
	);

	it.each<[string, Answer]>([
		['a message', json({ message: 'Link deleted' })],
		['the deleted link', json({ id: uuid(1), title: 'x' })],
	])('reads the link after %s, and believes that it is gone', async (_what, answer) => {
		for (const isGone of [true, false]) {
			const id = uuid(1);
			const server = await scriptedServer(({ method }) =>
				method === 'DELETE' ? answer : isGone ? failure(404, 'Not found') : json({ id }),
			);
			const parameters = { linkId: id };
			const result = await runOperation(server, { ...OPERATIONS['link delete'], parameters });
			expect(server.requests.map(({ method }) => method)).toEqual(['DELETE', 'GET']);
			if (isGone) expect(result.json).toEqual([{ id, deleted: true }]);
			else expect(result.error?.message).toMatch(/^UNKNOWN whether the link was deleted/);
		}
	});

	it.each<[string, Answer]>([
		['a web page', html()],
		['plain text', text('Deleted, perhaps')],
	])('takes %s for no success', async (_what, answer) => {
		const { error, json: output } = await runAgainst(answer, { name: 'link delete' });
		expect(error?.message).toMatch(
			/^UNKNOWN whether the link was deleted.* The answer is not what the service documents/,
		);
		expect(output).toEqual([]);
	});
});

describe('secrets in what the service says', () => {
	const { apiKey, cardNumber, securityCode } = PLANTED;
	const grouped = cardNumber.replace(/(\d{4})(?=\d)/g, '$1 ');
	const message = `Key ${apiKey} may not charge ${cardNumber} / ${grouped}, security_code: ${securityCode}`;

	it.each(OPERATION_NAMES)('are not in the error, the log or what n8n stores: %s', async (name) => {
		for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
			const result = await runAgainst(failure(403, message, `k-${apiKey}`), { name, onError });
			const { error, thrown, items, errorItems, hints, taskData, run, logs } = result;
			expect(findSecrets({ error, thrown, items, errorItems, hints, taskData, run, logs })).toEqual(
				[],
			);
			const shown = JSON.stringify([error?.message, items, errorItems]);
			expect(shown).toContain('Key [redacted] may not charge [redacted] / [redacted]');
		}
	});

	it('are not in what is kept of a broken connection', async () => {
		const { error, thrown, run, logs } = await runAgainst(reset(), { name: 'link create' });
		expect(findSecrets({ error, thrown, run, logs })).toEqual([]);
	});

	it('are redacted before a long message is cut, so that no part of them is left', async () => {
		const long = `${'x'.repeat(490)} ${cardNumber} ${apiKey}`;
		const { error } = await runAgainst(failure(400, long));
		expect(error?.message).not.toContain(cardNumber.slice(0, 6));
		expect(error?.message).not.toContain(apiKey.slice(0, 6));
	});
});

describe('a long message', () => {
	it('is cut', async () => {
		const { error } = await runAgainst(failure(400, 'long '.repeat(20_000), 'c'.repeat(20_000)));
		expect(error?.message).toMatch(/^long long /);
		expect(error?.message).toMatch(/HTTP 400\)$/);
		expect(error?.message.length).toBeLessThan(1_100);
	});
});

describe('hostile answers', () => {
	const hostile = JSON.stringify({ id: uuid(1) }).replace(
		'}',
		`,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":"x","hasOwnProperty":1}`,
	);

	const inList = `{"count":1,"next":null,"previous":null,"results":[${hostile}]}`;

	it.each([
		['link get', hostile],
		['invoice get', hostile],
		['checkoutSession get', hostile],
		...LIST_OPERATIONS.flatMap((name) => [[name, inList] as const, [name, `[${inList}]`] as const]),
	] as const)('prototype keys in a record change nothing else: %s', async (name, body) => {
		const { error, json: output } = await runAgainst(text(body, 200, 'application/json'), { name });
		expect(error).toBeUndefined();
		expect(output).toHaveLength(1);
		expect(output[0]?.['id']).toBe(uuid(1));
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
		expect(Reflect.get(output[0] ?? {}, 'polluted')).toBeUndefined();
	});

	it('prototype keys in an error body change nothing', async () => {
		const body =
			'{"__proto__":{"error":{"message":"no"}},"error":{"__proto__":{"message":"inherited"},"code":"c"}}';
		const { error } = await runAgainst(text(body, 400, 'application/json'));
		expect(error?.message).toBe('The service refuses the values sent (code c, HTTP 400)');
	});

	it('a record with very long texts comes out whole', async () => {
		const note = 'n'.repeat(1_000_000);
		const { json: output } = await runAgainst(json({ id: uuid(1), note }));
		expect(output).toEqual([{ id: uuid(1), note }]);
	});

	it('“next” never leads a list to another host', async () => {
		const evil = await scriptedServer(() => json({ count: 2, next: null, results: [{ id: 'b' }] }));
		const server = await scriptedServer(({ query }) =>
			json({
				count: 2,
				next: query['page'] === '1' ? `${evil.url}/v1/customers?page=2` : null,
				previous: null,
				results: [{ id: query['page'] }],
			}),
		);
		const result = await runOperation(server, {
			resource: 'customer',
			operation: 'getAll',
			parameters: { returnAll: true },
		});
		expect(result.json).toEqual([{ id: '1' }, { id: '2' }]);
		expect(evil.requests).toEqual([]);
	});
});

describe('an error under On Error: Continue', () => {
	it('has message, advice, status and item index, and no other key that n8n would drop', async () => {
		const { items } = await runAgainst(failure(404, 'No such link', 'gone'), {
			onError: 'continueRegularOutput',
		});
		expect(items).toEqual([
			{
				json: {
					error: 'No such link (code gone, HTTP 404)',
					details: {
						itemIndex: 0,
						httpCode: '404',
						description: expect.stringMatching(/^Check the ID/) as string,
					},
				},
				pairedItem: { item: 0 },
			},
		]);
	});
});

describe.each(['link get', 'charge refund'] as const)(
	'an error of %s under On Error: Continue (using error output)',
	(name) => {
		it('leaves by the error output alone, with its details, what the input had and its link', async () => {
			const server = await scriptedServer(() => failure(400, 'No', 'refused'));
			const { resource, operation, parameters } = OPERATIONS[name];
			const result = await runOperation(server, {
				resource,
				operation,
				parameters,
				items: [{ order: 'A' }, { order: 'B' }].map((one) => ({ ...one, key: uuid(1) })),
				onError: 'continueErrorOutput',
			});
			expect(result.items).toEqual([]);
			expect(result.errorItems).toEqual(
				['A', 'B'].map((order, item) => ({
					json: {
						order,
						key: uuid(1),
						error: expect.stringContaining('HTTP 400') as string,
						details: expect.objectContaining({ itemIndex: item, httpCode: '400' }) as object,
					},
					pairedItem: { item },
				})),
			);
		});
	},
);

describe('a credential that can’t be used', () => {
	it.each([
		[{ baseUrl: '', apiKey: PLANTED.apiKey }, 'Base URL is empty'],
		[
			{ baseUrl: 'shop.example', apiKey: PLANTED.apiKey },
			'Base URL must begin with http:// or https:// and a host name',
		],
		[
			{ baseUrl: 'http://127.0.0.1:1/?a=1', apiKey: PLANTED.apiKey },
			'Base URL must not contain ? or #',
		],
		[{ baseUrl: 'http://127.0.0.1:1', apiKey: '  ' }, 'API Key is empty'],
		[
			{ baseUrl: 'http://127.0.0.1:1', apiKey: `${PLANTED.apiKey}\nx` },
			'API Key must not contain spaces, line breaks or non-ASCII characters',
		],
	])('says which field is wrong, without the key: %j', async (credentials, message) => {
		for (const name of OPERATION_NAMES) {
			const result = await runOperation(
				{ url: '' },
				{ ...OPERATIONS[name], items: [{ key: uuid(1) }], credentials },
			);
			expect(result.error).toMatchObject({
				message,
				description: 'Correct the Payment Collection API credential. Nothing was sent.',
				context: { itemIndex: 0 },
			});
			expect(findSecrets([result.error, result.run, result.logs])).toEqual([]);
		}
	});
});
