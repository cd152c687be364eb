import type { INodeParameters } from 'n8n-workflow';

import { reset } from '../../support/servers/http-server';
import { uuid } from '../../support/operations';
import { processedData } from '../../support/processedData';
import { lenientService, refund, toldBy, type LenientService } from '../../support/refunds';
import { AGENT_PATHS } from './asAgent';

/** Refund in Full: what Refund does with Amount Type Full, chosen as an operation. */

const A = uuid(1);
const IN_FULL = { operation: 'refundFull' };

const refundInFull = async (
	service: LenientService,
	{ parameters, ...others }: Parameters<typeof refund>[2] = {},
) =>
	await refund(service, [{ charge: A }], { parameters: { ...IN_FULL, ...parameters }, ...others });

const verdicts = (result: Parameters<typeof toldBy>[0]): string[] =>
	toldBy(result).map(({ verdict }) => verdict);

it('pays back the rest of a charge that is refunded in part', async () => {
	const service = await lenientService({ [A]: 2000 });
	service.charge(A).refunds = [500];
	const result = await refundInFull(service);
	expect(result.json).toMatchObject([
		{ amount: '15.00', refund_total: '20.00', remaining: '0.00' },
	]);
});

it.each<[INodeParameters]>([
	[{ amount: '3.00' }],
	[{ amountType: 'partial', amount: '3.00' }],
	[{ amount: 'three' }],
])('pays no heed to an amount that another operation left in the workflow: %p', async (left) => {
	const service = await lenientService({ [A]: 2000 });
	await refundInFull(service, { parameters: left });
	expect(service.posts()).toEqual([{ id: A, amount: '20.00' }]);
});

it('refuses more than Maximum Amount, and a charge of which nothing is left', async () => {
	const service = await lenientService({ [A]: 2000 });
	const limited = await refundInFull(service, { options: { maximumAmount: '19.99' } });
	expect(limited.error?.message).toMatch(/more than the Maximum Amount of 19\.99 – NOT refunded$/);
	service.charge(A).refunds = [2000];
	expect((await refundInFull(service)).error?.message).toMatch(/^NOT refunded: nothing is left/);
	expect(service.posts()).toEqual([]);
});

it('is sent once, though its answer is lost and Retry On Fail begins anew', async () => {
	const service = await lenientService({ [A]: 2000 }, [{ answer: reset(), executed: true }]);
	const result = await refundInFull(service, { retryOnFail: { maxTries: 3 } });
	expect(verdicts(result)).toEqual(['refunded']);
	expect(service.posts()).toHaveLength(1);
});

it('and a partial refund of the same charge at once pay no more than there is', async () => {
	const service = await lenientService({ [A]: 2000 });
	service.pause = async () => await new Promise((resolve) => setTimeout(resolve, 20));
	await Promise.all([refund(service, [{ charge: A, amount: '3.00' }]), refundInFull(service)]);
	expect(service.refunded(A)).toBe(2000);
});

it('is not done again with an Idempotency Key that Refund used', async () => {
	processedData.reset();
	const service = await lenientService({ [A]: 2000 });
	const options = { idempotencyKey: 'order 7' };
	await refund(service, [{ charge: A, amount: '3.00' }], { options });
	expect((await refundInFull(service, { options })).error?.message).toMatch(/was used before/);
	expect(service.refunded(A)).toBe(300);
});

it.each(AGENT_PATHS)('on %s, a model refunds all that is left, once', async (_path, asAgent) => {
	const service = await lenientService({ [A]: 2000 });
	expect(await asAgent(service, A, IN_FULL)).toMatchObject({ amount: '20.00' });
	expect((await asAgent(service, A, IN_FULL)).error).toMatch(/^NOT refunded: nothing is left/);
	expect(service.posts()).toHaveLength(1);
});
