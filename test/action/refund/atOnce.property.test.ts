import type { OnError } from 'n8n-workflow';

import { MAX_HOLD_MS } from '../../../nodes/PaymentCollection/resources/charge/refund/ledger';
import { clock } from '../../support/clock';
import type { RunResult } from '../../support/engine';
import {
	failure,
	html,
	partial,
	redirect,
	reset,
	type Answer,
} from '../../support/servers/http-server';
import { uuid } from '../../support/operations';
import {
	descriptionOf,
	refundOf,
	lagging,
	lenientService,
	refund,
	reportedBy,
	verdicts,
	type LenientService,
	type RefundFate,
} from '../../support/refunds';
import fc from '../../support/jest/property';

/** Several executions of one process that refund a charge, in parallel or after an unknown outcome. */

const A = uuid(1);
const TOTAL = 1_000;

/** One execution of these items: amounts in cents, undefined for all that is left. */
type Asked = Array<number | undefined>;

const asked: fc.Arbitrary<Asked> = fc.array(
	fc.option(fc.integer({ min: 100, max: 900 }), { nil: undefined, freq: 2 }),
	{ minLength: 1, maxLength: 4 },
);

const ask = async (
	service: LenientService,
	amounts: Asked,
	settings: Parameters<typeof refund>[2],
): Promise<RunResult> =>
	await refund(
		service,
		amounts.map((cents) => ({
			charge: A,
			type: cents === undefined ? 'full' : 'partial',
			amount: ((cents ?? 0) / 100).toFixed(2),
		})),
		{ parameters: { amountType: '={{ $json.type }}', amount: '={{ $json.amount }}' }, ...settings },
	);

/**
 * Holds back each request of the service for as many turns of the event loop as the scheduler says: any order in which
 * requests of several executions can arrive and be answered.
 */
function delayed(service: LenientService, turns: number[]): void {
	let next = 0;
	service.pause = async () => {
		for (let turn = turns[next++ % turns.length] ?? 0; turn > 0; turn -= 1) {
			await new Promise(setImmediate);
		}
	};
}

/** Excludes a service that denies a refund which it made and never shows: nothing could detect that. */
const honest = (fate: RefundFate, isShown: boolean): RefundFate =>
	!isShown && typeof fate === 'object' && fate.answer.kind === 'reply' && fate.answer.status < 500
		? { ...fate, executed: fate.answer.status < 400 }
		: fate;

const arbitraryFate: fc.Arbitrary<RefundFate> = fc.oneof(
	{ weight: 4, arbitrary: fc.constant<RefundFate>('well') },
	fc.record({
		answer: fc.constantFrom<Answer>(
			failure(400, 'no'),
			failure(409, 'busy'),
			failure(429, 'slow'),
			failure(500, 'broken'),
			failure(503, 'later'),
			html('<h1>Gateway</h1>', 502),
			redirect('/', 307),
			html('<h1>Done</h1>'),
			partial('{"mess'),
			reset(),
		),
		executed: fc.boolean(),
	}),
);

const schedule = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 3, maxLength: 24 });
const fates = fc.array(arbitraryFate, { maxLength: 8 });

it.each([
	[2, 80],
	[5, 40],
	[20, 12],
])(
	'%i parallel executions refund a charge up to its total at most, and once for one Expected Refund Total',
	async (executions, numRuns) => {
		await fc.assert(
			fc.asyncProperty(
				schedule,
				fates,
				fc.array(asked, { minLength: 1, maxLength: 3 }),
				fc.constantFrom<OnError>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
				fc.constantFrom(undefined, { maxTries: 3 }),
				fc.boolean(),
				fc.constantFrom({}, { expectedRefundTotal: '0.00' }),
				async (turns, fate, all, onError, retryOnFail, isLagging, options) => {
					const service = await lenientService(
						{ [A]: TOTAL },
						fate.map((one) => honest(one, !isLagging)),
					);
					delayed(service, turns);
					if (isLagging) lagging(service);
					const settings = { onError, retryOnFail, options };
					const results = await Promise.all(
						Array.from(
							{ length: executions },
							async (_, number) => await ask(service, all[number % all.length] ?? [], settings),
						),
					);
					expect(service.refunded(A)).toBeLessThanOrEqual(TOTAL);
					if (options.expectedRefundTotal !== undefined)
						expect(service.charge(A).refunds.length).toBeLessThanOrEqual(1);
					expectTruth(service, results);
					await service.close();
				},
			),
			{ numRuns },
		);
	},
);

/** Checks that refunds reported as done were done, and that each one that was done is reported as done or unknown. */
function expectTruth(service: LenientService, results: RunResult[]): void {
	const reported = results.flatMap(verdicts);
	const done = service.charge(A).refunds.length;
	const count = (verdict: string): number => reported.filter((one) => one === verdict).length;
	expect(count('nothing')).toBe(0);
	expect(count('done')).toBeLessThanOrEqual(done);
	expect(count('done') + count('unknown')).toBeGreaterThanOrEqual(done);
	// Each reported amount was refunded as often as it is reported.
	const carriedOut = service.charge(A).refunds.map((cents) => (cents / 100).toFixed(2));
	for (const { verdict, text } of results.flatMap(reportedBy)) {
		if (verdict !== 'done') continue;
		const [amount] = /[\d.]+/.exec(text) ?? [];
		const index = carriedOut.indexOf(String(amount));
		expect(index).toBeGreaterThanOrEqual(0);
		carriedOut.splice(index, 1);
	}
}

it('a charge whose refund is unknown is held for other executions, which report until when', async () => {
	const service = await lenientService({ [A]: TOTAL }, [
		{ answer: failure(500, 'broken'), executed: false },
	]);
	expect(verdicts(await refund(service, [refundOf(A, '4.00')]))).toEqual(['unknown']);
	const second = await refund(service, [refundOf(A, '1.00')]);
	expect(verdicts(second)).toEqual(['not done']);
	expect(descriptionOf(second)).toContain('The earlier refund of 4.00 USD');
	expect(descriptionOf(second)).toContain('before 2025-01-15 12:10:00 UTC');

	clock.advance(MAX_HOLD_MS - 10_000);
	// The host's clock jumps, and no time passes.
	clock.setHost(MAX_HOLD_MS);
	expect(verdicts(await refund(service, [refundOf(A, '4.00')]))).toEqual(['not done']);
	expect(service.posts()).toHaveLength(1);
	clock.advance(10_000);
	expect(verdicts(await refund(service, [refundOf(A, '4.00')]))).toEqual(['done']);
	expect(service.refunded(A)).toBe(400);
});
