import type { FaultAction } from '../../../sandbox';
import { refund, toldBy, type Told } from '../../support/refunds';
import { executed, newCharge, posted, sandbox } from '../../support/refundSandbox';

/**
 * What the node finds out of each fault that can befall a refund. That it tells no lies in any circumstances is tried in
 * test/action/writes/faults.matrix.test.ts; here it may not be content with UNKNOWN where it can know.
 */

type Verdict = Told['verdict'];

interface Fault {
	name: string;
	/** What befalls the request to refund. */
	action: FaultAction;
	/** What must be told of the refund when it goes wrong so. */
	told: Verdict;
	/** What a next try, or the transport by itself, makes of it when it happens once. */
	once: Verdict;
}

/** Long enough for an answer of a busy machine. */
const TIMEOUT_MS = 250;

/** A refusal is believed and sent again, unless the charge contradicts it: a next try finds the refund then. */
const refusal = (name: string, action: FaultAction): Fault[] => [
	{ name, action, told: 'not refunded', once: 'refunded' },
	{
		name: `${name} after executing`,
		action: { ...action, afterExecuting: true },
		told: 'refunded',
		once: 'refunded',
	},
];

/** Of what says nothing certain, the charge shows what it did, and that it does not show is no proof. */
const lost = (name: string, action: FaultAction, executing: FaultAction): Fault[] => [
	{ name, action, told: 'unknown', once: 'unknown' },
	{ name: `${name} after executing`, action: executing, told: 'refunded', once: 'refunded' },
];

const answer = (name: string, action: FaultAction): Fault[] =>
	lost(name, action, { ...action, afterExecuting: true });

const FAULTS: Fault[] = [
	...[400, 401, 403, 404, 409, 422].flatMap((status) => refusal(`${status}`, { status })),
	...refusal('429', { status: 429 }),
	...refusal('429 with Retry-After', { status: 429, headers: { 'retry-after': '7' } }),
	...refusal('429 beyond the budget', { status: 429, headers: { 'retry-after': '600' } }),
	...[408, 500, 502, 503, 504].flatMap((status) => answer(`${status}`, { status })),
	...answer('502, a web page', { status: 502, html: true }),
	...answer('a redirect', { redirectTo: '/', status: 307 }),
	...answer('a redirect as after a form', { redirectTo: '/', status: 303 }),
	...answer('malformed JSON', { malformedJson: true }),
	...answer('a web page under 200', { html: true }),
	...answer('an error body under 200', { status: 200 }),
	...answer('an empty answer', { status: 200, body: '' }),
	...lost('a reset', { resetBefore: true }, { resetAfter: true }),
	{ name: 'an answer cut off', action: { cutOff: true }, told: 'refunded', once: 'refunded' },
	...lost('a timeout', { hang: 'before' }, { hang: 'after' }),
];

async function expectTold(
	{ action, told, once }: Fault,
	{ isOnce, ...others }: { isOnce: boolean; amountType: string },
): Promise<void> {
	const charge = newCharge('5.00');
	const match = { method: 'POST', path: `/v1/charges/${charge}/`, ...(isOnce ? { times: 1 } : {}) };
	const rule = sandbox.addFault({ match, action });
	const result = await refund(sandbox, [{ charge, amount: '5.00' }], {
		parameters: others,
		retryOnFail: { maxTries: 3 },
		...('hang' in action ? { requestOptions: { timeout: TIMEOUT_MS } } : {}),
	});
	sandbox.removeFault(rule);
	const verdict = isOnce ? once : told;
	expect(toldBy(result)).toMatchObject([{ item: 0, verdict }]);
	if (verdict === 'refunded') expect(executed(charge)).toEqual(['5.00']);
	else if (verdict === 'not refunded') expect(executed(charge)).toEqual([]);
	else expect(executed(charge).length).toBeLessThanOrEqual(1);
	// Only what was refused for certain goes out again.
	if (told !== 'not refunded') expect(posted(charge)).toBe(1);
	if (verdict !== 'unknown') return;
	const { message, description } = result.thrown.at(-1) as Error & { description?: string };
	expect(message).not.toMatch(/\bNOT\b/);
	expect(`${message} ${description}`).not.toMatch(/run (it |the workflow )?again to|On Error/);
}

describe.each(FAULTS.map((fault) => [fault.name, fault] as const))('%s', (_name, fault) => {
	it('is told for what it is, when it happens once and always', async () => {
		await expectTold(fault, { isOnce: true, amountType: 'partial' });
		await expectTold(fault, { isOnce: false, amountType: 'full' });
	});
});
