import type { IDataObject } from 'n8n-workflow';

import '../../support/clock';
import { failure, reset } from '../../support/servers/http-server';
import { uuid } from '../../support/operations';
import {
	atRead,
	carryOut,
	refundOf,
	lenientService,
	messageOf,
	refund,
	shownCharge,
	verdicts,
	type LenientService,
} from '../../support/refunds';

/** Amount Type: Full, which refunds all that is left of a charge when it is read. */

const A = uuid(1);
const FULL = { amountType: 'full', amount: '' };

const full = async (
	service: { url: string },
	{ parameters, ...others }: Parameters<typeof refund>[2] = {},
) => await refund(service, [{ charge: A }], { parameters: { ...FULL, ...parameters }, ...others });

/** 20.00 whose first refund is lost, and carried out only when the test says so. */
const losingFirst = async (): Promise<LenientService> =>
	await lenientService({ [A]: 2000 }, [{ answer: reset(), executed: false }]);

describe('a full refund', () => {
	it('pays back the whole total of a charge that has no refund', async () => {
		const service = await lenientService({ [A]: 2000 });
		const result = await full(service);
		expect(service.posts()).toEqual([{ id: A, amount: '20.00' }]);
		expect(result.json).toEqual([
			{
				charge_id: A,
				amount: '20.00',
				currency: 'USD',
				message: 'Refunded 20.00',
				refund_total: '20.00',
				remaining: '0.00',
				reference_id: null,
				payer_name: null,
			},
		]);
	});

	it.each<[currency: string, total: unknown, refunded: unknown, sent: string]>([
		['USD', '20.000', '0.000', '20.00'],
		['USD', 20, 0.3, '19.7'],
		['USD', '0.30', '0.2', '0.10'],
		['JPY', '2000.000', '500', '1500'],
		['KWD', '2.0', '0.125', '1.875'],
		['KWD', '10', '0.000', '10'],
		['KWD', '10.25', undefined, '10.25'],
		['KWD', '10.25', '0.250', '10.00'],
		['USD', '10.5', '0.50', '10.0'],
		['XYZ', '2.00000', '0.5', '1.50000'],
		['USD', '90071992547409.93', '0.01', '90071992547409.92'],
	])('in %s of %p with %p already refunded sends %s', async (currency, total, refunded, sent) => {
		const service = await lenientService({ [A]: 2000 });
		service.show = ({ id }) => ({ id, currency, total, refund_total: refunded }) as IDataObject;
		const result = await full(service);
		expect(result.error).toBeUndefined();
		expect(service.posts()).toEqual([{ id: A, amount: sent }]);
	});

	it('is refused if the amount left has more decimal places than its currency', async () => {
		const service = await lenientService({ [A]: 2000 });
		service.show = (charge) => ({ ...shownCharge(charge), total: '20.005' });
		expect(messageOf(await full(service))).toMatch(
			/^The amount left to refund .* 20\.005: .* NOT refunded$/,
		);
		expect(service.posts()).toEqual([]);
	});

	it('does not evaluate Amount', async () => {
		const service = await lenientService({ [A]: 2000 });
		await full(service, { parameters: { amount: '={{ $json.nothing.at.all }}' } });
		expect(service.posts()).toEqual([{ id: A, amount: '20.00' }]);
	});
});

it('a charge with nothing left is refused, or returned with Return Existing', async () => {
	const service = await lenientService({ [A]: 2000 });
	carryOut(service, A, 2000);
	const result = await full(service);
	expect(messageOf(result)).toBe(`NOT refunded: charge ${A} has already been refunded in full`);
	expect(result.error?.description).toContain(
		'Its total is 20.00 USD, and 20.00 has already been refunded.',
	);
	const options = { onAlreadyRefunded: 'returnExisting' };
	expect((await full(service, { options })).json).toMatchObject([
		{ amount: '0.00', refund_total: '20.00', remaining: '0.00' },
	]);
	expect(service.posts()).toEqual([]);
});

describe('limits of a full refund', () => {
	it.each([
		['20', true],
		['19.99', false],
		[0, false],
	])('Maximum Amount %p applies to the amount left: %s', async (maximumAmount, isAllowed) => {
		const service = await lenientService({ [A]: 2000 });
		const result = await full(service, { options: { maximumAmount } });
		expect(service.posts()).toHaveLength(isAllowed ? 1 : 0);
		expect(messageOf(result)).toBe(
			isAllowed
				? ''
				: `The amount left to refund is 20.00 USD: more than the 'Maximum Amount' of ${maximumAmount} – NOT refunded`,
		);
	});
});

describe('Retry On Fail', () => {
	const retryOnFail = { maxTries: 3 };

	it.each<[string, refunded: number, verdict: string, output: IDataObject[]]>([
		['finds its outcome', 2000, 'done', [{ amount: '20.00', refund_total: '20.00' }]],
		['sends nothing else while it is unknown, though less is left', 300, 'unknown', []],
	])('keeps the amount of a lost attempt, and %s', async (_what, refunded, verdict, output) => {
		const service = await losingFirst();
		// The first attempt no longer looks at the charge by then.
		atRead(service, 4, () => carryOut(service, A, refunded));
		const result = await full(service, { retryOnFail });
		expect(verdicts(result)).toEqual([verdict]);
		expect(result.json).toMatchObject(output);
		expect(result.tries).toBe(verdict === 'done' ? 2 : 3);
		expect(service.posts()).toEqual([{ id: A, amount: '20.00' }]);
	});

	it('after a refusal refunds the amount left by then', async () => {
		const service = await lenientService({ [A]: 2000 }, [
			{ answer: failure(422, 'no'), executed: false },
		]);
		atRead(service, 2, () => carryOut(service, A, 300));
		const result = await full(service, { retryOnFail });
		expect(result.json).toMatchObject([{ amount: '17.00', remaining: '0.00' }]);
		expect(service.refunded(A)).toBe(2000);
	});
});

describe('after a refund whose outcome was unknown', () => {
	it('another run for all that is left reports that the first one was carried out', async () => {
		const service = await losingFirst();
		expect(verdicts(await full(service))).toEqual(['unknown']);
		carryOut(service, A, 2000);
		for (const ask of [full(service), refund(service, [refundOf(A, '20.00')])]) {
			expect(messageOf(await ask)).toMatch(
				/^NOT refunded: charge \S+ already shows an earlier, unconfirmed refund of 20\.00 USD$/,
			);
		}
		expect(service.posts()).toHaveLength(1);
	});
});
