import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { MAX_HOLD_MS } from '../../../nodes/PaymentCollection/resources/charge/refund/ledger';
import { useFakeClock } from '../../support/clock';
import { runNodeInLoop } from '../../support/engine';
import { failure, reset } from '../../support/servers/http-server';
import { credentialsFor, uuid } from '../../support/operations';
import { processedData } from '../../support/processedData';
import { lenientService, refund, toldBy, type LenientService } from '../../support/refunds';
import { AGENT_PATHS, enginePath, refundOf, type RefundAsAgent } from './asAgent';

/** A refund whose outcome was unknown, has shown since, and is asked for once more. */

const A = uuid(1);

const ask = async (
	path: RefundAsAgent,
	service: LenientService,
	amount: string,
	options: INodeParameters = {},
) => await path(service, A, { amount, options });

/** The first refund is answered with a fault and is carried out only when the test says so. */
async function lateService(): Promise<LenientService> {
	const service = await lenientService({ [A]: 10_000 }, [{ answer: reset(), executed: false }]);
	return service;
}
const carryOut = (service: LenientService, cents: number): void =>
	void service.charge(A).refunds.push(cents);

let clock: ReturnType<typeof useFakeClock>;
beforeEach(() => {
	clock = useFakeClock();
});

describe.each(AGENT_PATHS)('on %s', (_path, path) => {
	it('a model that asks again in another run is given the first refund', async () => {
		const service = await lateService();
		expect((await ask(path, service, '5.00')).error).toMatch(/^UNKNOWN/);
		expect((await ask(path, service, '5.00')).error).toMatch(/^NOT refunded: it is unknown/);
		carryOut(service, 500);
		expect(await ask(path, service, '5.00')).toMatchObject({
			message: expect.stringMatching(/by an earlier call.*Nothing more was sent/) as string,
			refund_total: '5.00',
		});
		expect(service.posts()).toHaveLength(1);
	});

	it('another amount that succeeds in between does not make the first one forgotten', async () => {
		const service = await lateService();
		await ask(path, service, '5.00');
		carryOut(service, 500);
		expect(await ask(path, service, '3.00')).toMatchObject({ refund_total: '8.00' });
		expect(await ask(path, service, '5.00')).toMatchObject({
			message: expect.stringContaining('Nothing more was sent') as string,
			refund_total: '8.00',
		});
		expect(service.refunded(A)).toBe(800);
		// Told of the first one, a model that asks once more means another.
		expect(await ask(path, service, '5.00')).toMatchObject({ refund_total: '13.00' });
	});

	it('one who knows what is refunded by now gets a refund of the same amount', async () => {
		const service = await lateService();
		await ask(path, service, '5.00');
		carryOut(service, 500);
		const options = { expectedRefundTotal: '5.00' };
		expect(await ask(path, service, '5.00', options)).toMatchObject({ refund_total: '10.00' });
	});
});

it('a model that makes up another Idempotency Key is given the first refund all the same', async () => {
	processedData.reset();
	const service = await lateService();
	const first = await ask(enginePath, service, '5.00', { idempotencyKey: 'one' });
	expect(first.error).toMatch(/^UNKNOWN/);
	carryOut(service, 500);
	const second = await ask(enginePath, service, '5.00', { idempotencyKey: 'two' });
	expect(second.message).toContain('Nothing more was sent');
	expect(processedData.keys()).toEqual(['POST /v1/charges/{id}/refund one']);
	expect(service.posts()).toHaveLength(1);
});

describe('in a workflow', () => {
	const item = (amount: string): IDataObject => ({ charge: A, amount });
	const verdicts = async (
		service: LenientService,
		amount: string,
		options?: INodeParameters,
	): Promise<string[]> =>
		toldBy(await refund(service, [item(amount)], { options })).map(({ verdict }) => verdict);

	it('another run for the same amount is told that the first one was carried out', async () => {
		const service = await lateService();
		expect(await verdicts(service, '5.00')).toEqual(['unknown']);
		carryOut(service, 500);
		for (let run = 0; run < 3; run += 1) {
			const result = await refund(service, [item('5.00')]);
			expect(result.error?.message).toMatch(
				/^NOT refunded: an earlier refund of 5\.00 USD of charge \S+, whose outcome was unknown, was carried out/,
			);
		}
		expect(await verdicts(service, '2.00')).toEqual(['refunded']);
		expect(await verdicts(service, '5.00', { expectedRefundTotal: '7.00' })).toEqual(['refunded']);
		expect(service.refunded(A)).toBe(1200);
	});

	it('another Idempotency Key is another refund', async () => {
		processedData.reset();
		const service = await lateService();
		await verdicts(service, '5.00', { idempotencyKey: 'one' });
		carryOut(service, 500);
		expect(await verdicts(service, '5.00', { idempotencyKey: 'two' })).toEqual(['refunded']);
		expect(await verdicts(service, '5.00', { idempotencyKey: 'one' })).toEqual(['nothing']);
		expect(service.refunded(A)).toBe(1000);
	});

	it('a loop that runs the node again for what failed does not refund twice', async () => {
		const service = await lateService();
		let reads = 0;
		service.rows = (id) => {
			reads += 1;
			if (reads === 4) carryOut(service, 500);
			return [service.show(service.charge(id))];
		};
		await runNodeInLoop({
			nodeType: new PaymentCollection(),
			credentials: credentialsFor(service),
			parameters: refundOf(A, { amount: '5.00' }),
			rounds: [[{}], [{}], [{}], [{}]],
			onError: 'continueErrorOutput',
		});
		expect(service.refunded(A)).toBe(500);
	});

	it('two items of one run are two refunds', async () => {
		const service = await lateService();
		let reads = 0;
		service.rows = (id) => {
			reads += 1;
			if (reads === 4) carryOut(service, 500);
			return [service.show(service.charge(id))];
		};
		await refund(service, [item('5.00'), item('5.00')], { onError: 'continueRegularOutput' });
		expect(service.refunded(A)).toBe(1000);
	});

	it('that holds for the ten minutes of the hold', async () => {
		const service = await lateService();
		await verdicts(service, '5.00');
		carryOut(service, 500);
		expect(await verdicts(service, '5.00')).toEqual(['not refunded']);
		clock.advance(MAX_HOLD_MS);
		expect(await verdicts(service, '5.00')).toEqual(['refunded']);
	});
});

describe('what contradicts itself', () => {
	it('a refusal that the charge once contradicted holds it, whatever the charge shows then', async () => {
		const service = await lenientService({ [A]: 10_000 }, [
			{ answer: failure(400, 'no'), executed: true },
		]);
		expect(toldBy(await refund(service, [{ charge: A, amount: '5.00' }]))[0]?.verdict).toBe(
			'unknown',
		);
		// A copy of the list that is behind.
		service.rows = (id) => [service.show({ ...service.charge(id), refunds: [] })];
		for (let run = 0; run < 2; run += 1) {
			await refund(service, [{ charge: A, amount: '5.00' }]);
		}
		expect(service.posts()).toHaveLength(1);
	});

	const twice = (service: LenientService, fields: IDataObject): void => {
		service.rows = (id) => {
			const row = service.show(service.charge(id));
			return [{ ...row, ...fields }, row];
		};
	};

	it.each([{ refund_total: '0.00', refunds: [] }, { total: '500.00' }, { currency: 'EUR' }])(
		'two rows of one charge that differ in %j refuse a refund',
		async (fields) => {
			const service = await lenientService({ [A]: 10_000 });
			service.charge(A).refunds = [9_000];
			twice(service, fields);
			const result = await refund(service, [{ charge: A, amount: '5.00' }]);
			expect(result.error?.message).toMatch(/contradict.*NOT refunded/);
			expect(service.posts()).toEqual([]);
		},
	);

	it('two rows that say the same are one', async () => {
		const service = await lenientService({ [A]: 10_000 });
		twice(service, { note: 'another' });
		const result = await refund(service, [{ charge: A, amount: '5.00' }]);
		expect(toldBy(result).map(({ verdict }) => verdict)).toEqual(['refunded']);
	});

	it.each([reset(), failure(400, 'no')])(
		'two rows after %j leave what was sent in doubt',
		async (answer) => {
			const service = await lenientService({ [A]: 10_000 }, [{ answer, executed: true }]);
			let reads = 0;
			service.rows = (id) => {
				const now = service.charge(id);
				const rows = [service.show({ ...now, refunds: [] }), service.show(now)];
				return ++reads === 1 ? rows.slice(0, 1) : rows;
			};
			const result = await refund(service, [{ charge: A, amount: '5.00' }]);
			expect(toldBy(result).map(({ verdict }) => verdict)).toEqual(['unknown']);
		},
	);
});

describe('one charge', () => {
	it('is refunded once by executions with two keys of its account', async () => {
		const service = await lenientService({ [A]: 1000 });
		const other = { ...credentialsFor(service), apiKey: 'another-key-of-the-account' };
		// Long enough for the second one to read the charge, if nothing keeps it back.
		service.pause = async () => await new Promise((resolve) => setTimeout(resolve, 50));
		const all = [{ charge: A, amount: '10.00' }];
		const results = await Promise.all([
			refund(service, all),
			refund(service, all, { credentials: other }),
		]);
		expect(service.refunded(A)).toBe(1000);
		expect(results.flatMap(({ items }) => items)).toHaveLength(1);
		expect(service.requests.filter(({ method }) => method === 'GET')).toHaveLength(2);
	});
});
