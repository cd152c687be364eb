import type { INodeParameters, OnError } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { MAX_AGE_MS } from '../../../nodes/PaymentCollection/writes/attemptLedger';
import { startSandbox, type FaultAction, type Sandbox } from '../../../sandbox';
import { useFakeClock } from '../../support/clock';
import { runNodeInLoop, runRouting, type RunResult } from '../../support/engine';
import { failure, json, scriptedServer } from '../../support/http-server';
import {
	credentialsFor,
	runOperation,
	uuid,
	type OperationOptions,
} from '../../support/operations';
import { PLANTED } from '../../support/secrets';
import { lenientService, refund } from '../../support/refunds';

/** POST /v1/links under Retry On Fail, and what is common to both writes. */

const ITEMS = { item: [{ name: 'Ticket', amount: '12.50', quantity: 1 }] };

const linkParameters = (note: string): INodeParameters => ({
	currency: 'USD',
	items: ITEMS,
	additionalFields: { title: '={{ $json.title }}', note },
});

type Options = Partial<OperationOptions> & { note?: string };

const createLinks = async (
	server: { url: string },
	titles: string[],
	{ note = '', ...options }: Options = {},
): Promise<RunResult> =>
	await runOperation(server, {
		resource: 'link',
		operation: 'create',
		parameters: linkParameters(note),
		items: titles.map((title) => ({ title })),
		...options,
	});

let sandbox: Sandbox;

beforeAll(async () => {
	const counts = { charges: 0, customers: 0, links: 0, invoices: 0, checkoutSessions: 0 };
	sandbox = await startSandbox({ apiKey: PLANTED.apiKey, counts });
});

afterAll(async () => {
	await sandbox.close();
});

beforeEach(() => {
	sandbox.reset();
	useFakeClock();
});

const created = (): string[] => sandbox.store.links.all().map(({ link }) => link.title);

const posts = (): number => sandbox.requests.filter(({ method }) => method === 'POST').length;

/** One fault on the link of one title, by the order in which n8n sends them: all at once, in item order. */
const strike = (action: FaultAction, ...nth: number[]): number =>
	sandbox.addFault({ match: { method: 'POST', path: '/v1/links', nth }, action });

describe('a link whose run is tried again', () => {
	it('is not created a second time because another one failed', async () => {
		strike({ status: 400 }, 2);
		const result = await createLinks(sandbox, ['a', 'b', 'c'], { retryOnFail: { maxTries: 2 } });
		expect(result.tries).toBe(2);
		expect(result.json.map(({ title }) => title)).toEqual(['a', 'b', 'c']);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
		expect(created().sort()).toEqual(['a', 'b', 'c']);
		expect(posts()).toBe(4);
	});

	it('is the same link when its note has another value by now', async () => {
		strike({ status: 403 }, 2, 3, 4);
		const result = await createLinks(sandbox, ['a', 'b'], {
			note: '={{ $now.toMillis() + "-" + Math.random() }}',
			retryOnFail: { maxTries: 5 },
		});
		expect(result.tries).toBe(4);
		const link = sandbox.store.links.all().find(({ link: { title } }) => title === 'a')?.link;
		expect(created().sort()).toEqual(['a', 'b']);
		expect(result.json[0]).toMatchObject({ id: link?.id, note: link?.note });
	});

	it('is created again by a loop that runs the node again', async () => {
		strike({ status: 400 }, 2);
		const result = await runNodeInLoop({
			nodeType: new PaymentCollection(),
			credentials: credentialsFor(sandbox),
			parameters: { resource: 'link', operation: 'create', ...linkParameters('same') },
			retryOnFail: { maxTries: 3 },
			rounds: [[{ title: 'a' }, { title: 'b' }], [{ title: 'a' }], [{ title: 'a' }]],
		});
		expect(result.status).toBe('success');
		expect(created().sort()).toEqual(['a', 'a', 'a', 'b']);
		const ids = result.runs.map(({ json: [record] }) => record?.id);
		expect(new Set(ids).size).toBe(3);
	});

	it('is created by each of two executions', async () => {
		await createLinks(sandbox, ['a']);
		await createLinks(sandbox, ['a']);
		expect(created()).toEqual(['a', 'a']);
	});

	it('is not repeated by an execution that is run anew under its own id, as a queue does', async () => {
		await createLinks(sandbox, ['a'], { executionId: 'same' });
		await createLinks(sandbox, ['a'], { executionId: 'same' });
		expect(created()).toEqual(['a']);
		await createLinks(sandbox, ['b'], { executionId: 'same' });
		expect(created().sort()).toEqual(['a', 'b']);
	});

	it('is told apart where n8n gives no execution id', async () => {
		strike({ status: 400 }, 2);
		const options = { executionId: '', retryOnFail: { maxTries: 2 } };
		await createLinks(sandbox, ['a', 'b'], options);
		expect(created().sort()).toEqual(['a', 'b']);
		await createLinks(sandbox, ['a', 'b'], options);
		expect(created().sort()).toEqual(['a', 'a', 'b', 'b']);
	});

	it('does not mix with the same item of another node of the execution', async () => {
		const first = await createLinks(sandbox, ['a'], { executionId: 'one' });
		const other = await runOperation(sandbox, {
			resource: 'link',
			operation: 'update',
			parameters: { linkId: first.json[0]?.id as string, updateFields: { title: 'renamed' } },
			executionId: 'one',
		});
		expect(other.json[0]).toMatchObject({ title: 'renamed' });
	});
});

describe('a link and every fault', () => {
	const REFUSALS: FaultAction[] = [
		...[400, 401, 403, 404, 409, 422].map((status) => ({ status })),
		{ status: 429, headers: { 'retry-after': '600' } },
	];
	const OPEN: FaultAction[] = [
		...[408, 500, 502, 503, 504].map((status) => ({ status })),
		{ status: 502, html: true },
		{ html: true },
		{ malformedJson: true },
		{ status: 200 },
		{ status: 200, body: '' },
		{ status: 200, body: [] },
		{ status: 200, body: { queued: true } },
		{ status: 303, redirectTo: '/done' },
		{ status: 308, redirectTo: '/elsewhere' },
	].flatMap((action: FaultAction) => [action, { ...action, afterExecuting: true }]);
	/** Long enough for an answer that comes at once, on a machine that is busy. */
	const WAIT_MS = 400;
	/** Only what is never answered, or too late, is waited for. */
	const waitFor = (action: FaultAction) =>
		'hang' in action || 'delayMs' in action ? { timeout: WAIT_MS } : {};
	const BROKEN: FaultAction[] = [
		{ resetBefore: true },
		{ resetAfter: true },
		{ cutOff: true },
		{ hang: 'before' },
		{ hang: 'after' },
		{ delayMs: 2 * WAIT_MS },
	];
	const MODES: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
	const named = (actions: FaultAction[]): Array<[string, FaultAction]> =>
		actions.map((action) => [JSON.stringify(action), action]);

	it.each(named(REFUSALS))('%s: refused, so the next try sends it', async (_name, action) => {
		for (const maxTries of [2, 3, 4, 5]) {
			for (const onError of MODES) {
				sandbox.reset();
				strike(action, ...Array.from({ length: maxTries - 1 }, (_, number) => number + 1));
				const result = await createLinks(sandbox, ['a'], { retryOnFail: { maxTries }, onError });
				expect(result.json).toMatchObject([{ title: 'a' }]);
				expect(created()).toEqual(['a']);
				expect(posts()).toBe(maxTries);
			}
		}
	});

	it.each(named([...OPEN, ...BROKEN]))(
		'%s: perhaps created, so no try sends it again',
		async (_name, action) => {
			for (const [maxTries, onError] of [
				[5, 'stopWorkflow'],
				[2, 'continueRegularOutput'],
				[3, 'continueErrorOutput'],
			] as const) {
				sandbox.reset();
				strike(action, 1);
				const result = await createLinks(sandbox, ['a', 'b'], {
					retryOnFail: { maxTries },
					onError,
					requestOptions: waitFor(action),
				});
				if (action.delayMs !== undefined) {
					await new Promise((resolve) => setTimeout(resolve, action.delayMs));
				}
				expect(posts()).toBe(2);
				expect(created().filter((title) => title === 'a').length).toBeLessThanOrEqual(1);
				expect(created().filter((title) => title === 'b')).toEqual(['b']);
				const told = [...result.json, ...result.errorItems.map(({ json: item }) => item)];
				const errors = told.flatMap(({ error }) => (typeof error === 'string' ? [error] : []));
				const message = result.error?.message ?? errors[0];
				expect(message).toMatch(
					/^UNKNOWN whether the link was created: check before you retry\. It was sent in an earlier try and not again/,
				);
			}
		},
	);

	it.each(named([...OPEN, ...BROKEN]))(
		'%s: without Retry On Fail the error says that it may have been carried out',
		async (_name, action) => {
			strike(action, 1);
			const result = await createLinks(sandbox, ['a'], { requestOptions: waitFor(action) });
			expect(result.thrown[0]).toMatchObject({
				description: expect.stringContaining('may have carried the request out') as string,
			});
		},
	);

	it('429: waits and sends it again by itself', async () => {
		const clock = useFakeClock();
		strike({ status: 429, headers: { 'retry-after': '20' } }, 1);
		const result = await createLinks(sandbox, ['a']);
		expect(result.json).toMatchObject([{ title: 'a' }]);
		expect(clock.sleeps).toEqual([20_000]);
		expect(created()).toEqual(['a']);
	});

	it('an error text under 200 is no link', async () => {
		const server = await scriptedServer(() => json({ error: 'over quota' }));
		const result = await createLinks(server, ['a'], { onError: 'continueErrorOutput' });
		expect(result.items).toEqual([]);
		expect(result.errorItems[0]?.json.error).toContain('over quota');
	});
});

describe('40 links of which some fail', () => {
	it.each([2, 3, 5])('are each created once within %i tries', async (maxTries) => {
		const titles = Array.from({ length: 40 }, (_, number) => `link ${number}`);
		// One fails in each try but the last: once it has failed, no further one is sent in that try.
		strike({ status: 409 }, ...[7, 20, 33, 41].slice(0, maxTries - 1));
		const result = await createLinks(sandbox, titles, { retryOnFail: { maxTries } });
		expect(result.error).toBeUndefined();
		expect(result.json.map(({ title }) => title)).toEqual(titles);
		expect(created().sort()).toEqual([...titles].sort());
	});
});

describe('the memory of a write', () => {
	it('stays when a run takes longer than outcomes are kept', async () => {
		const clock = useFakeClock();
		const server = await scriptedServer(async ({ body }) => {
			const { title } = body as { title: string };
			if (title === 'a') return json({ id: uuid(1), title }, 201);
			await new Promise((resolve) => setTimeout(resolve, 100));
			clock.advance(MAX_AGE_MS + 1);
			return failure(400, 'no');
		});
		const result = await createLinks(server, ['a', 'b'], { retryOnFail: { maxTries: 2 } });
		expect(result.error?.message).toContain('what came of it is no longer kept');
		const titles = server.requests.map(({ body }) => (body as { title: string }).title);
		expect(titles.filter((title) => title === 'a')).toHaveLength(1);
	});

	it('stays for refunds too', async () => {
		const clock = useFakeClock();
		const [A, B] = [uuid(1), uuid(2)];
		const service = await lenientService({ [A]: 2000, [B]: 2000 }, [
			'well',
			{ answer: failure(409, 'busy'), executed: false },
		]);
		service.rows = (id) => {
			if (id === B) clock.advance(MAX_AGE_MS / 2 + 1);
			return [service.show(service.charge(id))];
		};
		const items = [A, B].map((charge) => ({ charge, amount: '5.00' }));
		const result = await refund(service, items, { retryOnFail: { maxTries: 2 } });
		expect(result.error?.message).toMatch(/^UNKNOWN/);
		expect(service.refunded(A)).toBe(500);
	});
});

describe('a cancelled execution', () => {
	it.each<OnError>(['stopWorkflow', 'continueRegularOutput'])(
		'refunds nothing after the refund that is under way (%s)',
		async (onError) => {
			const ids = [1, 2, 3, 4].map(uuid);
			const service = await lenientService(Object.fromEntries(ids.map((id) => [id, 1000])));
			const controller = new AbortController();
			service.rows = (id) => {
				if (id === ids[1]) controller.abort();
				return [service.show(service.charge(id))];
			};
			await refund(
				service,
				ids.map((charge) => ({ charge, amount: '5.00' })),
				{ onError, signal: controller.signal, retryOnFail: { maxTries: 3 } },
			);
			await new Promise((resolve) => setTimeout(resolve, 100));
			expect(service.posts().map(({ id }) => id)).toEqual([ids[0]]);
		},
	);

	it('creates no more links', async () => {
		const controller = new AbortController();
		const server = await scriptedServer(() => {
			controller.abort();
			return { kind: 'hang' };
		});
		const titles = Array.from({ length: 40 }, (_, number) => `link ${number}`);
		await createLinks(server, titles, {
			signal: controller.signal,
			retryOnFail: { maxTries: 3 },
			requestOptions: { timeout: 100 },
		});
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(server.requests.length).toBeLessThanOrEqual(8);
	});
});

describe('refunds by the routing alone, as n8n runs an agent’s tool', () => {
	it('go one after another and see each other', async () => {
		const [A, B] = [uuid(1), uuid(2)];
		const service = await lenientService({ [A]: 1000, [B]: 1000 });
		const items = [A, B, A].map((charge) => ({ charge, amount: '5.00' }));
		const [output] = await runRouting({
			nodeType: new PaymentCollection(),
			credentials: credentialsFor(service),
			parameters: {
				resource: 'charge',
				operation: 'refund',
				chargeId: { __rl: true, mode: 'id', value: '={{ $json.charge }}' },
				amount: '={{ $json.amount }}',
			},
			items,
		});
		expect(service.maxInFlight()).toBe(1);
		expect(output?.map(({ json: record }) => record.remaining)).toEqual(['5.00', '5.00', '0.00']);
		expect(output?.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
	});
});
