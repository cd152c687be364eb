import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { useFakeClock } from '../../support/clock';
import { runToolCalls, type RunOptions, type RunResult } from '../../support/engine';
import {
	failure,
	json,
	reset,
	scriptedServer,
	type Answer,
} from '../../support/servers/http-server';
import { credentialsFor, runOperation, uuid } from '../../support/operations';
import { processedData } from '../../support/processedData';
import {
	five,
	lenientService,
	messageOf,
	refund,
	type LenientService,
	type RefundFate,
} from '../../support/refunds';
import fc from '../../support/jest/property';
import { LEAST } from './links';

/** Options → Idempotency Key on Create and Refund, which n8n's own memory of processed data makes good. */

const A = uuid(1);

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
				parameters: { ...LEAST, options: withKey(options) },
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
		answer: (...answers) => void service.fates.push(...(answers as RefundFate[])),
	};
}

const descriptionOf = ({ thrown }: RunResult): string =>
	(thrown.at(-1) as { description?: string } | undefined)?.description ?? '';

beforeEach(() => {
	useFakeClock();
});

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
			'Idempotency Key “order-1” was used before: nothing was sent for it this time',
		);
		expect(descriptionOf(second)).toMatch(/^What came of the first time is not known here/);
		expect((await write.run(['order-2'], {})).error).toBeUndefined();
		expect(write.done()).toBe(2);
	});

	it('gives no item for a repeated key that is to be skipped', async () => {
		const write = await start();
		const result = await write.run(['a', 'a', 'b'], { onRepeatedKey: 'skip' });
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(2);
		expect(write.done()).toBe(2);
		expect((await write.run(['b'], { onRepeatedKey: 'skip' })).items).toEqual([]);
		expect(write.done()).toBe(2);
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
			// With the next key and the mark of its claim, just as many as are kept.
			const others = Array.from({ length: 9_997 }, (_, number) => `other ${number}`);
			processedData.lists.set(place, [...list, ...others]);
		}
		await write.run(['b'], {});
		expect(messageOf(await write.run(['a'], {}))).toContain('was used before');
		await write.run(['c', 'd', 'e'], {});
		expect((await write.run(['a'], {})).error).toBeUndefined();
		for (const list of processedData.lists.values())
			expect(list.length).toBeLessThanOrEqual(10_000);
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

	it.each<[string, Answer]>([
		['a 500', failure(500, 'broken')],
		['a reset', reset()],
		['a redirect', { kind: 'reply', status: 307, headers: { location: '/' } }],
	])('stays used after %s, whose outcome is unknown', async (_what, answer) => {
		const write = await start();
		write.answer({ answer, executed: false });
		expect(messageOf(await write.run(['a'], {}))).toMatch(/^UNKNOWN/);
		const second = await write.run(['a'], {});
		expect(messageOf(second)).toContain('was used before');
		expect(write.done()).toBe(0);
	});

	it.each<unknown>([
		...[null, '', '  ', '\u200b', '\u0000', Number.NaN, 2 ** 53],
		...['k'.repeat(256), { id: 1 }],
	])('that is %j is refused, and nothing is sent or stored', async (key) => {
		const write = await start();
		expect(messageOf(await write.run([key], {}))).toMatch(/^Idempotency Key is /);
		expect(write.done()).toBe(0);
		expect(processedData.lists.size).toBe(0);
		for (const good of [7, 'k'.repeat(255)]) {
			expect((await write.run([good], {})).error).toBeUndefined();
		}
		expect(write.done()).toBe(2);
	});

	it('that is a number which may have lost digits is called so, and not empty', async () => {
		const write = await start();
		expect(messageOf(await write.run([1.5], {}))).toMatch(/^Idempotency Key is 1\.5: as a number/);
	});

	it('that can’t be recorded sends nothing', async () => {
		const write = await start();
		processedData.failures = [new Error('database is locked')];
		const result = await write.run(['a'], {});
		expect(messageOf(result)).toMatch(
			/^n8n could not record the Idempotency Key: database is locked/,
		);
		expect(write.done()).toBe(0);
	});

	it('keeps its result when the memory fails after it, and warns when a key can’t be given back', async () => {
		const write = await start();
		const claimed = [undefined, undefined, undefined];
		const pauses: Array<Error | undefined> = [...claimed, new Error('disk full')];
		processedData.meanwhile = () => {
			const next = pauses.shift();
			if (next !== undefined) processedData.failures.push(next);
		};
		const result = await write.run(['a'], {});
		expect(result.error).toBeUndefined();
		expect(result.logs.map(({ message }) => message).join()).toMatch(/could not be checked again/);

		write.answer({ answer: failure(400, 'no'), executed: false });
		pauses.push(...claimed, new Error('disk full'));
		const refused = await write.run(['b'], {});
		expect(messageOf(refused)).toMatch(/NOT/);
		expect(refused.logs.map(({ message }) => message).join()).toMatch(/could not be given back/);
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

it('a key of one operation is none of another', async () => {
	const links = await createLinks();
	const refunds = await refundCharges();
	await links.run(['a'], {});
	expect((await refunds.run(['a'], {})).error).toBeUndefined();
	expect([links.done(), refunds.done()]).toEqual([1, 1]);
});

it('an older agent, for which n8n offers no memory, is told so before anything is sent', async () => {
	const service = await lenientService({ [A]: 1000 });
	const [result] = await runToolCalls({
		nodeType: new PaymentCollection(),
		credentials: credentialsFor(service),
		parameters: {
			resource: 'charge',
			operation: 'refund',
			chargeId: { __rl: true, mode: 'id', value: A },
			amount: '5.00',
			options: { idempotencyKey: 'order-1' },
		},
		calls: [{}],
	});
	expect(result?.answer).toContain('Idempotency Key can’t be used here');
	expect(result?.answer).toContain('Update n8n to 1.123 or newer');
	expect(service.posts()).toEqual([]);
});

it('nothing left, returned as it is, does not use the key up', async () => {
	const { service, run } = await refundCharges();
	service.charge(A).refunds = [10_000];
	const options = { onAlreadyRefunded: 'returnExisting' };
	expect((await run(['a'], options)).json).toMatchObject([{ amount: '0.00' }]);
	expect(processedData.keys()).toEqual([]);
});
