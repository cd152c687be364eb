import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { plainText } from '../../../nodes/shared/values';
import '../../support/clock';
import {
	TOOL_EXECUTOR_TYPE,
	runInAgents,
	type RunOptions,
	type RunResult,
} from '../../support/engine';
import {
	failure,
	json,
	reset,
	scriptedServer,
	type Answer,
} from '../../support/servers/http-server';
import {
	idempotencyKeyField,
	isHalf,
} from '../../../nodes/PaymentCollection/writes/idempotencyKey';
import { OPERATIONS, envelope, runExample, runOperation, uuid } from '../../support/operations';
import { hintsOf } from '../../support/lists';
import { processedData } from '../../support/processedData';
import {
	descriptionOf,
	carryOut,
	refundOf,
	lenientService,
	messageOf,
	refund,
	shownCharge,
} from '../../support/refunds';
import fc, { property } from '../../support/jest/property';
import { olderPath, refundByTool, type ToolPath } from '../../support/toolPaths';
import { WRITES, type Write } from '../../support/writeMatrix';

/** Options → Idempotency Key on every write that takes one. n8n's memory of processed data stores the keys. */

const A = uuid(1);
const KEYED = WRITES.filter(({ keyFields }) => keyFields.length > 0);

/** A service for one write, which it can carry out many times. */
async function start({ example }: Pick<Write, 'example'>) {
	let done = 0;
	const script: Array<{ answer: Answer; executed: boolean }> = [];
	const server = await scriptedServer((request) => {
		if (request.method === 'GET') {
			const refunds = Array.from({ length: done }, () => 500);
			return json(envelope(shownCharge({ id: A, total: 100_000, refunds })));
		}
		const next = script.shift();
		if (next?.executed !== false) done += 1;
		return next?.answer ?? example.answers(A, request);
	});
	return {
		done: () => done,
		/** @param options besides the key */
		run: async (
			keys: string[],
			options: INodeParameters = {},
			settings: Partial<RunOptions> = {},
		): Promise<RunResult> =>
			await runExample(server, example, {
				parameters: { options: { idempotencyKey: '={{ $json.own }}', ...options } },
				items: keys.map((own) => ({ key: A, own })),
				...settings,
			}),
		answer: (...answers: typeof script) => void script.push(...answers),
	};
}

describe.each(KEYED)('$name with an Idempotency Key', (keyed) => {
	it('is done once in several executions, and says that nothing was sent', async () => {
		const write = await start(keyed);
		const first = await write.run(['order-1']);
		expect(first.error).toBeUndefined();
		const second = await write.run(['order-1']);
		expect(write.done()).toBe(1);
		const { id, charge_id: chargeId = id } = first.json[0] ?? {};
		expect(messageOf(second)).toMatch(
			/^'Idempotency Key' “order-1” was used before: nothing was sent for it this time. The request was carried out earlier \(.*\)$/,
		);
		// The error names the ID, since links can't be listed.
		expect(messageOf(second)).toContain(chargeId);
		expect(descriptionOf(second)).toMatch(/set 'Options → On Repeated Key' to 'Skip'/);
		expect((await write.run(['order-2'])).error).toBeUndefined();
		expect(write.done()).toBe(2);
		expect(messageOf(await write.run(['\u00a0order-\u200b1']))).toContain(
			'“order-1” was used before',
		);
		expect(write.done()).toBe(2);
	});

	it('names the outcome of the earlier request: done in this run, or in doubt', async () => {
		const write = await start(keyed);
		const inRun = await write.run(['a', 'b', 'a'], {}, { onError: 'continueRegularOutput' });
		expect(inRun.json[2]).toMatchObject({
			error: expect.stringMatching(
				/^'Idempotency Key' “a” was used before.*\. The request was carried out in this run, for item 1 \(.*\)$/,
			) as string,
		});
		write.answer({ answer: failure(500, 'broken'), executed: false });
		const done = write.done();
		expect(messageOf(await write.run(['c']))).toMatch(/^UNKNOWN/);
		expect(messageOf(await write.run(['c']))).toMatch(
			/\. It is in doubt whether the earlier request was carried out/,
		);
		const skipped = await write.run(['c'], { onRepeatedKey: 'skip' });
		expect(hintsOf(skipped).join()).toMatch(/“c” was used before.*in doubt/);
		expect(write.done()).toBe(done);
	});

	it('that is skipped returns no item but a hint, also for loops', async () => {
		const write = await start(keyed);
		const skip = async (...keys: string[]) => {
			const result = await write.run(keys, { onRepeatedKey: 'skip' });
			return [result.items.length, ...hintsOf(result)];
		};
		const matching = (hint: RegExp) => expect.stringMatching(hint) as string;
		expect(await skip('a', 'b')).toEqual([2]);
		expect(await skip('a', 'c', 'b', 'c')).toEqual([
			1,
			matching(
				/^Skipped items 1, 3 to 4: the 'Idempotency Key' was used before.* no item is returned/,
			),
		]);
		expect(await skip('c')).toEqual([0, matching(/^Skipped item 1: .*Always Output Data/)]);
		expect(write.done()).toBe(3);
	});

	it('is not repeated while its key is one of the 10,000 newest', async () => {
		const write = await start(keyed);
		await write.run(['a']);
		for (const [place, list] of processedData.lists) {
			// Each key has two entries. With those of the next claim, the list is exactly full.
			const others = Array.from({ length: 20_000 - 6 }, (_, number) => `other ${number}`);
			processedData.lists.set(place, [...list, ...others]);
		}
		await write.run(['b']);
		expect(messageOf(await write.run(['a']))).toContain('was used before');
		await write.run(['c', 'd', 'e']);
		expect((await write.run(['a'])).error).toBeUndefined();
		for (const list of processedData.lists.values())
			expect(list.length).toBeLessThanOrEqual(20_000);
	});

	it('that can’t be stored sends nothing', async () => {
		const write = await start(keyed);
		processedData.meanwhile = async () => await Promise.reject(new Error('database is locked'));
		const result = await write.run(['a']);
		expect(messageOf(result)).toMatch(
			/^n8n could not store the idempotency key: database is locked/,
		);
		expect(write.done()).toBe(0);
	});

	it('returns its result if storing the key fails later, and warns of a key that can’t be released', async () => {
		const write = await start(keyed);
		const claimed = [undefined, undefined, undefined];
		const changes: Array<Error | undefined> = [...claimed, new Error('disk full')];
		processedData.meanwhile = async () => {
			const next = changes.shift();
			if (next !== undefined) await Promise.reject(next);
		};
		const result = await write.run(['a']);
		expect(result.error).toBeUndefined();
		expect(result.logs.map(({ message }) => message).join()).toMatch(
			/could not check an 'Idempotency Key' again/,
		);

		write.answer({ answer: failure(400, 'no'), executed: false });
		changes.push(...claimed, new Error('disk full'));
		const refused = await write.run(['b']);
		expect(messageOf(refused)).toMatch(/NOT/);
		expect(refused.logs.map(({ message }) => message).join()).toMatch(
			/could not release an 'Idempotency Key'/,
		);
	});

	it.each([
		['in one input', ['a', 'a'], 1],
		['in executions at once', ['a'], 2],
	])('is released after a refusal for the next request %s', async (_where, keys, runs) => {
		const write = await start(keyed);
		for (const onRepeatedKey of ['fail', 'skip']) {
			const before = write.done();
			write.answer({ answer: failure(422, 'no'), executed: false });
			const results = await Promise.all(
				Array.from({ length: runs }, async () =>
					write.run(
						keys.map((key) => `${key} ${onRepeatedKey}`),
						{ onRepeatedKey },
						{ onError: 'continueErrorOutput' },
					),
				),
			);
			expect(
				results.flatMap(({ errorItems }) => errorItems.map(({ json }) => json['error'])),
			).toEqual([expect.stringMatching(/\bNOT\b/)]);
			expect(results.flatMap(({ items }) => items)).toHaveLength(1);
			expect(write.done()).toBe(before + 1);
		}
	});

	property(
		'is never done twice, for any outcomes of parallel executions',
		[
			fc.array(
				fc.record({
					keys: fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 3 }),
					isSkipped: fc.boolean(),
					maxTries: fc.constantFrom(1, 2, 3),
					fates: fc.array(
						fc.constantFrom(
							{ answer: failure(400, 'no'), executed: false },
							{ answer: failure(500, 'broken'), executed: true },
							{ answer: failure(503, 'later'), executed: false },
							{ answer: reset(), executed: true },
						),
						{ maxLength: 2 },
					),
				}),
				{ minLength: 1, maxLength: 4 },
			),
		],
		async (runs) => {
			processedData.reset();
			const write = await start(keyed);
			await Promise.all(
				runs.map(async ({ keys, isSkipped, maxTries, fates }) => {
					write.answer(...fates);
					await write.run(keys, isSkipped ? { onRepeatedKey: 'skip' } : {}, {
						onError: 'continueErrorOutput',
						...(maxTries > 1 ? { retryOnFail: { maxTries } } : {}),
					});
				}),
			);
			const used = new Set(runs.flatMap(({ keys }) => keys));
			expect(write.done()).toBeLessThanOrEqual(used.size);
		},
		{ numRuns: 30 },
	);
});

describe('a key stands for one thing', () => {
	const TICKET = { name: 'Ticket', amount: '10.00', quantity: 1 };
	const orderOf = (lines: IDataObject[], currency = 'USD') => ({ lines, currency });

	/** Creates links for the orders of each run. @returns the error or 'done' for each order, and the created links */
	async function createFor(runs: IDataObject[][], options: INodeParameters = {}) {
		const server = await scriptedServer(({ body }) =>
			json({ id: uuid(1), ...(body as object) }, 201),
		);
		const said: string[] = [];
		for (const items of runs) {
			const result = await runOperation(server, {
				resource: 'link',
				operation: 'create',
				parameters: {
					currency: '={{ $json.currency }}',
					itemsInput: 'json',
					itemsJson: '={{ $json.lines }}',
					options: { idempotencyKey: '=order-{{ $json.id }}', ...options },
				},
				items,
				onError: 'continueRegularOutput',
			});
			said.push(...result.json.map(({ error }) => plainText(error ?? 'done')));
		}
		return { said, created: server.requests.map(({ body }) => body) };
	}

	it.each(['fail', 'skip'])(
		'a key with an empty part, for three buyers, creates one link, and the others are errors (%s)',
		async (onRepeatedKey) => {
			const orders = ['Ana', 'Ben', 'Cem'].map((name) => orderOf([{ ...TICKET, name }]));
			const { said, created } = await createFor([orders], { onRepeatedKey });
			expect(created).toMatchObject([{ items: [{ name: 'Ana' }] }]);
			const other = expect.stringMatching(
				/^'Idempotency Key' “order-” was used for something else in this run, for item 1: nothing was sent/,
			) as string;
			expect(said).toEqual(['done', other, other]);
		},
	);

	const WAS_DONE = /was used before: .* The request was carried out earlier\b/;
	const WAS_OTHER = /was used for something else earlier/;
	it.each<[string, IDataObject, RegExp]>([
		['another price', orderOf([{ ...TICKET, amount: '10.01' }]), WAS_OTHER],
		['another quantity', orderOf([{ ...TICKET, quantity: 2 }]), WAS_OTHER],
		['another line', orderOf([TICKET, TICKET]), WAS_OTHER],
		['another currency', orderOf([TICKET], 'EUR'), WAS_OTHER],
		['the price written in another way', orderOf([{ ...TICKET, amount: 10 }]), WAS_DONE],
	])('%s under a used key is an error', async (_what, order, says) => {
		const onRepeatedKey = 'skip';
		const { said, created } = await createFor([[orderOf([TICKET])], [order]], { onRepeatedKey });
		expect(said).toEqual(['done', expect.stringMatching(says)]);
		expect(created).toHaveLength(1);
	});

	it('a key with an empty part is never skipped, even if all buyers buy the same', async () => {
		const orders = [{}, {}, { id: 7 }, { id: 7 }].map((id) => ({ ...orderOf([TICKET]), ...id }));
		const { said } = await createFor([orders], { onRepeatedKey: 'skip' });
		expect(said).toEqual([
			'done',
			expect.stringMatching(
				/^'Idempotency Key' “order-” was used before.*returned no value, so several items/,
			),
			'done',
		]);
	});

	it.each([
		// Spaces next to an expression are not its value.
		['order {{ $json.id }} of eu', 'order of eu', true],
		['order-{{ $json.shop }}-{{ $json.id }}', 'order-eu-', true],
		['a b  {{ $json.id }} ', 'a b 8', false],
		['{{ $json.id }}', '8', false],
		['(x) {{ $json.id }}.', '(x) 8.', false],
	])('the key %j that evaluates to %j has an empty part: %s', (expression, key, isOne) => {
		expect(isHalf(expression, key)).toBe(isOne);
	});

	it('a model gets the error of a used key, also with Skip', async () => {
		const service = await lenientService({ [A]: 10_000 });
		const options = { idempotencyKey: 'call-1', onRepeatedKey: 'skip' };
		await refund(service, [refundOf(A)], { options, asAgentTool: true });
		const again = await refund(service, [refundOf(A)], { options, asAgentTool: true });
		expect(messageOf(again)).toMatch(/^'Idempotency Key' “call-1” was used before/);
	});

	it.each<[string, IDataObject, INodeParameters]>([
		['another amount', refundOf(A, '6.00'), {}],
		['another charge', refundOf(uuid(2)), {}],
		['all that is left', refundOf(A), { amountType: 'full' }],
	])('%s of a refund under a used key is an error', async (_what, item, parameters) => {
		const service = await lenientService({ [A]: 10_000, [uuid(2)]: 10_000 });
		const options = { idempotencyKey: 'return-1', onRepeatedKey: 'skip' };
		await refund(service, [refundOf(A)], { options });
		const other = await refund(service, [item], { options, parameters });
		expect(messageOf(other)).toMatch(
			/^'Idempotency Key' “return-1” was used for something else .* – NOT refunded$/,
		);
		expect(service.posts()).toHaveLength(1);
	});

	it('the first of several items with one key and content is carried out', async () => {
		const server = await scriptedServer(() => json({ id: uuid(1) }, 201));
		const result = await runExample(server, OPERATIONS['link create'], {
			parameters: { options: { idempotencyKey: 'one', onRepeatedKey: 'skip' } },
			// The title is not part of the content.
			items: Array.from({ length: 6 }, (_, number) => ({ key: `item ${number}` })),
		});
		expect(result.items).toMatchObject([{ pairedItem: { item: 0 } }]);
		expect(server.requests).toMatchObject([{ body: { title: 'item 0' } }]);
	});
});

it.each([
	['\u00a0return-\u206055\u200d12\u3000\n', 'return-5512'],
	['\ufeffreturn\u00ad-5512\u2800\ufffc', 'return-5512'],
	['commande-ne\u0301e', 'commande-n\u00e9e'],
	['commande-Nee', 'commande-Nee'],
])('the key %j is compared as %j, as it is seen', (given, key) => {
	expect(idempotencyKeyField.check(given, 'Key', { body: {}, timeZone: 'UTC' })).toBe(key);
});

const NO_KEYS =
	/'Idempotency Key' can’t be used here.*'Execute step'.* Agents.* – NOT refunded\. Nothing was sent\. To test a tool of a newer agent, send .* put this node and its key into a sub-workflow/;

it.each<[place: string, path: ToolPath]>([
	['an older agent', olderPath],
	['n8n’s Agents', runInAgents],
	[
		'Execute step on the tool',
		async (tool) => await olderPath({ ...tool, callerType: TOOL_EXECUTOR_TYPE }),
	],
])('%s has no memory of keys, so nothing is sent', async (_place, path) => {
	const service = await lenientService({ [A]: 1000 });
	const parameters = { amount: '5.00', options: { idempotencyKey: 'order-1' } };
	expect(JSON.stringify(await refundByTool(path, service, A, parameters))).toMatch(NO_KEYS);
	expect(service.posts()).toEqual([]);
});

it('a repeated key names the request that it was used for, not one whose key n8n has forgotten', async () => {
	const [first, other] = [uuid(1), uuid(2)];
	const service = await lenientService({ [first]: 1000, [other]: 1000 });
	const refundIt = async (charge: string) =>
		await refund(service, [refundOf(charge)], { options: { idempotencyKey: 'a' } });
	await refundIt(first);
	const kept = [...processedData.lists];
	processedData.lists.clear();
	await refundIt(other);
	processedData.lists.clear();
	for (const [place, list] of kept) processedData.lists.set(place, list);
	expect(messageOf(await refundIt(first))).toContain(`(5.00 USD of charge ${first} refunded)`);
});

it('Return Existing without a refund does not use the key', async () => {
	const service = await lenientService({ [A]: 1000 });
	carryOut(service, A, 1000);
	const options = { onAlreadyRefunded: 'returnExisting', idempotencyKey: 'a' };
	expect((await refund(service, [refundOf(A)], { options })).json).toMatchObject([
		{ amount: '0.00' },
	]);
	expect(processedData.keys()).toEqual([]);
});
