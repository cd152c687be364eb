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

	it('does it for n8n’s Agents, which call it outside of any execution', async () => {
		const server = await scriptedServer(friendly(testCase));
		const [key] = KEYS;
		const told = await runInAgents({ ...nodeOn(server, testCase), toolArguments: { key } });
		expect(sent(server)).toEqual(testCase.sends(key));
		expect(told).toEqual([testCase.gives(key)]);
	});
});

describe.each([
	{ resource: 'charge', operation: 'refunds' },
	{ resource: 'charge', operation: '={{ "refund" }}' },
	// n8n adds it to the list of operations.
	{ resource: 'link', operation: '__CUSTOM_API_CALL__' },
	{ resource: 'charges', operation: 'getAll' },
	// Names that every object has.
	{ resource: 'charge', operation: 'constructor' },
	{ resource: 'toString', operation: 'getAll' },
	{ resource: 'charge', operation: '__proto__' },
])('an operation that the node does not have: %j', (parameters) => {
	it('is refused, and nothing is sent', async () => {
		const server = await scriptedServer(() => empty());
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const { error, items } = await runOperation(server, { ...parameters, onError });
			const told = error?.message ?? items[0]?.json['error'];
			expect(told).toMatch(
				/^There is no 'Operation' ".*" of 'Resource' "(charges?|link|toString)"$/,
			);
		}
		expect(server.requests).toEqual([]);
	});
});

/** All operations run through one path; of a write, what was done for other items is in test/action/writes. */
describe.each(['invoice get', 'link update'] as const)('an item of %s that fails', (name) => {
	const testCase: OperationCase = OPERATIONS[name];
	const refuseSecond = async () =>
		await scriptedServer(
			friendly(testCase, (key) =>
				key === KEYS[1] ? failure(422, 'Not this one', 'odd') : undefined,
			),
		);

	const errorOfSecond = {
		error: expect.stringMatching(/^Not this one \(code odd, HTTP 422\)/) as string,
		details: {
			itemIndex: 1,
			httpCode: '422',
			description: expect.stringMatching(/^Item 2 of 3: Change/) as string,
		},
	};

	it('gives the error in place of the item that failed when it is to continue', async () => {
		const server = await refuseSecond();
		const result = await runOperation(server, {
			...testCase,
			items: ITEMS,
			onError: 'continueRegularOutput',
			readAfter: READ_INPUT,
		});
		expect(result.status).toBe('success');
		expect(result.items).toHaveLength(3);
		expect(result.json[0]).toEqual(testCase.gives(KEYS[0]));
		// No other key: by these, n8n knows it for an error.
		expect(result.items[1]).toEqual({ json: errorOfSecond, pairedItem: { item: 1 } });
		expect(result.json[2]).toEqual(testCase.gives(KEYS[2]));
		expect(result.after).toEqual(KEYS);
	});

	it('sends the item that failed to the error output, linked, with its own fields', async () => {
		const server = await refuseSecond();
		const result = await runOperation(server, {
			...testCase,
			items: ITEMS,
			onError: 'continueErrorOutput',
			readAfter: READ_INPUT,
		});
		expect(result.status).toBe('success');
		expect(result.json).toEqual([testCase.gives(KEYS[0]), testCase.gives(KEYS[2])]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		const json = { ...ITEMS[1], ...errorOfSecond };
		expect(result.errorItems).toEqual([{ json, pairedItem: { item: 1 } }]);
		expect(result.after).toEqual([KEYS[0], KEYS[2]]);
	});
});
