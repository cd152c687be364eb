import { clock } from '../../support/clock';
import fc, { property } from '../../support/jest/property';
import { uuid } from '../../support/operations';
import { lenientService, refund, shownCharge, type LenientService } from '../../support/refunds';
import { empty, failure, redirect, reset } from '../../support/servers/http-server';
import { enginePath, olderPath, refundByTool } from '../../support/toolPaths';

/** A service that carries out refunds late and shows them even later, in schedules of many requests. */

const A = uuid(1);
/** Never leaves 5.00. */
const TOTAL = 1210;
const FULL = { parameters: { amountType: 'full' } };

const ANSWERS = [
	reset(),
	empty(200),
	redirect('/', 307),
	...[408, 500, 503].map((status) => failure(status, 'no')),
];
const REFUSALS = [400, 409, 422].map((status) => failure(status, 'no'));
type Ask = (service: LenientService, amount: string) => Promise<{ error?: string }>;
const ask: Record<string, Ask> = {
	olderPath: async (service, amount) => await refundByTool(olderPath, service, A, { amount }),
	enginePath: async (service, amount) => await refundByTool(enginePath, service, A, { amount }),
	workflow: async (service, amount) => {
		const { json, error } = await refund(service, [{ charge: A, amount }]);
		return json[0] ?? { error: error?.message };
	},
};
const steps = fc.array(
	fc.record({
		way: fc.constantFrom(...Object.values(ask)),
		answer: fc.constantFrom(...ANSWERS, ...REFUSALS),
		/** Milliseconds after the request; undefined for never. */
		carriedOutAfter: fc.option(fc.integer({ min: 0, max: 90_000 }), { nil: undefined }),
		wait: fc.integer({ min: 0, max: 60_000 }),
		isListBehind: fc.boolean(),
		between: fc.constantFrom('nothing', 'a part', 'all that is left'),
	}),
	{ minLength: 2, maxLength: 6 },
);

property(
	'a refund that is requested until it is reported is made at most once, and never exceeds the charge, however late the service is',
	[steps],
	async (asked) => {
		const service = await lenientService({ [A]: TOTAL });
		const due: number[] = [];
		let isBehind = false;
		let listed: number[] = [];
		service.rows = (id) => {
			while ((due[0] ?? Infinity) <= clock.now()) {
				due.shift();
				service.charge(A).refunds.push(500);
			}
			const charge = service.charge(id);
			if (!isBehind) listed = [...charge.refunds];
			return [shownCharge({ ...charge, refunds: listed })];
		};
		for (const { way, answer, carriedOutAfter, wait, isListBehind, between } of asked) {
			isBehind = isListBehind;
			service.fates = [{ answer, executed: false }];
			const before = service.posts().length;
			const result = await way(service, '5.00');
			service.fates = [];
			const wasSent = service.posts().length > before && !REFUSALS.includes(answer);
			if (wasSent && carriedOutAfter !== undefined) due.push(clock.now() + carriedOutAfter);
			due.sort((one, other) => one - other);
			if (result.error === undefined) break;
			isBehind = false;
			if (between === 'a part') await ask['workflow']?.(service, '2.00');
			if (between === 'all that is left') await refund(service, [{ charge: A }], FULL);
			clock.advance(wait);
		}
		clock.advance(100_000);
		service.rows(A);
		const { refunds } = service.charge(A);
		expect(refunds.filter((cents) => cents === 500).length).toBeLessThan(2);
		expect(refunds.reduce((sum, cents) => sum + cents, 0)).toBeLessThanOrEqual(TOTAL);
		await service.close();
	},
	{ numRuns: 100 },
);
