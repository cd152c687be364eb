import type { INodeParameters } from 'n8n-workflow';

import { MAX_HOLD_MS } from '../../../nodes/PaymentCollection/resources/charge/refund/ledger';
import { clock } from '../../support/clock';
import { failure, reset } from '../../support/servers/http-server';
import { uuid } from '../../support/operations';
import { processedData } from '../../support/processedData';
import {
	atRead,
	carryOut,
	refundOf,
	lagging,
	lenientService,
	messageOf,
	refund,
	verdicts,
	type LenientService,
} from '../../support/refunds';
import { TOOL_PATHS, enginePath, refundByTool, type ToolPath } from '../../support/toolPaths';

/** A refund with an unknown outcome that appears later, and is requested once more. */

const A = uuid(1);

const ask = async (
	path: ToolPath,
	service: LenientService,
	amount: string,
	options: INodeParameters = {},
) => await refundByTool(path, service, A, { amount, options });

/** The first refund is answered with a fault and is carried out only when the test says so. */
const lateService = async (): Promise<LenientService> =>
	await lenientService({ [A]: 10_000 }, [{ answer: reset(), executed: false }]);

describe.each(TOOL_PATHS)('on %s', (_path, path) => {
	it('a model that repeats a refund within ten minutes refunds once, and later again', async () => {
		const refusal = { answer: failure(400, 'no'), executed: false };
		const service = await lenientService({ [A]: 10_000 }, [refusal]);
		expect((await ask(path, service, '5.00')).error).toMatch(/\bNOT refunded/);
		expect(await ask(path, service, '5.00')).toMatchObject({ refund_total: '5.00' });
		for (const amount of ['5.00', '5']) {
			expect(await ask(path, service, amount)).toMatchObject({
				amount: '5.00',
				message:
					'Refunded by an earlier call. Nothing more was sent. Another refund of the same amount can be made after 2025-01-15 12:10:00 UTC.',
				refund_total: '5.00',
			});
		}
		expect(await ask(path, service, '6.00')).toMatchObject({ refund_total: '11.00' });
		const more = { expectedRefundTotal: '11.00' };
		expect(await ask(path, service, '5.00', more)).toMatchObject({ refund_total: '16.00' });
		clock.advance(MAX_HOLD_MS + 1);
		expect(await ask(path, service, '5.00')).toMatchObject({ refund_total: '21.00' });
		expect(service.posts()).toHaveLength(5);
	});

	it('a refund of another amount does not make the first one forgotten', async () => {
		const service = await lateService();
		await ask(path, service, '5.00');
		carryOut(service, A, 500);
		expect(await ask(path, service, '3.00')).toMatchObject({ refund_total: '8.00' });
		expect(await ask(path, service, '5.00')).toMatchObject({
			message: expect.stringContaining('Nothing more was sent') as string,
			refund_total: '8.00',
		});
		expect(service.refunded(A)).toBe(800);
	});

	it('a model that asks again gets the first refund for the ten minutes of the hold', async () => {
		const service = await lateService();
		expect((await ask(path, service, '5.00')).error).toMatch(/^UNKNOWN/);
		expect((await ask(path, service, '5.00')).error).toMatch(/^NOT refunded: it is unknown/);
		carryOut(service, A, 500);
		for (let time = 0; time < 3; time += 1) {
			clock.advance(MAX_HOLD_MS / 4);
			expect(await ask(path, service, '5.00')).toMatchObject({
				message:
					'Refunded by an earlier call: no confirmation arrived, but the charge now shows the refund. Nothing more was sent. Another refund of the same amount can be made after 2025-01-15 12:10:00 UTC.',
				refund_total: '5.00',
			});
		}
		expect(service.posts()).toHaveLength(1);
		clock.advance(MAX_HOLD_MS / 4);
		expect(await ask(path, service, '5.00')).toMatchObject({ refund_total: '10.00' });
	});
});

it('a model that invents another Idempotency Key still gets the first refund', async () => {
	const service = await lateService();
	const first = await ask(enginePath, service, '5.00', { idempotencyKey: 'one' });
	expect(first.error).toMatch(/^UNKNOWN/);
	carryOut(service, A, 500);
	const second = await ask(enginePath, service, '5.00', { idempotencyKey: 'two' });
	expect(second.message).toContain('Nothing more was sent');
	expect(processedData.keys().filter((key) => !key.includes('\n'))).toEqual([
		'POST /v1/charges/{id}/refund one',
	]);
	expect(service.posts()).toHaveLength(1);
});

describe('in a workflow', () => {
	const run = async (service: LenientService, amount: string, options?: INodeParameters) =>
		verdicts(await refund(service, [refundOf(A, amount)], { options }));

	it('another run for the same amount reports that the first one was carried out', async () => {
		const service = await lateService();
		expect(await run(service, '5.00')).toEqual(['unknown']);
		carryOut(service, A, 500);
		for (let time = 0; time < 3; time += 1) {
			clock.advance(MAX_HOLD_MS / 4);
			expect(messageOf(await refund(service, [refundOf(A)]))).toMatch(
				/^NOT refunded: charge \S+ already shows an earlier, unconfirmed refund of 5\.00 USD/,
			);
		}
		expect(await run(service, '2.00')).toEqual(['done']);
		expect(await run(service, '5.00', { expectedRefundTotal: '7.00' })).toEqual(['done']);
		clock.advance(MAX_HOLD_MS / 4);
		expect(await run(service, '5.00')).toEqual(['done']);
		expect(service.refunded(A)).toBe(1700);
	});

	it('another run with Return Existing returns the state, and refunds nothing', async () => {
		const service = await lateService();
		await run(service, '5.00');
		carryOut(service, A, 500);
		const options = { onAlreadyRefunded: 'returnExisting' };
		const { json } = await refund(service, [refundOf(A)], { options });
		expect(json).toMatchObject([{ amount: '0.00', refund_total: '5.00', remaining: '95.00' }]);
		expect(service.posts()).toHaveLength(1);
	});

	it.each<[string, second: object]>([
		['another Idempotency Key', { options: { idempotencyKey: 'two' } }],
		['the key of another node', { options: { idempotencyKey: 'one' }, nodeId: 'another' }],
	])('%s is another refund', async (_what, second) => {
		const service = await lateService();
		const first = { options: { idempotencyKey: 'one' } };
		expect(verdicts(await refund(service, [refundOf(A)], first))).toEqual(['unknown']);
		carryOut(service, A, 500);
		expect(verdicts(await refund(service, [refundOf(A)], second))).toEqual(['done']);
		expect(verdicts(await refund(service, [refundOf(A)], first))).toEqual(['nothing']);
		expect(service.refunded(A)).toBe(1000);
	});

	it('a loop that runs the node again for failed items does not refund twice', async () => {
		const service = await lateService();
		atRead(service, 4, () => carryOut(service, A, 500));
		await refund(service, [refundOf(A)], { times: 4, onError: 'continueErrorOutput' });
		expect(service.refunded(A)).toBe(500);
	});

	it('two items of one run are two refunds', async () => {
		const service = await lateService();
		atRead(service, 4, () => carryOut(service, A, 500));
		await refund(service, [refundOf(A), refundOf(A)], { onError: 'continueRegularOutput' });
		expect(service.refunded(A)).toBe(1000);
	});
});

describe('a service that contradicts itself', () => {
	it('a refusal that the charge once contradicted holds it, also if the refund is no longer shown', async () => {
		const service = await lenientService({ [A]: 10_000 }, [
			{ answer: failure(400, 'no'), executed: true },
		]);
		expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['unknown']);
		lagging(service);
		for (let time = 0; time < 2; time += 1) await refund(service, [refundOf(A)]);
		expect(service.posts()).toHaveLength(1);
	});

	it('a refund is refused if two rows of its charge differ', async () => {
		const service = await lenientService({ [A]: 10_000 });
		service.rows = (id) => {
			const row = service.show(service.charge(id));
			return [{ ...row, refund_total: '90.00' }, row];
		};
		expect(messageOf(await refund(service, [refundOf(A)]))).toMatch(/contradict.*NOT refunded/);
		expect(service.posts()).toEqual([]);
	});

	it.each([reset(), failure(400, 'no')])(
		'two rows that differ after %j leave the refund in doubt',
		async (answer) => {
			const service = await lenientService({ [A]: 10_000 }, [{ answer, executed: true }]);
			let reads = 0;
			service.rows = (id) => {
				const now = service.charge(id);
				const rows = [service.show({ ...now, refunds: [] }), service.show(now)];
				return ++reads === 1 ? rows.slice(0, 1) : rows;
			};
			expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['unknown']);
		},
	);
});
