import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type FaultRule, type Sandbox, startSandbox } from '../../sandbox';
import { ask, readAllChargeIds, refusal, send } from './client';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ counts: { charges: 30, customers: 5, links: 5 } });
});
beforeEach(() => sandbox.reset());
afterAll(async () => sandbox.close());

/** A charge with 10.00 to refund, and a refund of 1.00 that is asked for under a fault. */
function refundUnder(action: FaultRule['action'], signal?: AbortSignal) {
	const { id } = sandbox.insertCharge({ currency: 'USD', total: '10.00' });
	sandbox.addFault({ match: { method: 'post', path: '/v1/charges' }, action });
	return {
		answer: send(sandbox, 'chargeRefund', { id, body: { amount: '1.00' }, signal }),
		refunded: () => sandbox.store.charges.get(id)?.charge.refund_total,
	};
}

/** Waits for something that happens in the server. */
async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await wait(2);
}

/** What a client's fetch failed with. */
async function failure(answer: Promise<unknown>): Promise<string> {
	try {
		await answer;
	} catch (error) {
		// Not instanceof Error: fetch's errors are made outside of the realm that jest runs a test in.
		const { name, cause } = error as { name: string; cause?: { code?: string } };
		return cause?.code ?? name;
	}
	return 'none';
}

describe('a fault', () => {
	it('answers a status with an error body and headers, in place of executing', async () => {
		const { answer, refunded } = refundUnder({ status: 429, headers: { 'Retry-After': '7' } });
		const response = await answer;
		expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '7']);
		expect(await response.json()).toMatchObject({ error: { code: 'staged_fault' } });
		expect(refunded()).toBe('0.00');
	});

	it('answers a given body, JSON or text', async () => {
		sandbox.addFault({ match: { nth: 1 }, action: { status: 500, body: { detail: 'x' } } });
		sandbox.addFault({ match: {}, action: { body: '' } });
		const json = await send(sandbox, 'chargeList');
		expect([json.status, await json.json()]).toEqual([500, { detail: 'x' }]);
		const text = await send(sandbox, 'chargeList');
		expect([text.status, await text.text()]).toEqual([200, '']);
	});

	it('answers HTML and JSON that breaks off', async () => {
		sandbox.addFault({ match: { nth: 1 }, action: { html: true, status: 502 } });
		sandbox.addFault({ match: { nth: 2 }, action: { html: '<p>Sign in</p>' } });
		sandbox.addFault({ match: {}, action: { malformedJson: true } });
		const first = await send(sandbox, 'chargeList');
		expect([first.status, first.headers.get('Content-Type')]).toEqual([
			502,
			'text/html; charset=utf-8',
		]);
		expect(await (await send(sandbox, 'chargeList')).text()).toBe('<p>Sign in</p>');
		const broken = await send(sandbox, 'chargeList');
		expect(broken.headers.get('Content-Type')).toContain('application/json');
		await expect(broken.json()).rejects.toHaveProperty('name', 'SyntaxError');
	});

	it('hides the outcome of a write that was executed', async () => {
		const { answer, refunded } = refundUnder({ status: 502, html: true, afterExecuting: true });
		expect((await answer).status).toBe(502);
		expect(refunded()).toBe('1.00');
	});

	it('redirects, with 302 or the status given', async () => {
		sandbox.addFault({ match: { nth: 1 }, action: { redirectTo: 'http://elsewhere.example' } });
		sandbox.addFault({
			match: {},
			action: { redirectTo: 'http://elsewhere.example', status: 307 },
		});
		for (const status of [302, 307]) {
			const response = await send(sandbox, 'chargeList');
			expect([response.status, response.headers.get('Location')]).toEqual([
				status,
				'http://elsewhere.example',
			]);
		}
	});

	it('resets the connection before executing', async () => {
		const { answer, refunded } = refundUnder({ resetBefore: true });
		expect(await failure(answer)).toBe('ECONNRESET');
		expect(refunded()).toBe('0.00');
		expect(sandbox.requests[0]?.status).toBeNull();
	});

	it('resets the connection after executing', async () => {
		const { answer, refunded } = refundUnder({ resetAfter: true });
		expect(await failure(answer)).toBe('ECONNRESET');
		expect(refunded()).toBe('1.00');
		expect(sandbox.requests[0]?.status).toBeNull();
	});

	it('cuts an answer off half-way', async () => {
		sandbox.addFault({ match: {}, action: { cutOff: true } });
		const response = await send(sandbox, 'chargeList');
		expect(response.status).toBe(200);
		await expect(response.text()).rejects.toThrow('terminated');
	});

	it.each([
		['before', '0.00'],
		['after', '1.00'],
	] as const)('never answers, %s executing', async (hang, total) => {
		const patience = new AbortController();
		const { answer, refunded } = refundUnder({ hang }, patience.signal);
		await until(() => sandbox.requests.length === 1 && refunded() === total);
		// Long enough for an answer, had there been one.
		await wait(30);
		patience.abort();
		expect(await failure(answer)).toBe('AbortError');
		expect(refunded()).toBe(total);
		await until(() => sandbox.requests[0]?.endedAtMs !== null);
		expect(sandbox.requests[0]?.status).toBeNull();
	});

	it('delays, before or after executing', async () => {
		const started = performance.now();
		const { answer, refunded } = refundUnder({ delayMs: 40 });
		expect((await answer).status).toBe(200);
		expect(performance.now() - started).toBeGreaterThan(35);
		expect(refunded()).toBe('1.00');
		sandbox.reset();
		const late = refundUnder({ delayMs: 60, afterExecuting: true });
		await until(() => late.refunded() === '1.00');
		expect(sandbox.requests[0]?.status).toBeNull();
		expect((await late.answer).status).toBe(200);
	});

	it('inserts charges between two pages, so that rows shift and one is read twice', async () => {
		sandbox.addFault({ match: { path: '/v1/charges', page: 1 }, action: { insertCharges: 2 } });
		const ids = await readAllChargeIds(sandbox, { page_size: 10 });
		expect(ids).toHaveLength(32);
		expect(new Set(ids).size).toBe(30);
	});

	it('removes charges between two pages, so that rows are skipped', async () => {
		sandbox.addFault({ match: { page: 1 }, action: { removeCharges: 2 } });
		expect(await readAllChargeIds(sandbox, { page_size: 10 })).toHaveLength(28);
	});

	it('adds headers to an answer that stays as it is', async () => {
		sandbox.addFault({ match: {}, action: { headers: { 'X-Request-Id': '1' } } });
		const response = await send(sandbox, 'chargeList');
		expect([response.status, response.headers.get('X-Request-Id')]).toEqual([200, '1']);
	});
});

describe('a rule', () => {
	const statuses = async (count: number) => {
		const seen: number[] = [];
		while (seen.length < count) seen.push((await send(sandbox, 'chargeList')).status);
		return seen;
	};

	it('hits the nth matching request, or a few of them, or so many in a row', async () => {
		sandbox.addFault({ match: { nth: 2 }, action: { status: 500 } });
		sandbox.addFault({ match: { nth: [3, 5] }, action: { status: 502 } });
		sandbox.addFault({ match: { times: 1 }, action: { status: 503 } });
		expect(await statuses(6)).toEqual([503, 500, 502, 200, 502, 200]);
	});

	it('gives way to the rule before it, and is gone when it is removed', async () => {
		const first = sandbox.addFault({ match: {}, action: { status: 500 } });
		sandbox.addFault({ match: {}, action: { status: 501 } });
		expect(await statuses(1)).toEqual([500]);
		expect([sandbox.removeFault(first), sandbox.removeFault(first)]).toEqual([true, false]);
		expect(await statuses(1)).toEqual([501]);
		sandbox.clearFaults();
		expect(await statuses(1)).toEqual([200]);
	});

	it('matches by method, path prefix, expression, query and page', async () => {
		sandbox.addFault({ match: { method: 'POST' }, action: { status: 500 } });
		sandbox.addFault({ match: { path: '/v1/customers' }, action: { status: 501 } });
		sandbox.addFault({ match: { path: '^/v1/inv' }, action: { status: 502 } });
		sandbox.addFault({ match: { path: /checkout/g }, action: { status: 503 } });
		sandbox.addFault({ match: { query: { search: 'a&b?c' } }, action: { status: 504 } });
		sandbox.addFault({ match: { page: 2 }, action: { status: 429 } });
		const status = async (
			...call: Parameters<typeof send> extends [unknown, ...infer Rest] ? Rest : never
		) => (await send(sandbox, ...call)).status;
		expect(await status('linkCreate', { body: {} })).toBe(500);
		expect(await status('customerList')).toBe(501);
		expect(await status('invoiceGet', { id: 'x' })).toBe(502);
		expect(await status('checkoutGet', { id: 'x' })).toBe(503);
		expect(await status('checkoutGet', { id: 'x' })).toBe(503);
		expect(await status('chargeList', { query: { search: 'a&b?c' } })).toBe(504);
		expect(await status('chargeList', { query: { page: 2 } })).toBe(429);
		expect(await status('chargeList', { query: { page: 1 } })).toBe(200);
	});

	it('is refused when it is malformed', () => {
		const wrong = { match: {}, action: { explode: true } } as unknown as FaultRule;
		expect(() => sandbox.addFault(wrong)).toThrow('explode');
	});
});

describe('the request log', () => {
	it('keeps order, method, path, query, body, status and whether the key was right, never the key', async () => {
		await ask(sandbox, 'chargeList', { query: { search: 'a b' } });
		await refusal(sandbox, 'customerList', { key: 'wrong-key' });
		await refusal(sandbox, 'linkCreate', { key: null, body: {} });
		await refusal(sandbox, 'linkCreate', { body: { title: 'x' } });
		expect(sandbox.requests).toMatchObject([
			{ method: 'GET', path: '/v1/charges', query: { search: 'a b' }, keyRight: true, status: 200 },
			{ path: '/v1/customers', keySent: true, keyRight: false, status: 401 },
			{ keySent: false, keyRight: false, status: 401 },
			{ method: 'POST', path: '/v1/links', body: { title: 'x' }, status: 400 },
		]);
		const orders = sandbox.requests.map(({ order }) => order);
		expect(orders).toEqual([...orders].sort((a, b) => a - b));
		expect(JSON.stringify(sandbox.requests)).not.toMatch(new RegExp(`wrong-key|${sandbox.apiKey}`));
		sandbox.clearRequests();
		expect(sandbox.requests).toEqual([]);
	});

	it('knows the most requests in flight at once', async () => {
		sandbox.addFault({ match: {}, action: { delayMs: 100 } });
		await Promise.all([1, 2, 3].map(async () => ask(sandbox, 'chargeList')));
		expect(sandbox.maxInFlight).toBe(3);
		sandbox.reset();
		for (let left = 5; left > 0; left -= 1) await ask(sandbox, 'chargeList');
		expect(sandbox.maxInFlight).toBe(1);
	});
});
