import type { OnError } from 'n8n-workflow';

import { runInAgents, runRouting } from '../../support/engine';
import { empty, failure, scriptedServer } from '../../support/servers/http-server';
import {
	OPERATIONS,
	OPERATION_NAMES,
	friendly,
	keyOf,
	nodeOn,
	runOperation,
	sent,
	uuid,
	type OperationCase,
} from '../../support/operations';
import { PLANTED } from '../../support/secrets/secrets';

const KEYS = [uuid(1), uuid(2), uuid(3)] as const;
const ITEMS = KEYS.map((key) => ({ key }));
const READ_INPUT = "={{ $('Input').item.json.key }}";

describe.each(OPERATION_NAMES)('%s', (name) => {
	const testCase: OperationCase = OPERATIONS[name];
	const byKey = (arrived: ReturnType<typeof sent>) =>
		KEYS.map((key) => arrived.filter((one) => keyOf(one) === key));

	it('sends what each item needs and nothing else, and links each result to its item', async () => {
		const server = await scriptedServer(friendly(testCase));
		const result = await runOperation(server, { ...testCase, items: ITEMS, readAfter: READ_INPUT });
		expect(result.error).toBeUndefined();
		expect(byKey(sent(server))).toEqual(KEYS.map(testCase.sends));
		expect(server.requests).toHaveLength(KEYS.flatMap(testCase.sends).length);
		expect(result.items).toEqual(
			KEYS.map((key, item) => ({ json: testCase.gives(key), pairedItem: { item } })),
		);
		expect(result.after).toEqual(KEYS);
		for (const { headers, body } of server.requests) {
			expect(headers['x-api-key']).toBe(PLANTED.apiKey);
			expect(headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
		}
	});

	it('does the same by its routing alone, as n8n runs an agent’s tool', async () => {
		const server = await scriptedServer(friendly(testCase));
		const [items] = await runRouting({ ...nodeOn(server, testCase), items: ITEMS });
		expect(byKey(sent(server))).toEqual(KEYS.map(testCase.sends));
		expect(items).toEqual(
			KEYS.map((key, item) => ({ json: testCase.gives(key), pairedItem: { item } })),
		);
	});

	it('does the same for n8n’s Agents, which call it outside of any execution', async () => {
		const server = await scriptedServer(friendly(testCase));
		const [key] = KEYS;
		const records = await runInAgents({ ...nodeOn(server, testCase), toolArguments: { key } });
		expect(sent(server)).toEqual(testCase.sends(key));
		expect(records).toEqual([testCase.gives(key)]);
	});
});

it.each([
	{ resource: 'charge', operation: 'refunds' },
	{ resource: 'charge', operation: '={{ "refund" }}' },
	// n8n adds it to the list of operations.
	{ resource: 'link', operation: '__CUSTOM_API_CALL__' },
	{ resource: 'charges', operation: 'getAll' },
	// Names that every object has.
	{ resource: 'charge', operation: 'constructor' },
	{ resource: 'toString', operation: 'getAll' },
	{ resource: 'charge', operation: '__proto__' },
])('an unknown operation is refused, and nothing is sent: %j', async (parameters) => {
	const server = await scriptedServer(() => empty());
	for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
		const { error, items } = await runOperation(server, { ...parameters, onError });
		const message = error?.message ?? items[0]?.json['error'];
		expect(message).toMatch(
			/^There is no 'Operation' ".*" of 'Resource' "(charges?|link|toString)"$/,
		);
	}
	expect(server.requests).toEqual([]);
});

/** All operations share this path. test/action/writes has the reports of writes. */
it.each(['invoice get', 'link update'] as const)(
	'a failed item of %s is an error in its place, or in the error output with its input fields',
	async (name) => {
		const testCase: OperationCase = OPERATIONS[name];
		const server = await scriptedServer(
			friendly(testCase, (key) =>
				key === KEYS[1] ? failure(422, 'Not this one', 'odd') : undefined,
			),
		);
		const run = async (onError: OnError) =>
			await runOperation(server, { ...testCase, items: ITEMS, onError, readAfter: READ_INPUT });
		// n8n recognizes an error by exactly these keys.
		const json = {
			error: expect.stringMatching(/^Not this one \(code odd, HTTP 422\)/) as string,
			details: {
				itemIndex: 1,
				httpCode: '422',
				description: expect.stringMatching(/^Item 2 of 3: Change/) as string,
			},
		};
		const [first, , third] = KEYS.map((key, item) => ({
			json: testCase.gives(key),
			pairedItem: { item },
		}));
		const inPlace = await run('continueRegularOutput');
		expect(inPlace.items).toEqual([first, { json, pairedItem: { item: 1 } }, third]);
		expect(inPlace.after).toEqual(KEYS);
		const apart = await run('continueErrorOutput');
		expect(apart.items).toEqual([first, third]);
		expect(apart.errorItems).toEqual([{ json: { ...ITEMS[1], ...json }, pairedItem: { item: 1 } }]);
		expect(apart.after).toEqual([KEYS[0], KEYS[2]]);
		expect([inPlace.status, apart.status]).toEqual(['success', 'success']);
	},
);
