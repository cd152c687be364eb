import { ServiceError } from '../../sandbox';
import { sandbox, useSandbox } from '../support/sandbox';
import { ask, refusal } from './client';

useSandbox({ counts: { charges: 0, customers: 5 } });

describe('refunds', () => {
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
		const { status, message } = await refusal('chargeRefund', { id, body: { amount } });
		expect(status).toBe(expected);
		expect(message).toContain('amount');
		expect((await refusal('chargeRefund', { id, body: { amount: 5 } })).status).toBe(400);
	});

	it('are refused for a charge that was never paid, and once nothing is left', async () => {
		const { id: unpaid } = sandbox.insertCharge({ status: 'pending' });
		const { id: refunded } = sandbox.insertCharge({ currency: 'USD', total: '10.00' });
		sandbox.refundCharge(refunded);
		for (const [id, code] of [
			[unpaid, 'charge_not_refundable'],
			[refunded, 'nothing_left_to_refund'],
		] as const) {
			const refused = await refusal('chargeRefund', { id, body: { amount: '1' } });
			expect(refused).toMatchObject({ status: 409, code });
			expect(() => sandbox.refundCharge(id)).toThrow(ServiceError);
		}
	});

	it('must be of all that is left where partial refunds are switched off', async () => {
		sandbox.setSwitches({ partialRefunds: false });
		const { id } = sandbox.insertCharge({ currency: 'USD', total: '10.00' });
		const partial = await refusal('chargeRefund', { id, body: { amount: '4.00' } });
		expect(partial).toMatchObject({ status: 422, code: 'partial_refund_not_allowed' });
		const { message } = await ask('chargeRefund', { id, body: { amount: '10' } });
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
