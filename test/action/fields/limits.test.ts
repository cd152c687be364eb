import type { INodeParameters } from 'n8n-workflow';
import { useFakeClock } from '../../support/clock';
import {
	empty,
	failure,
	json,
	scriptedServer,
	type ScriptedServer,
} from '../../support/servers/http-server';
import { envelope, runOperation, uuid } from '../../support/operations';
import { PLANTED, findSecrets } from '../../support/secrets/secrets';
import { LIMITS, LINK } from './limitCases';

/** 15 January 2025, noon in UTC. */
beforeEach(() => void useFakeClock());

let server: ScriptedServer;

beforeAll(async () => {
	// A record and an empty list in one, whichever is asked for.
	server = await scriptedServer(({ method }) =>
		method === 'DELETE' ? empty() : json({ ...envelope(), id: uuid(1) }),
	);
});

beforeEach(() => server.forget());

describe.each(
	LIMITS.map((limit) => [`${limit.resource} ${limit.operation}: ${limit.field}`, limit] as const),
)('%s', (_title, limit) => {
	const { resource, operation, field, inside, outside } = limit;
	const literal = (value: unknown) => limit.with(value) as INodeParameters;
	const expression = limit.with('={{ $json.value }}') as INodeParameters;

	it('refuses what is outside of the limit, from expressions, and sends nothing', async () => {
		const result = await runOperation(server, {
			resource,
			operation,
			parameters: expression,
			items: outside.map(([value]) => ({ value: value as string })),
			onError: 'continueRegularOutput',
		});
		expect(result.json).toEqual(
			outside.map(([, says], itemIndex) => ({
				error: expect.stringMatching(says) as string,
				details: {
					itemIndex,
					description: expect.stringMatching(
						new RegExp(
							outside.length > 1 ? `^Item ${itemIndex + 1} of ${outside.length}: .` : '^(?!Item)',
						),
					) as string,
				},
			})),
		);
		for (const { error } of result.json) expect(error).toMatch(new RegExp(`^${field} `));
		expect(server.requests).toEqual([]);
	});

	it('refuses the same as literals, and names no item where there is only one', async () => {
		for (const [value, says] of outside) {
			const result = await runOperation(server, {
				resource,
				operation,
				parameters: literal(value),
			});
			expect(result.status).toBe('error');
			// n8n itself refuses an empty required field before the node runs.
			if (result.error?.name === 'WorkflowHasIssuesError') continue;
			expect(result.error?.message).toMatch(says);
			expect(result.error?.message).toMatch(new RegExp(`^${field} `));
			expect(result.error).toMatchObject({
				context: { itemIndex: 0 },
				description: expect.stringMatching(/^(?!Item \d)/) as string,
			});
		}
		expect(server.requests).toEqual([]);
	});

	it('takes what is inside of the limit, from expressions and as literals', async () => {
		const result = await runOperation(server, {
			resource,
			operation,
			parameters: expression,
			items: inside.map((value) => ({ value: value as string })),
		});
		expect(result.error).toBeUndefined();
		expect(server.requests).toHaveLength(inside.length);
		for (const value of inside) {
			expect(
				(await runOperation(server, { resource, operation, parameters: literal(value) })).error,
			).toBeUndefined();
		}
		expect(server.requests).toHaveLength(2 * inside.length);
	});
});

describe('the error of a bad value', () => {
	it('names the item in the middle that holds it', async () => {
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, additionalFields: { title: '={{ $json.title }}' } },
			items: [{ title: 'one' }, { title: 't'.repeat(60) }, { title: 'three' }],
		});
		expect(result.error).toMatchObject({
			message: 'Title is 60 characters long: the limit is 50',
			description: expect.stringMatching(
				/^Item 2 of 3: Shorten Title to 50 characters or fewer\. Nothing was sent\./,
			) as string,
			context: { itemIndex: 1 },
		});
	});

	it('names the item in front of what the service’s refusal asks to do, too', async () => {
		const refusing = await scriptedServer(({ body }) =>
			JSON.stringify(body).includes('two') ? failure(422, 'no') : json({ id: uuid(1) }),
		);
		const { error } = await runOperation(refusing, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, additionalFields: { title: '={{ $json.title }}' } },
			items: [{ title: 'one' }, { title: 'two' }],
		});
		expect(error).toMatchObject({
			message: expect.stringMatching(/^no \(code error, HTTP 422\)/) as string,
			description: expect.stringMatching(/^Item 2 of 2: Change the parameter/) as string,
			context: { itemIndex: 1 },
		});
	});

	it('keeps a bad item away from the good ones when it is to continue', async () => {
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, additionalFields: { title: '={{ $json.title }}' } },
			items: [{ title: 'one' }, { title: 't'.repeat(60) }, { title: 'three' }],
			onError: 'continueErrorOutput',
		});
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errorItems).toMatchObject([
			{ json: { error: 'Title is 60 characters long: the limit is 50' }, pairedItem: { item: 1 } },
		]);
		expect(server.requests).toHaveLength(2);
	});

	it('shows no card number, even when one was given by mistake', async () => {
		const source = { card_data: { card_number: PLANTED.cardNumber }, token: PLANTED.token };
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'get',
			parameters: { linkId: '={{ $json.value }}' },
			items: [{ value: PLANTED.cardNumber }, { value: source }, { value: { a: source } }],
			onError: 'continueRegularOutput',
		});
		expect(result.json.map(({ error }) => error)).toEqual([
			expect.stringMatching(/^Payment Link ID is "\[redacted\]": it must be a UUID/),
			expect.stringMatching(/^Payment Link ID is \{"card_data":\{"card_number":"\[redacted\]"\}/),
			expect.stringMatching(/^Payment Link ID is /),
		]);
		expect(findSecrets(result.json)).toEqual([]);
	});

	it('shows a piece of a huge value only', async () => {
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'get',
			parameters: { linkId: '={{ "x".repeat(1000000) }}' },
		});
		expect(result.error?.message.length).toBeLessThan(300);
		expect(server.requests).toEqual([]);
	});
});
