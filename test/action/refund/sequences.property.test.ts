import type { IDataObject, OnError } from 'n8n-workflow';

import { timeOutByTurns, useFakeClock } from '../../support/clock';
import { failure, html, json } from '../../support/servers/http-server';
import { uuid } from '../../support/operations';
import {
	lenientService,
	refund,
	shownCharge,
	toldBy,
	type LenientCharge,
	type RefundFate,
	type Told,
} from '../../support/refunds';
import fc from '../../support/jest/property';

/** Charges of one service; a service sets no limits of its own, so what holds here is the node's doing. */
const TOTALS = { [uuid(1)]: 1000, [uuid(2)]: 250 };
const IDS = Object.keys(TOTALS);

const arbitraryFate: fc.Arbitrary<RefundFate> = fc.oneof(
	{ weight: 4, arbitrary: fc.constant<RefundFate>('well') },
	fc.constant<RefundFate>('late'),
	fc.record({
		answer: fc.constantFrom(
			failure(400, 'no'),
			failure(409, 'no'),
			failure(429, 'slow'),
			failure(500, 'broken'),
			html('<h1>Gateway</h1>', 502),
			failure(503, 'later'),
			failure(200, 'no'),
			json({}),
			json({ message: '' }),
			{ kind: 'reset', when: 'afterReading' } as const,
			{ kind: 'partial', body: '{"mess', declaredLength: 99 } as const,
		),
		executed: fc.boolean(),
	}),
);

const arbitraryItem = fc.record({
	charge: fc.constantFrom(...IDS),
	/** Undefined for all that is left. */
	cents: fc.option(fc.integer({ min: 1, max: 700 }), { nil: undefined, freq: 3 }),
});

type Item = typeof arbitraryItem extends fc.Arbitrary<infer One> ? One : never;

const asItem = ({ charge, cents }: Item): IDataObject =>
	cents === undefined
		? { charge, type: 'full' }
		: { charge, type: 'partial', amount: (cents / 100).toFixed(2) };

const BY_ITEM = { amountType: '={{ $json.type }}', amount: '={{ $json.amount }}' };

type Shown = 'at once' | 'late' | 'without a total';

/** How the list shows a charge; late means that no refund shows during the run. */
const shownAs: Record<Shown, (charge: LenientCharge) => IDataObject> = {
	'at once': shownCharge,
	late: ({ id, total }) => shownCharge({ id, total, refunds: [] }),
	'without a total': (charge) => ({ ...shownCharge(charge), refund_total: undefined }),
};

/** A service that says it did not refund, did so, and does not show it leaves nothing to know it by. */
const honest = (fate: RefundFate, shown: Shown): RefundFate =>
	shown === 'late' && typeof fate === 'object' && isRefusal(fate)
		? { ...fate, executed: false }
		: fate;

const isRefusal = ({ answer }: RefundFate & object): boolean =>
	answer.kind === 'reply' && answer.status >= 400 && answer.body?.startsWith('{"error"') === true;

beforeEach(() => {
	useFakeClock();
	timeOutByTurns();
});

describe('any sequence of refunds', () => {
	it('never refunds more than the total, and told is what was done', async () => {
		const service = await lenientService(TOTALS);
		await fc.assert(
			fc.asyncProperty(
				fc.array(arbitraryItem, { minLength: 1, maxLength: 6 }),
				fc.array(arbitraryFate, { maxLength: 6 }),
				fc.constantFrom<OnError>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
				fc.integer({ min: 1, max: 4 }),
				fc.constantFrom<Shown>('at once', 'late', 'without a total'),
				async (wanted, fates, onError, maxTries, shown) => {
					for (const id of IDS) service.charge(id).refunds = [];
					service.fates = fates.map((fate) => honest(fate, shown));
					service.show = shownAs[shown];
					const result = await refund(service, wanted.map(asItem), {
						parameters: BY_ITEM,
						onError,
						...(maxTries > 1 ? { retryOnFail: { maxTries } } : {}),
					});
					service.finishLate();
					const told = toldBy(result);
					expect(told.filter(({ verdict }) => verdict === 'nothing')).toEqual([]);
					for (const id of IDS) {
						const done = service.charge(id).refunds;
						const of = (verdict: string): Told[] =>
							told.filter(
								({ item, verdict: said }) => said === verdict && wanted[item]?.charge === id,
							);
						const sum = (cents: number[]): number => cents.reduce((all, one) => all + one, 0);
						expect(sum(done)).toBeLessThanOrEqual(TOTALS[id] ?? 0);
						// What was done is all that is told as done, and nothing else but what is unknown.
						const rest = [...done];
						for (const { item, text } of of('done')) {
							const cents = Math.round(Number.parseFloat(text) * 100);
							expect(wanted[item]?.cents ?? cents).toBe(cents);
							expect(rest).toContain(cents);
							rest.splice(rest.indexOf(cents), 1);
						}
						const unknown = of('unknown').map(({ item }) => wanted[item]?.cents);
						for (const cents of rest) {
							// Nobody can tell beforehand how much a full one is.
							const asked = unknown.includes(cents) ? cents : undefined;
							expect(unknown).toContain(asked);
							unknown.splice(unknown.indexOf(asked), 1);
						}
					}
				},
			),
			{ numRuns: 100 },
		);
	});
});
