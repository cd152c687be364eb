import { ExpressionError, type IDataObject, type OnError } from 'n8n-workflow';

import { PLANTED, findSecrets } from '../../support/secrets/secrets';
import { failure, json, reset, scriptedServer } from '../../support/servers/http-server';
import { envelope, uuid } from '../../support/operations';
import { lenientService, refund, shownCharge, toldBy, verdictOf } from '../../support/refunds';
import { newCharge, sandbox } from '../../support/refundSandbox';

/** What a refund gives, checks and limits, when nothing goes wrong on the way. */

const A = uuid(1);

const charge = (currency: string, total: string, refundTotal?: string): string => {
	const id = newCharge(total, currency);
	if (refundTotal !== undefined) sandbox.refundCharge(id, refundTotal);
	return id;
};

const posts = (): unknown[] =>
	sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

describe('a refund', () => {
	it.each<[currency: string, total: string, amount: unknown, sent: string, gives: IDataObject]>([
		['USD', '20.00', '5.00', '5.00', { amount: '5.00', refund_total: '5.00', remaining: '15.00' }],
		['USD', '20.00', 5, '5', { amount: '5.00', refund_total: '5.00', remaining: '15.00' }],
		['USD', '20.00', '5.5', '5.5', { amount: '5.50', refund_total: '5.50', remaining: '14.50' }],
		['USD', '20.00', 20, '20', { amount: '20.00', refund_total: '20.00', remaining: '0.00' }],
		['USD', '0.30', 0.3, '0.3', { amount: '0.30', refund_total: '0.30', remaining: '0.00' }],
		['USD', '20.00', '5.0000', '5.00', { amount: '5.00', remaining: '15.00' }],
		['JPY', '2000', '500', '500', { amount: '500', refund_total: '500', remaining: '1500' }],
		['JPY', '2000', '500.00', '500', { amount: '500', remaining: '1500' }],
		['KWD', '2.000', '0.125', '0.125', { amount: '0.125', remaining: '1.875' }],
		['KWD', '2.000', 0.5, '0.5', { amount: '0.500', refund_total: '0.500', remaining: '1.500' }],
	])('in %s of %s: %p is sent as %s', async (currency, total, amount, sent, gives) => {
		const id = charge(currency, total);
		const result = await refund(sandbox, [{ charge: id, amount } as IDataObject]);
		expect(posts()).toEqual([{ amount: sent }]);
		expect(result.json).toMatchObject([{ charge_id: id, currency, ...gives }]);
		expect(result.items[0]?.pairedItem).toEqual({ item: 0 });
	});

	// Which amounts are none is the table of test/action/fields/money.test.ts.
	it.each<[currency: string, amount: unknown, reason: RegExp]>([
		['USD', '5.005', /3 digits after the point, and USD has 2/],
		['JPY', '5.5', /JPY has 0/],
		['USD', '12,50', /must be a decimal number/],
		['USD', '9'.repeat(400), /9… \(400 characters\) USD: more than the 20\.00 USD that are left/],
		['USD', 0, /must be greater than 0/],
		['USD', null, /Amount is missing/],
		['USD', '20.01', /more than the 20\.00 USD that are left/],
	])('in %s of %p is refused, with nothing sent', async (currency, amount, reason) => {
		const id = charge(currency, currency === 'JPY' ? '2000' : '20.00');
		const result = await refund(sandbox, [{ charge: id, amount } as IDataObject], {
			retryOnFail: { maxTries: 2 },
		});
		expect(result.error?.message).toMatch(reason);
		expect(verdictOf(result.error?.message ?? '')).toBe('not refunded');
		expect(result.error?.message.length).toBeLessThan(300);
		expect(posts()).toEqual([]);
	});

	it('in a currency that ISO 4217 does not list is sent as it is', async () => {
		const posted: unknown[] = [];
		const server = await scriptedServer(({ method, body }) => {
			if (method === 'POST') posted.push(body);
			const row = { id: A, currency: 'XYZ', total: '2.00000', refund_total: '0' };
			return json(method === 'POST' ? { message: 'ok' } : envelope(row));
		});
		const result = await refund(server, [{ charge: A, amount: '1.23456' }]);
		expect(posted).toEqual([{ amount: '1.23456' }]);
		expect(result.json).toMatchObject([{ amount: '1.23456', remaining: '0.76544' }]);
	});

	it('passes the text of the confirmation on without key and card number', async () => {
		const { apiKey, cardNumber } = PLANTED;
		const server = await scriptedServer(({ method }) =>
			json(
				method === 'POST'
					? { message: `Refunded to ${cardNumber} for ${apiKey}` }
					: envelope({ id: A, currency: 'USD', total: '2.00', refund_total: '0.00' }),
			),
		);
		const result = await refund(server, [{ charge: A, amount: '1.00' }]);
		expect(result.json).toMatchObject([{ message: 'Refunded to [redacted] for [redacted]' }]);
	});

	it.each([200, 400, 500])(
		'says nothing of the charge’s token, which the service repeats under %i',
		async (status) => {
			const { token, cardNumber } = PLANTED;
			const said = `Refund to ${token} or 4929*4205*7359*5709`;
			const service = await lenientService({ [A]: 1000 }, [
				{
					answer: status === 200 ? json({ message: said }) : failure(status, said, token),
					executed: status === 200,
				},
			]);
			service.show = (charge) => ({
				...shownCharge(charge),
				source: { token, card_data: { card_number: cardNumber } },
			});
			const result = await refund(service, [{ charge: A, amount: '1.00' }]);
			const { message, description } = result.error ?? {};
			const told = JSON.stringify([result.json, message, description, result.thrown]);
			expect(told).toContain('[redacted]');
			expect(told).not.toContain(token);
			expect(told).not.toContain('4205');
			expect(findSecrets(result.thrown)).toEqual([]);
		},
	);

	it('says nothing of the charge’s token, which the service repeats when the charge is read again', async () => {
		const { token } = PLANTED;
		let isSent = false;
		const server = await scriptedServer(({ method }) => {
			if (isSent) return failure(500, `No charge of ${token}`, token);
			if (method === 'GET') {
				const row = { id: A, currency: 'USD', total: '10.00', refund_total: '0.00' };
				return json(envelope({ ...row, source: { token } }));
			}
			isSent = true;
			return reset();
		});
		const result = await refund(server, [{ charge: A, amount: '1.00' }]);
		expect(result.error?.description).toContain(
			'that failed (No charge of [redacted] (code [redacted]',
		);
		expect(findSecrets([result.error, result.thrown])).toEqual([]);
	});

	it('reads what was refunded from the records where there is no refund total', async () => {
		const service = await lenientService({ [A]: 1000 });
		service.charge(A).refunds = [300, 200];
		service.show = (one) => ({ ...shownCharge(one), refund_total: undefined });
		const result = await refund(service, [{ charge: A, amount: '5.01' }]);
		expect(result.error?.message).toContain('more than the 5.00 USD that are left');
		expect(service.posts()).toEqual([]);
	});

	it.each([undefined, null, '', 'a lot', {}, '1e3'])(
		'is refused when the total is %p',
		async (total) => {
			const service = await lenientService({ [A]: 1000 });
			service.show = (one) => ({ ...shownCharge(one), total: total });
			const result = await refund(service, [{ charge: A, amount: '5.00' }]);
			expect(result.error?.message).toMatch(/total of charge .* can’t be read.* NOT refunded$/);
			expect(service.posts()).toEqual([]);
		},
	);

	it('is refused for a charge that is not there, and for one of another account', async () => {
		const result = await refund(sandbox, [{ charge: A, amount: '5.00' }]);
		expect(result.error?.message).toBe(`There is no charge with the ID ${A} – NOT refunded`);
		expect(posts()).toEqual([]);
	});

	it('finds its charge when the service ignores the filter, and refuses when it can’t', async () => {
		const near = charge('USD', '20.00');
		sandbox.setSwitches({ ignoredFilters: ['id'] });
		expect((await refund(sandbox, [{ charge: near, amount: '5.00' }])).error).toBeUndefined();
		for (let number = 0; number < 100; number += 1) charge('USD', '1.00');
		const result = await refund(sandbox, [{ charge: near, amount: '5.00' }]);
		expect(result.error?.message).toMatch(
			/the service gave [1-9]\d* other charges – NOT refunded$/,
		);
		expect(posts()).toHaveLength(1);
	});

	it.each(['pending', 'declined'])(
		'of a charge that is %s is up to the service',
		async (status) => {
			const id = charge('USD', '20.00');
			sandbox.setChargeStatus(id, status);
			const result = await refund(sandbox, [{ charge: id, amount: '5.00' }]);
			expect(toldBy(result)).toMatchObject([{ verdict: 'not refunded' }]);
			expect(result.error?.message).toContain(`The charge is ${status}`);
		},
	);
});

describe('Maximum Amount', () => {
	it.each<[amount: unknown, maximumAmount: unknown, isAllowed: boolean]>([
		['10.00', '10', true],
		['10.01', '10', false],
		[10, 10, true],
		['9.999', '10.00', false],
		['0.01', '0', false],
		['0.01', 0, false],
	])('%p with %p', async (amount, maximumAmount, isAllowed) => {
		const id = charge('USD', '20.00');
		const result = await refund(sandbox, [{ charge: id, amount } as IDataObject], {
			options: { maximumAmount: maximumAmount as string },
		});
		expect(posts()).toHaveLength(isAllowed ? 1 : 0);
		if (!isAllowed) expect(toldBy(result)).toMatchObject([{ verdict: 'not refunded' }]);
	});

	it('is checked before anything is sent, the reading included', async () => {
		const id = charge('USD', '20.00');
		sandbox.clearRequests();
		const result = await refund(sandbox, [{ charge: id, amount: '15' }], {
			options: { maximumAmount: '10' },
		});
		expect(result.error?.message).toBe(
			'Amount is 15: more than the Maximum Amount of 10 – NOT refunded',
		);
		expect(sandbox.requests).toEqual([]);
	});

	it.each(['-1', 'ten', '1,000'])(
		'must itself be an amount, and %s is none',
		async (maximumAmount) => {
			const id = charge('USD', '20.00');
			const result = await refund(sandbox, [{ charge: id, amount: '5' }], {
				options: { maximumAmount },
			});
			expect(result.error?.message).toMatch(/^Maximum Amount is .*NOT refunded$/);
			expect(posts()).toEqual([]);
		},
	);
});

describe('Expected Refund Total', () => {
	it.each(['5', '5.00', 5, '5.000'])(
		'of %p lets a refund of that charge through',
		async (expected) => {
			const id = charge('USD', '20.00', '5.00');
			const result = await refund(sandbox, [{ charge: id, amount: '1.00' }], {
				options: { expectedRefundTotal: expected },
			});
			expect(result.json).toMatchObject([{ refund_total: '6.00', remaining: '14.00' }]);
		},
	);

	it('makes a refund safe over several executions', async () => {
		const id = charge('USD', '20.00');
		const options = { expectedRefundTotal: '0' };
		const first = await refund(sandbox, [{ charge: id, amount: '5.00' }], { options });
		expect(first.json).toMatchObject([{ amount: '5.00' }]);

		const failing = await refund(sandbox, [{ charge: id, amount: '5.00' }], { options });
		expect(failing.error?.message).toBe(
			`NOT refunded: 5.00 USD of charge ${id} is refunded already, not 0 as expected`,
		);
		const returning = await refund(sandbox, [{ charge: id, amount: '5.00' }], {
			options: { ...options, onAlreadyRefunded: 'returnExisting' },
			retryOnFail: { maxTries: 3 },
		});
		expect(returning.json).toEqual([
			{
				charge_id: id,
				amount: '0.00',
				currency: 'USD',
				message: `Not refunded again: 5.00 USD of charge ${id} is refunded already, not 0 as expected.`,
				refund_total: '5.00',
				remaining: '15.00',
			},
		]);
		expect(posts()).toHaveLength(1);
	});

	it('counts what earlier items of the run refunded', async () => {
		const id = charge('USD', '20.00');
		const result = await refund(
			sandbox,
			[0, 1, 2].map(() => ({ charge: id, amount: '5.00' })),
			{
				options: { expectedRefundTotal: '0.00', onAlreadyRefunded: 'returnExisting' },
			},
		);
		expect(result.json.map(({ amount }) => amount)).toEqual(['5.00', '0.00', '0.00']);
		expect(posts()).toHaveLength(1);
	});

	it('does not stop a next try from finding out what the first one did', async () => {
		const id = charge('USD', '20.00');
		sandbox.addFault({ match: { method: 'POST' }, action: { resetAfter: true } });
		sandbox.addFault({ match: { method: 'GET', nth: 2 }, action: { status: 400 } });
		const result = await refund(sandbox, [{ charge: id, amount: '5.00' }], {
			options: { expectedRefundTotal: '0.00' },
			retryOnFail: { maxTries: 2 },
		});
		expect(result.json).toMatchObject([{ amount: '5.00', refund_total: '5.00' }]);
		expect(posts()).toHaveLength(1);
	});
});

describe('the same charge in several items', () => {
	it.each<OnError>(['continueRegularOutput', 'continueErrorOutput'])(
		'is refunded up to its total (%s)',
		async (onError) => {
			const [one, other] = [charge('USD', '10.00'), charge('USD', '10.00')];
			const items = [
				{ charge: one, amount: '6.00' },
				{ charge: other, amount: '10.00' },
				{ charge: one, amount: '6.00' },
				{ charge: one, amount: '4.00' },
				{ charge: one, amount: '0.01' },
			];
			const result = await refund(sandbox, items, { onError, retryOnFail: { maxTries: 2 } });
			expect(toldBy(result).map(({ verdict }) => verdict)).toEqual([
				'refunded',
				'refunded',
				'not refunded',
				'refunded',
				'not refunded',
			]);
			expect(posts()).toHaveLength(3);
		},
	);

	it('stops the node at the item that is too much, and says what was refunded', async () => {
		const id = charge('USD', '10.00');
		const items = ['6.00', '6.00', '4.00'].map((amount) => ({ charge: id, amount }));
		const result = await refund(sandbox, items);
		expect(toldBy(result)).toMatchObject([
			{ item: 0, verdict: 'refunded', text: '6.00' },
			{ item: 1, verdict: 'not refunded' },
		]);
		expect(posts()).toHaveLength(1);
	});
});

describe('an item whose own expression fails', () => {
	const parameters = {
		chargeId: { __rl: true, mode: 'id', value: '={{ $json.charge }}' },
		amount: '={{ $json.broken ? $("No such node").item.json.amount : "5.00" }}',
	};

	it('does not hide what was refunded before it', async () => {
		const ids = [1, 2].map(() => charge('USD', '10.00'));
		const result = await refund(
			sandbox,
			[{ charge: ids[0] }, { charge: ids[1], broken: true }] as IDataObject[],
			{ parameters },
		);
		expect(posts()).toHaveLength(1);
		expect(result.error?.message).toBe("Referenced node doesn't exist – NOT refunded");
		expect(result.thrown).toEqual([expect.any(ExpressionError)]);
		expect(JSON.stringify(result.error)).toContain(`5.00 USD of charge ${ids[0]} refunded`);
	});
});
