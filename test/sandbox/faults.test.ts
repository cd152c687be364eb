import { setTimeout as wait } from 'node:timers/promises';
import type { AxiosError } from 'axios';
import type { FaultAction } from '../../sandbox';
import { sandbox, useSandbox } from '../support/sandbox';
import { ask, refusal, send } from './client';

useSandbox({ counts: { charges: 30, customers: 5, links: 5 } });

async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await wait(2);
}

/** Status and body as a client gets them, or the code of the connection's failure. */
const outcome = async (sent: ReturnType<typeof send>): Promise<unknown> =>
	await sent.then(
		({ status, data }) => `${status} ${typeof data === 'string' ? data : JSON.stringify(data)}`,
		(error: unknown) => (error as AxiosError).code,
	);

const ERROR = '{"error":{"message":"A fault rule answered 502","code":"staged_fault"}}';
const PAGE = '<!doctype html><title>Gateway</title><h1>Gateway</h1>';
const REFUNDED = '200 {"message":"Refunded 1.00 USD"}';

describe('a refund under a fault', () => {
	it.each<[FaultAction, string, { isCarriedOut: boolean }]>([
		[{ status: 502 }, `502 ${ERROR}`, { isCarriedOut: false }],
		[{ status: 502, afterExecuting: true }, `502 ${ERROR}`, { isCarriedOut: true }],
		[{ status: 500, body: { detail: 'x' } }, '500 {"detail":"x"}', { isCarriedOut: false }],
		[{ body: 'text' }, '200 text', { isCarriedOut: false }],
		[{ html: true, status: 403 }, `403 ${PAGE}`, { isCarriedOut: false }],
		[{ malformedJson: true }, '200 {"count": 3, "results": [{"id": "', { isCarriedOut: false }],
		[{ redirectTo: 'http://elsewhere.example' }, '302 ', { isCarriedOut: false }],
		[{ redirectTo: '/', status: 307 }, '307 ', { isCarriedOut: false }],
		[{ reset: true }, 'ECONNRESET', { isCarriedOut: false }],
		[{ reset: true, afterExecuting: true }, 'ECONNRESET', { isCarriedOut: true }],
		[{ delayMs: 40 }, REFUNDED, { isCarriedOut: true }],
		[{ delayMs: 40, afterExecuting: true }, REFUNDED, { isCarriedOut: true }],
	])('%j is answered %s, %p', async (action, expected, { isCarriedOut }) => {
		const { id } = sandbox.insertCharge({ currency: 'USD', total: '10.00' });
		sandbox.addFault({ action });
		const began = performance.now();
		expect(await outcome(send('chargeRefund', { id, body: { amount: '1.00' } }))).toBe(expected);
		// A timer may ring up to a millisecond early, by another clock.
		expect(performance.now() - began).toBeGreaterThan((action.delayMs ?? 0) - 2);
		const { refund_total } = sandbox.store.charges.get(id)?.charge ?? {};
		expect(refund_total).toBe(isCarriedOut ? '1.00' : '0.00');
	});

	it.each([
		[{ hang: true }, '0.00'],
		[{ hang: true, afterExecuting: true }, '1.00'],
	])('is never answered under %j, refunded %s', async (action, total) => {
		const { id } = sandbox.insertCharge({ currency: 'USD', total: '10.00' });
		sandbox.addFault({ action });
		const patience = new AbortController();
		const { signal } = patience;
		const sent = send('chargeRefund', { id, body: { amount: '1.00' }, signal });
		const refunded = () => sandbox.store.charges.get(id)?.charge.refund_total;
		await until(() => sandbox.requests.length === 1 && refunded() === total);
		// Others are answered meanwhile, and this one is not.
		sandbox.clearFaults();
		await ask('chargeList');
		expect(sandbox.requests[0]?.endedAtMs).toBeNull();
		patience.abort();
		expect(await outcome(sent)).toBe('ERR_CANCELED');
		await until(() => sandbox.requests[0]?.endedAtMs !== null);
		expect([sandbox.requests[0]?.status, refunded()]).toEqual([null, total]);
	});
});

it('the first rule that is due is applied, as often as its numbers say', async () => {
	sandbox.addFault({ match: { nth: 2, method: 'get' }, action: { status: 500 } });
	sandbox.addFault({ match: { nth: [3, 5], path: '/v1/ch' }, action: { status: 502 } });
	sandbox.addFault({ match: { times: 1, page: 1 }, action: { status: 503 } });
	const last = sandbox.addFault({ match: { method: 'POST' }, action: { status: 504 } });
	const statuses: number[] = [];
	while (statuses.length < 6) statuses.push((await send('chargeList')).status);
	expect(statuses).toEqual([503, 500, 502, 200, 502, 200]);
	expect((await send('linkCreate', { body: {} })).status).toBe(504);
	sandbox.removeFault(last);
	expect((await send('linkCreate', { body: {} })).status).toBe(400);
});

it('the request log keeps method, path, query, body, status and whether the key was right, never the key', async () => {
	await ask('chargeList', { query: { search: 'a b' } });
	await refusal('customerList', { key: 'wrong-key' });
	await refusal('linkCreate', { key: null, body: {} });
	await refusal('linkCreate', { body: { title: 'x' } });
	expect(sandbox.requests).toMatchObject([
		{ method: 'GET', path: '/v1/charges', query: { search: 'a b' }, keyRight: true, status: 200 },
		{ path: '/v1/customers', keySent: true, keyRight: false, status: 401 },
		{ keySent: false, keyRight: false, status: 401 },
		{ method: 'POST', path: '/v1/links', body: { title: 'x' }, status: 400 },
	]);
	expect(JSON.stringify(sandbox.requests)).not.toMatch(new RegExp(`wrong-key|${sandbox.apiKey}`));
});
