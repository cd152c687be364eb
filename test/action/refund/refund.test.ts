import { ExpressionError, type IDataObject } from 'n8n-workflow';

import type { FaultAction } from '../../../sandbox';
import { timeOutByTurns } from '../../support/clock';
import { uuid } from '../../support/operations';
import {
	refundOf,
	lenientService,
	messageOf,
	refund,
	shownCharge,
	verdictOf,
	verdicts,
} from '../../support/refunds';
import { sandbox, useSandbox } from '../../support/sandbox';

/** Output, checks and limits of a refund, and charges that can’t be read. */

const A = uuid(1);

useSandbox({ counts: { charges: 0, customers: 0 } });

/** Adds a charge. @returns its ID */
function charge(currency = 'USD', total = '20.00', refundTotal?: string): string {
	const { id } = sandbox.insertCharge({ currency, total, refund_total: '0', refunds: [] });
	if (refundTotal !== undefined) sandbox.refundCharge(id, refundTotal);
	return id;
}

const executed = (id: string): string[] =>
	(sandbox.store.charges.get(id)?.charge.refunds ?? []).map(({ amount }) => amount);

const posts = (): unknown[] =>
	sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

describe('a refund', () => {
	it.each<[currency: string, total: string, amount: unknown, sent: string, gives: IDataObject]>([
		['USD', '20.00', '5.00', '5.00', { amount: '5.00', refund_total: '5.00', remaining: '15.00' }],
		['USD', '20.00', 5, '5', { amount: '5.00', refund_total: '5.00', remaining: '15.00' }],
		['USD', '20.00', '5.5', '5.5', { amount: '5.50', refund_total: '5.50', remaining: '14.50' }],
		['USD', '0.30', 0.3, '0.3', { amount: '0.30', refund_total: '0.30', remaining: '0.00' }],
		['USD', '20.00', '5.0000', '5.00', { amount: '5.00', remaining: '15.00' }],
		['JPY', '2000', '500.00', '500', { amount: '500', remaining: '1500' }],
		['KWD', '2.000', '0.125', '0.125', { amount: '0.125', remaining: '1.875' }],
		['KWD', '2.000', 0.5, '0.5', { amount: '0.500', refund_total: '0.500', remaining: '1.500' }],
	])('in %s of %s: %p is sent as %s', async (currency, total, amount, sent, gives) => {
		const id = charge(currency, total);
		const result = await refund(sandbox, [refundOf(id, amount)]);
		expect(posts()).toEqual([{ amount: sent }]);
		expect(result.json).toMatchObject([{ charge_id: id, currency, ...gives }]);
		expect(result.items[0]?.pairedItem).toEqual({ item: 0 });
	});

	// More invalid amounts are in test/action/fields.
	it.each<[currency: string, amount: unknown, reason: RegExp]>([
		['JPY', '5.5', /JPY has 0/],
		['USD', '9'.repeat(400), /9… \(400 characters\) USD: more than the 20\.00 USD left to refund/],
		['USD', null, /'Amount' is missing/],
		['USD', '20.01', /more than the 20\.00 USD left to refund/],
	])('in %s of %p is refused, and nothing is sent', async (currency, amount, reason) => {
		const id = charge(currency, currency === 'JPY' ? '2000' : '20.00');
		const result = await refund(sandbox, [refundOf(id, amount)], {
			retryOnFail: { maxTries: 2 },
		});
		expect(messageOf(result)).toMatch(reason);
		expect(verdictOf(messageOf(result))).toBe('not done');
		expect(messageOf(result).length).toBeLessThan(300);
		expect(posts()).toEqual([]);
	});

	it.each([
		['BGN', '1.000'],
		['BGN', '1.234'],
		['usd ', '1.000'],
		['', '1.000'],
	])('of a charge in “%s” refuses the ambiguous amount %s', async (currency, amount) => {
		const service = await lenientService({ [A]: 500_000 });
		service.show = (one) => ({ ...shownCharge(one), currency });
		const result = await refund(service, [refundOf(A, amount)]);
		expect(messageOf(result)).toMatch(
			/^'Amount' is "1\.\d{3}": it has 3 decimal places.* NOT refunded$/,
		);
		expect(service.calls()).toEqual(['GET /v1/charges']);
	});

	const UNREADABLE = /^The (refund )?total of charge \S+ can’t be read.* NOT refunded$/;
	const RECORDS = /^The refund records of charge \S+ can’t be read.* NOT refunded$/;
	const TOO_MUCH = /^'Amount' is 5\.00 USD: more than the [04]\.00 USD left to refund/;
	const record = (...amounts: unknown[]) => amounts.map((amount) => ({ amount }));

	it.each<[charge: Record<string, unknown>, refusal: RegExp | undefined]>([
		...[undefined, null, '', 'a lot', {}, '1e3', '-10.00', 2 ** 60].map(
			(total): [IDataObject, RegExp] => [{ total }, UNREADABLE],
		),
		...['1,500.00', '1e3', 'none', '-5.00', {}].map((refunded): [IDataObject, RegExp] => [
			{ refund_total: refunded },
			UNREADABLE,
		]),
		[{ refund_total: null, refunds: 'one' }, UNREADABLE],
		[{ refund_total: null, refunds: ['5.00'] }, UNREADABLE],
		[{ refund_total: null, refunds: record('x', '1.00') }, UNREADABLE],
		// The refund total does not matter here.
		...[
			record('15.00', null),
			[...record('15.00'), null],
			record('-20.00'),
			{ amount: '20.00' },
			['20.00'],
			record('20,00'),
		].map((refunds): [Record<string, unknown>, RegExp] => [{ refunds }, RECORDS]),
		// The records count without a refund total, and if they show more than it.
		[{ refund_total: undefined, refunds: record('4.00', '2.00') }, TOO_MUCH],
		[{ refund_total: '0.00', refunds: record('10.00') }, TOO_MUCH],
		[{ refund_total: '4.00', refunds: record('6.00', '4.00') }, TOO_MUCH],
		[{ refund_total: null, refunds: [] }, undefined],
		[{ refund_total: '', refunds: null }, undefined],
		[{ id: uuid(2) }, /other charge.* NOT refunded$/],
	])('of a charge with %j is made only if the amount left is known', async (fields, refusal) => {
		const service = await lenientService({ [A]: 1000 });
		service.show = (one) => ({ ...shownCharge(one), ...fields }) as IDataObject;
		const result = await refund(service, [refundOf(A)]);
		expect(verdicts(result)).toEqual([refusal === undefined ? 'done' : 'not done']);
		expect(messageOf(result)).toMatch(refusal ?? /^$/);
		expect(service.posts()).toHaveLength(refusal === undefined ? 1 : 0);
	});
});

it.each<[amount: unknown, maximumAmount: unknown, isAllowed: boolean]>([
	['10.00', '10', true],
	['10.01', '10', false],
	[10, 10, true],
	['0.01', '0', false],
	['0.01', 0, false],
])(
	'an amount of %p up to a maximum of %p is allowed: %s',
	async (amount, maximumAmount, isAllowed) => {
		const id = charge('USD', '20.00');
		sandbox.clearRequests();
		const result = await refund(sandbox, [refundOf(id, amount)], {
			options: { maximumAmount: maximumAmount as string },
		});
		expect(posts()).toHaveLength(isAllowed ? 1 : 0);
		if (isAllowed) return;
		// The charge is not even read.
		expect(sandbox.requests).toEqual([]);
		expect(messageOf(result)).toBe(
			`'Amount' is ${String(amount)}: more than the 'Maximum Amount' of ${String(maximumAmount)} – NOT refunded`,
		);
	},
);

describe('Expected Refund Total', () => {
	it.each(['5', '5.00', 5, '5.000'])('allows a refund if it is right: %p', async (expected) => {
		const id = charge('USD', '20.00', '5.00');
		const result = await refund(sandbox, [{ charge: id, amount: '1.00' }], {
			options: { expectedRefundTotal: expected },
		});
		expect(result.json).toMatchObject([{ refund_total: '6.00', remaining: '14.00' }]);
	});

	it('above the refund total refuses the refund, too', async () => {
		const id = charge('USD', '20.00', '2.00');
		const options = { expectedRefundTotal: '5.00' };
		expect(messageOf(await refund(sandbox, [refundOf(id)], { options }))).toBe(
			`NOT refunded: 2.00 USD of charge ${id} has already been refunded, not 5.00 as expected`,
		);
		expect(posts()).toEqual([]);
	});

	it('allows one refund in several executions', async () => {
		const id = charge('USD', '20.00');
		const options = { expectedRefundTotal: '0' };
		const first = await refund(sandbox, [refundOf(id)], { options });
		expect(first.json).toMatchObject([{ amount: '5.00' }]);

		const failing = await refund(sandbox, [refundOf(id)], { options });
		expect(failing.error?.message).toBe(
			`NOT refunded: 5.00 USD of charge ${id} has already been refunded, not 0 as expected`,
		);
		const returning = await refund(sandbox, [refundOf(id)], {
			options: { ...options, onAlreadyRefunded: 'returnExisting' },
			retryOnFail: { maxTries: 3 },
		});
		const shown = sandbox.store.charges.get(id)?.charge;
		expect(returning.json).toEqual([
			{
				charge_id: id,
				amount: '0.00',
				currency: 'USD',
				message: `Not refunded again: 5.00 USD of charge ${id} has already been refunded, not 0 as expected.`,
				refund_total: '5.00',
				remaining: '15.00',
				reference_id: shown?.reference_id,
				payer_name: shown?.source.card_holder_name,
			},
		]);
		expect(posts()).toHaveLength(1);
	});

	it('does not keep the next attempt from finding the outcome of the first one', async () => {
		const id = charge('USD', '20.00');
		sandbox.addFault({ match: { method: 'POST' }, action: { reset: true, afterExecuting: true } });
		sandbox.addFault({ match: { method: 'GET', nth: 2 }, action: { status: 400 } });
		const result = await refund(sandbox, [refundOf(id)], {
			options: { expectedRefundTotal: '0.00' },
			retryOnFail: { maxTries: 2 },
		});
		expect(result.json).toMatchObject([{ amount: '5.00', refund_total: '5.00' }]);
		expect(posts()).toHaveLength(1);
	});
});

it('the error of an item whose expression fails names the earlier refunds', async () => {
	const [one, other] = [charge('USD', '10.00'), charge('USD', '10.00')];
	const result = await refund(sandbox, [{ charge: one }, { charge: other, broken: true }], {
		parameters: { amount: '={{ $json.broken ? $("No such node").item.json.amount : "5.00" }}' },
	});
	expect(posts()).toHaveLength(1);
	expect(messageOf(result)).toBe("Referenced node doesn't exist – NOT refunded");
	expect(result.thrown).toEqual([expect.any(ExpressionError)]);
	expect(JSON.stringify(result.error)).toContain(`5.00 USD of charge ${one} refunded`);
});

it('an error does not name the returned state of a refunded charge as a refund', async () => {
	const [one, other] = [charge('USD', '5.00'), charge('USD', '5.00')];
	await refund(sandbox, [refundOf(one)]);
	const result = await refund(sandbox, [refundOf(one), { charge: other, amount: '6.00' }], {
		options: { onAlreadyRefunded: 'returnExisting' },
	});
	expect(messageOf(result)).toContain('NOT refunded');
	expect(JSON.stringify(result.error)).not.toContain(`of charge ${one} refunded`);
	expect(posts()).toHaveLength(1);
});

describe('a charge that can’t be read', () => {
	const READ_FAULTS: Array<[name: string, action: FaultAction, isPassing: boolean]> = [
		['404', { status: 404 }, false],
		['429', { status: 429 }, true],
		['500', { status: 500 }, false],
		['502, a web page', { status: 502, html: true }, true],
		['a timeout', { hang: true }, true],
		['a reset', { reset: true }, true],
		['malformed JSON', { malformedJson: true }, false],
		['an empty list', { body: { count: 0, results: [] } }, false],
		['a redirect', { redirectTo: '/' }, false],
	];

	it.each(READ_FAULTS)('before the refund prevents it: %s', async (_name, action, isPassing) => {
		timeOutByTurns();
		const id = charge();
		sandbox.addFault({ match: { method: 'GET' }, action });
		const always = await refund(sandbox, [refundOf(id)], { retryOnFail: { maxTries: 2 } });
		expect(verdicts(always)).toEqual(['not done']);
		expect(executed(id)).toEqual([]);

		sandbox.clearFaults();
		sandbox.addFault({ match: { method: 'GET', times: 1 }, action });
		const once = await refund(sandbox, [refundOf(id)]);
		expect(verdicts(once)).toEqual([isPassing ? 'done' : 'not done']);
		expect(executed(id)).toEqual(isPassing ? ['5.00'] : []);
	});

	it.each(READ_FAULTS)('after a lost response leads to UNKNOWN: %s', async (_name, action) => {
		timeOutByTurns();
		const id = charge();
		sandbox.addFault({
			match: { method: 'POST', times: 1 },
			action: { reset: true, afterExecuting: true },
		});
		const nth = Array.from({ length: 4 * 2 * 2 }, (_, number) => number + 2);
		sandbox.addFault({ match: { method: 'GET', nth }, action });
		const result = await refund(sandbox, [refundOf(id)], { retryOnFail: { maxTries: 2 } });
		expect(verdicts(result)).toEqual(['unknown']);
		expect(executed(id)).toEqual(['5.00']);
		expect(posts()).toHaveLength(1);
	});
});
