import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { plainText } from '../../../nodes/shared/values';
import '../../support/clock';
import {
	TOOL_EXECUTOR_TYPE,
	runAsTool,
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
import { nodeOn, runOperation, uuid } from '../../support/operations';
import { processedData } from '../../support/processedData';
import {
	descriptionOf,
	five,
	lenientService,
	messageOf,
	refund,
	type LenientService,
} from '../../support/refunds';
import fc from '../../support/jest/property';

/** Options → Idempotency Key on Create and Refund, which n8n's own memory of processed data makes good. */

const A = uuid(1);
const NEW_LINK = {
	currency: 'USD',
	items: { item: [{ name: 'Ticket', amount: '12.50', quantity: 1 }] },
};

interface Write {
	/** How many were carried out. */
	done: () => number;
	run: (
		keys: unknown[],
		/** Beside the key; undefined for no options at all. */
		options?: INodeParameters,
		settings?: Partial<RunOptions>,
	) => Promise<RunResult>;
	/** What befalls the next requests, in order. */
	answer: (...answers: Array<{ answer: Answer; executed: boolean }>) => void;
}

const withKey = (options: INodeParameters | undefined): INodeParameters =>
	options === undefined ? {} : { idempotencyKey: '={{ $json.key }}', ...options };

async function createLinks(): Promise<Write> {
	let created = 0;
	const script: Array<{ answer: Answer; executed: boolean }> = [];
	const server = await scriptedServer(() => {
		const next = script.shift();
		if (next?.executed !== false) created += 1;
		return next?.answer ?? json({ id: uuid(100 + created) }, 201);
	});
	return {
		done: () => created,
		run: async (keys, options, settings = {}) =>
			await runOperation(server, {
				resource: 'link',
				operation: 'create',
				parameters: { ...NEW_LINK, options: withKey(options) },
				items: keys.map((key) => ({ key }) as IDataObject),
				...settings,
			}),
		answer: (...answers) => void script.push(...answers),
	};
}

async function refundCharges(): Promise<Write & { service: LenientService }> {
	const service = await lenientService({ [A]: 10_000 });
	return {
		service,
		done: () => service.charge(A).refunds.length,
		run: async (keys, options, settings = {}) =>
			await refund(
				service,
				keys.map((key) => ({ ...five(A), key }) as IDataObject),
				{ options: withKey(options), ...settings },
			),
		answer: (...answers) => void service.fates.push(...answers),
	};
}

describe.each<[string, () => Promise<Write>]>([
	['link create', createLinks],
	['charge refund', refundCharges],
])('%s with an Idempotency Key', (_name, start) => {
	it('is done once for it, in one execution after another, and says that nothing was sent', async () => {
		const write = await start();
		expect((await write.run(['order-1'], {})).error).toBeUndefined();
		const second = await write.run(['order-1'], {});
		expect(write.done()).toBe(1);
		expect(messageOf(second)).toBe(
			"'Idempotency Key' “order-1” was used before: nothing was sent for it this time. The request was carried out earlier",
		);
		expect(descriptionOf(second)).toMatch(/set 'On Repeated Key' to 'Skip'/);
		expect((await write.run(['order-2'], {})).error).toBeUndefined();
		expect(write.done()).toBe(2);
	});

	it.each([
		['a zero-width space', 'return-5512\u200b'],
		['a word joiner inside', 'return-\u206055\u200d12'],
		['another kind of space around', '\u00a0return-5512\u3000\n'],
		['a blank of Braille and a placeholder', 'return-5512\u2800\ufffc'],
		['a soft hyphen and a byte order mark', '\ufeffreturn\u00ad-5512'],
	])('is the same with %s', async (_what, again) => {
		const write = await start();
		await write.run(['return-5512'], {});
		expect(messageOf(await write.run([again], {}))).toContain('was used before');
		expect(write.done()).toBe(1);
	});

	it('is the same however its accents are written, and another in other letters', async () => {
		const write = await start();
		await write.run(['commande-n\u00e9e'], {});
		expect(messageOf(await write.run(['commande-ne\u0301e'], {}))).toContain('was used before');
		expect((await write.run(['commande-nee', 'Commande-n\u00e9e'], {})).error).toBeUndefined();
		expect(write.done()).toBe(3);
	});

	it('says of a repeated one that it was done in this run, or is in doubt', async () => {
		const write = await start();
		const inRun = await write.run(['a', 'b', 'a'], {}, { onError: 'continueRegularOutput' });
		expect(inRun.json[2]).toMatchObject({
			error: expect.stringMatching(
				/^'Idempotency Key' “a” was used before.*\. The request was carried out in this run, for item 1$/,
			) as string,
		});
		write.answer({ answer: failure(500, 'broken'), executed: false });
		const done = write.done();
		expect(messageOf(await write.run(['c'], {}))).toMatch(/^UNKNOWN/);
		expect(messageOf(await write.run(['c'], {}))).toMatch(
			/\. It is in doubt whether the earlier request was carried out/,
		);
		const skipped = await write.run(['c'], { onRepeatedKey: 'skip' });
		expect(skipped.hints.map(({ message }) => message).join()).toMatch(
			/“c” was used before.*in doubt/,
		);
		expect(write.done()).toBe(done);
	});

	it('that is skipped gives no item, but a hint, with what a loop needs', async () => {
		const write = await start();
		const skip = async (...keys: string[]) => {
			const { items, hints } = await write.run(keys, { onRepeatedKey: 'skip' });
			return [items.length, ...hints.map(({ message }) => message)];
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

	it('is kept for one node only: a copied node starts without it', async () => {
		const write = await start();
		for (const nodeId of ['original', 'copied']) {
			expect((await write.run(['a'], {}, { nodeId })).error).toBeUndefined();
			expect(messageOf(await write.run(['a'], {}, { nodeId }))).toContain('was used before');
		}
		expect(write.done()).toBe(2);
	});

	it('is among the 10,000 newest ones that n8n keeps', async () => {
		const write = await start();
		await write.run(['a'], {});
		for (const [place, list] of processedData.lists) {
			// Each with what it is for. With the next key and the two marks of its claim, just as many as are kept.
			const others = Array.from({ length: 20_000 - 6 }, (_, number) => `other ${number}`);
			processedData.lists.set(place, [...list, ...others]);
		}
		await write.run(['b'], {});
		expect(messageOf(await write.run(['a'], {}))).toContain('was used before');
		await write.run(['c', 'd', 'e'], {});
		expect((await write.run(['a'], {})).error).toBeUndefined();
		for (const list of processedData.lists.values())
			expect(list.length).toBeLessThanOrEqual(20_000);
	});

	it('gives the earlier result under Retry On Fail', async () => {
		const write = await start();
		write.answer(
			{ answer: json({ id: uuid(9), message: 'done' }), executed: true },
			{ answer: failure(400, 'no'), executed: false },
		);
		const result = await write.run(['a', 'b'], {}, { retryOnFail: { maxTries: 2 } });
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(2);
		expect(write.done()).toBe(2);
	});

	it.each<unknown>([
		...[null, '', '  ', '\u200b', '\u0000', Number.NaN, 2 ** 53],
		...['k'.repeat(256), { id: 1 }],
	])('that is %j is refused, and nothing is sent or stored', async (key) => {
		const write = await start();
		expect(messageOf(await write.run([key], {}))).toMatch(/^'Idempotency Key' is /);
		expect(write.done()).toBe(0);
		expect(processedData.lists.size).toBe(0);
		for (const good of [7, 'k'.repeat(255)]) {
			expect((await write.run([good], {})).error).toBeUndefined();
		}
		expect(write.done()).toBe(2);
	});

	it('that can’t be recorded sends nothing', async () => {
		const write = await start();
		processedData.meanwhile = async () => await Promise.reject(new Error('database is locked'));
		const result = await write.run(['a'], {});
		expect(messageOf(result)).toMatch(
			/^n8n could not store the idempotency key: database is locked/,
		);
		expect(write.done()).toBe(0);
	});

	it('keeps its result when the memory fails after it, and warns when a key can’t be given back', async () => {
		const write = await start();
		const claimed = [undefined, undefined, undefined];
		const changes: Array<Error | undefined> = [...claimed, new Error('disk full')];
		processedData.meanwhile = async () => {
			const next = changes.shift();
			if (next !== undefined) await Promise.reject(next);
		};
		const result = await write.run(['a'], {});
		expect(result.error).toBeUndefined();
		expect(result.logs.map(({ message }) => message).join()).toMatch(
			/could not check an 'Idempotency Key' again/,
		);

		write.answer({ answer: failure(400, 'no'), executed: false });
		changes.push(...claimed, new Error('disk full'));
		const refused = await write.run(['b'], {});
		expect(messageOf(refused)).toMatch(/NOT/);
		expect(refused.logs.map(({ message }) => message).join()).toMatch(
			/could not release an 'Idempotency Key'/,
		);
	});

	it.each([
		['in one input', ['a', 'a'], 1],
		['in executions at once', ['a'], 2],
	])('that is refused first is free for who asks next %s', async (_where, keys, runs) => {
		const write = await start();
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

	it('stores nothing without the option', async () => {
		const write = await start();
		for (let time = 0; time < 2; time += 1) {
			expect((await write.run(['a'], undefined)).error).toBeUndefined();
		}
		expect(write.done()).toBe(2);
		expect(processedData.lists.size).toBe(0);
	});

	it('never leads to two for one key, whatever comes in between', async () => {
		await fc.assert(
			fc.asyncProperty(
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
				async (runs) => {
					processedData.reset();
					const write = await start();
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
			),
			{ numRuns: 30 },
		);
	});
});

describe('a key stands for one thing', () => {
	const orderOf = (lines: IDataObject[], currency = 'USD', key = 'order-') => ({
		lines,
		currency,
		key,
	});
	const TICKET = { name: 'Ticket', amount: '10.00', quantity: 1 };

	/** Creates a link for each order. @returns what is said, and what was created */
	async function createFor(orders: IDataObject[][], options: INodeParameters = {}) {
		const server = await scriptedServer(({ body }) =>
			json({ id: uuid(1), ...(body as object) }, 201),
		);
		const said: string[] = [];
		for (const items of orders) {
			const result = await runOperation(server, {
				resource: 'link',
				operation: 'create',
				parameters: {
					currency: '={{ $json.currency }}',
					itemsInput: 'json',
					itemsJson: '={{ $json.lines }}',
					options: { idempotencyKey: '={{ $json.key }}', ...options },
				},
				items,
				onError: 'continueRegularOutput',
			});
			said.push(...result.json.map(({ error }) => plainText(error ?? 'done')));
		}
		return { said, created: server.requests.map(({ body }) => body) };
	}

	it.each(['fail', 'skip'])(
		'half a key for three buyers makes one link, and says so of the others (%s)',
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

	it.each<[string, IDataObject]>([
		['another price', orderOf([{ ...TICKET, amount: '10.01' }])],
		['another quantity', orderOf([{ ...TICKET, quantity: 2 }])],
		['another line', orderOf([TICKET, TICKET])],
		['another currency', orderOf([TICKET], 'EUR')],
	])(
		'%s under an old key is an error in a later execution, also under Skip',
		async (_what, order) => {
			const { said, created } = await createFor([[orderOf([TICKET])], [order]], {
				onRepeatedKey: 'skip',
			});
			expect(said).toEqual(['done', expect.stringMatching(/was used for something else earlier/)]);
			expect(created).toHaveLength(1);
		},
	);

	it('half a key is never skipped, though all buyers buy the same', async () => {
		const server = await scriptedServer(() => json({ id: uuid(1) }, 201));
		const run = async (key: string, items: IDataObject[]) =>
			await runOperation(server, {
				resource: 'link',
				operation: 'create',
				parameters: { ...NEW_LINK, options: { idempotencyKey: key, onRepeatedKey: 'skip' } },
				items,
				onError: 'continueRegularOutput',
			});
		const { json: given } = await run('=order-{{ $json.shop }}-{{ $json.id }}', [
			{ shop: 'eu' },
			{ shop: 'eu' },
			{ shop: 'eu', id: 7 },
			{ shop: 'eu', id: 7 },
		]);
		expect(given.map(({ error }) => plainText(error ?? 'done'))).toEqual([
			'done',
			expect.stringMatching(
				/^'Idempotency Key' “order-eu-” was used before.*returned no value, so several items/,
			),
			'done',
		]);
		// A space beside a part is no value.
		const { json: spaced } = await run('=order {{ $json.id }} of eu', [{}, {}]);
		expect(spaced[1]?.['error']).toMatch(/returned no value/);
		for (const whole of ['=a b  {{ $json.id }} ', '={{ $json.id }}', '=(x) {{ $json.id }}.']) {
			await run(whole, [{ id: 8 }]);
			expect((await run(whole, [{ id: 8 }])).json).toEqual([]);
		}
	});

	it('a model reads that its key was used before, also under Skip', async () => {
		const service = await lenientService({ [A]: 10_000 });
		const options = { idempotencyKey: 'call-1', onRepeatedKey: 'skip' };
		await refund(service, [five(A)], { options, asAgentTool: true });
		const again = await refund(service, [five(A)], { options, asAgentTool: true });
		expect(messageOf(again)).toMatch(/^'Idempotency Key' “call-1” was used before/);
	});

	it('the same price written in another way is the same', async () => {
		const same = orderOf([{ ...TICKET, amount: 10 }]);
		const { said } = await createFor([[orderOf([TICKET])], [same]]);
		expect(said).toEqual([
			'done',
			expect.stringMatching(/was used before: .* The request was carried out earlier$/),
		]);
	});

	it.each<[string, IDataObject, INodeParameters]>([
		['another amount', five(A, '6.00'), {}],
		['another charge', five(uuid(2)), {}],
		['all that is left', five(A), { amountType: 'full' }],
	])('%s of a refund is another thing', async (_what, item, parameters) => {
		const service = await lenientService({ [A]: 10_000, [uuid(2)]: 10_000 });
		const options = { idempotencyKey: 'return-1', onRepeatedKey: 'skip' };
		await refund(service, [five(A)], { options });
		const other = await refund(service, [item], { options, parameters });
		expect(messageOf(other)).toMatch(
			/^'Idempotency Key' “return-1” was used for something else .* – NOT refunded$/,
		);
		expect(service.posts()).toHaveLength(1);
	});

	it('of several items of a run with one key and content, the first is carried out', async () => {
		for (let run = 0; run < 5; run += 1) {
			const server = await scriptedServer(() => json({ id: uuid(1) }, 201));
			const items = Array.from({ length: 6 }, (_, number) => ({ title: `item ${number}` }));
			const result = await runOperation(server, {
				resource: 'link',
				operation: 'create',
				parameters: {
					...NEW_LINK,
					additionalFields: { title: '={{ $json.title }}' },
					options: { idempotencyKey: `one of run ${run}`, onRepeatedKey: 'skip' },
				},
				items,
			});
			expect(result.items).toMatchObject([{ pairedItem: { item: 0 } }]);
			expect(server.requests).toMatchObject([{ body: { title: 'item 0' } }]);
		}
	});
});

it('a key of one operation is none of another', async () => {
	const links = await createLinks();
	const refunds = await refundCharges();
	await links.run(['a'], {});
	expect((await refunds.run(['a'], {})).error).toBeUndefined();
	expect([links.done(), refunds.done()]).toEqual([1, 1]);
});

const NO_KEYS =
	/'Idempotency Key' can’t be used here.* Agents.* – NOT refunded\. Nothing was sent\. Put this node and its key into a sub-workflow/;
const NO_KEYS_ALONE =
	/'Idempotency Key' can’t be used with 'Execute step' .* – NOT refunded\. Nothing was sent\. It works when an AI Agent .* calls this tool\. To test that, send/;

it.each<[place: string, says: RegExp, ask: (tool: ReturnType<typeof nodeOn>) => Promise<unknown>]>([
	['an older agent', NO_KEYS, async (tool) => (await runAsTool(tool))[0].answer],
	['n8n’s Agents', NO_KEYS, runInAgents],
	[
		'Execute step on the tool',
		NO_KEYS_ALONE,
		async (tool) => (await runAsTool({ ...tool, callerType: TOOL_EXECUTOR_TYPE }))[0].answer,
	],
])(
	'%s, for which n8n offers no memory, is told so before anything is sent',
	async (_place, says, ask) => {
		const service = await lenientService({ [A]: 1000 });
		const tool = nodeOn(service, {
			resource: 'charge',
			operation: 'refund',
			parameters: {
				chargeId: { __rl: true, mode: 'id', value: A },
				amount: '5.00',
				options: { idempotencyKey: 'order-1' },
			},
		});
		expect(JSON.stringify(await ask(tool))).toMatch(says);
		expect(service.posts()).toEqual([]);
	},
);

it('nothing left, returned as it is, does not use the key up', async () => {
	const { service, run } = await refundCharges();
	service.charge(A).refunds = [10_000];
	const options = { onAlreadyRefunded: 'returnExisting' };
	expect((await run(['a'], options)).json).toMatchObject([{ amount: '0.00' }]);
	expect(processedData.keys()).toEqual([]);
});
