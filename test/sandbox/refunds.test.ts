import { type Sandbox, ServiceError, startSandbox } from '../../sandbox';
import { decimalsOf, toMinor, toText } from '../../sandbox/money';
import { ask, refusal, send } from './client';
import fc from '../support/jest/property';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ counts: { charges: 0, customers: 5 } });
});
beforeEach(() => sandbox.reset());
afterAll(async () => sandbox.close());

const currency = fc.constantFrom('USD', 'JPY', 'KWD');
/** Far beyond what a double holds exactly. */
const minorUnits = fc.bigInt({ min: 1n, max: 10n ** 20n });

describe('refunds', () => {
	it('add up exactly and never pass the total, whatever is asked for in whatever order', async () => {
		await fc.assert(
			fc.asyncProperty(
				currency,
				minorUnits,
				fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 6 }),
				async (code, total, percentages) => {
					const decimals = decimalsOf(code);
					const { id } = sandbox.insertCharge({ currency: code, total: toText(total, decimals) });
					let accepted = 0n;
					for (const percentage of percentages) {
						const asked = (total * BigInt(percentage)) / 100n;
						const { status } = await send(sandbox, 'chargeRefund', {
							id,
							body: { amount: toText(asked, decimals) },
						});
						const left = total - accepted;
						expect(status).toBe(left === 0n ? 409 : asked === 0n ? 400 : asked > left ? 422 : 200);
						if (status === 200) accepted += asked;
					}
					const { results } = await ask(sandbox, 'chargeList', { query: { id } });
					const charge = results[0];
					expect(charge?.refund_total).toBe(toText(accepted, decimals));
					expect(accepted <= total).toBe(true);
					const parts = charge?.refunds.map(({ amount }) => toMinor(amount, decimals) ?? -1n) ?? [];
					expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(accepted);
				},
			),
			{ numRuns: 40 },
		);
	});

	it.each([
		['0', 400],
		['-1', 400],
		['1.001', 400],
		['1e3', 400],
		['12,50', 400],
		['', 400],
		['10.01', 422],
	])('refuse the amount "%s"', async (amount, expected) => {
		const { id } = sandbox.insertCharge({ currency: 'USD', total: '10.00' });
		const { status, message } = await refusal(sandbox, 'chargeRefund', { id, body: { amount } });
		expect(status).toBe(expected);
		expect(message).toContain('amount');
		expect((await refusal(sandbox, 'chargeRefund', { id, body: { amount: 5 } })).status).toBe(400);
	});

	it('are refused for a charge that was never paid, and once nothing is left', async () => {
		const { id: unpaid } = sandbox.insertCharge({ status: 'pending' });
		const { id: refunded } = sandbox.insertCharge({ currency: 'USD', total: '10.00' });
		sandbox.refundCharge(refunded);
		for (const [id, code] of [
			[unpaid, 'charge_not_refundable'],
			[refunded, 'nothing_left_to_refund'],
		] as const) {
			const refused = await refusal(sandbox, 'chargeRefund', { id, body: { amount: '1' } });
			expect(refused).toMatchObject({ status: 409, code });
			expect(() => sandbox.refundCharge(id)).toThrow(ServiceError);
		}
	});

	it('must be of all that is left where partial refunds are switched off', async () => {
		sandbox.setSwitches({ partialRefunds: false });
		const { id } = sandbox.insertCharge({ currency: 'USD', total: '10.00' });
		const partial = await refusal(sandbox, 'chargeRefund', { id, body: { amount: '4.00' } });
		expect(partial).toMatchObject({ status: 422, code: 'partial_refund_not_allowed' });
		const { message } = await ask(sandbox, 'chargeRefund', { id, body: { amount: '10' } });
		expect(message).toContain('10 USD');
	});

	it('leave the status alone, or change it where that is switched on', () => {
		const { id } = sandbox.insertCharge({ currency: 'USD', total: '10.00' });
		expect(sandbox.refundCharge(id, '1.00').status).toBe('authorised');
		sandbox.setSwitches({ statusAfterRefund: 'change' });
		expect(sandbox.refundCharge(id, '1.00').status).toBe('partially_refunded');
		const full = sandbox.refundCharge(id);
		expect([full.status, full.events.type]).toEqual(['refunded', 'refunded']);
	});
});
