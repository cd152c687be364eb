import type { INodeParameters } from 'n8n-workflow';

import { clock as nodesClock } from '../../../nodes/shared/clock';
import { CHARGE_EVENT_NAMES } from '../../../nodes/shared/records/chargeEvents';
import { ServiceError, type Switches } from '../../../sandbox';
import { useFakeClock } from '../../support/clock';
import type { Poller } from '../../support/engine';
import fc from '../../support/jest/property';
import { hintsOf } from '../../support/lists';
import { triggerOn } from '../../support/operations';
import { sandbox, useSandbox } from '../../support/sandbox';
import { PLANTED } from '../../support/secrets/secrets';
import { weighted } from '../../trigger/world/worldSteps';
import { eventIds, runGetEvents } from './events';

/**
 * Compares Get Events with the trigger, both in n8n's own engine and with the sandbox. The trigger polls after each single
 * change, so it misses none.
 */

useSandbox({
	apiKey: PLANTED.apiKey,
	counts: { charges: 0, customers: 3, links: 0, invoices: 0, checkoutSessions: 0 },
	clock: () => nodesClock.now(),
});

const BEGINNING = Date.UTC(2025, 2, 1);
const CURRENCIES = [
	{ currency: 'EUR', total: '90.00', parts: ['1.00', '2.5', '0.01', '30'] },
	{ currency: 'JPY', total: '9000', parts: ['7', '100', '3000'] },
	{ currency: 'KWD', total: '9.000', parts: ['0.001', '1.5', '2'] },
] as const;
const STATUSES = ['authorised', 'captured', 'settled'] as const;

const number = fc.nat({ max: 11 });
// Adds up to six days at most, which is within the watched days.
const afterSeconds = fc.integer({ min: 1, max: 30_000 });

/** Changes of the service, each some time after the one before. Numbers choose among what there is. */
const changes = fc.array(
	fc.oneof(
		weighted(3, fc.record({ kind: fc.constant('create'), afterSeconds, currency: number })),
		weighted(
			4,
			fc.record({
				kind: fc.constant('refund'),
				afterSeconds,
				charge: number,
				// Undefined refunds all that is left.
				part: fc.option(number, { nil: undefined, freq: 5 }),
			}),
		),
		weighted(
			2,
			fc.record({ kind: fc.constant('status'), afterSeconds, charge: number, status: number }),
		),
	),
	{ minLength: 4, maxLength: 16 },
);

type Change = (typeof changes extends fc.Arbitrary<infer Changes> ? Changes : never)[number];

const switches = fc.record({
	rowOrder: fc.constantFrom<Switches['rowOrder']>('newestFirst', 'oldestFirst', 'shuffled'),
	maxPageSize: fc.constantFrom(2, 3, 100),
	omitCount: fc.boolean(),
	statusAfterRefund: fc.constantFrom<Switches['statusAfterRefund']>('keep', 'change'),
	timestampFormat: fc.constantFrom<Switches['timestampFormat']>(
		...(['z-millis', 'micros', 'offset+04:00', 'no-fraction'] as const),
	),
});

const at = <Entry>(entries: readonly Entry[], index: number): Entry | undefined =>
	entries[index % entries.length];

function apply(change: Change): void {
	if (change.kind === 'create') {
		const { currency, total } = at(CURRENCIES, change.currency) ?? CURRENCIES[0];
		sandbox.insertCharge({ currency, total });
		return;
	}
	const charge = at(sandbox.store.charges.all(), change.charge)?.charge;
	if (charge === undefined) return;
	if (change.kind === 'status') {
		sandbox.setChargeStatus(charge.id, at(STATUSES, change.status) ?? '');
		return;
	}
	const parts = CURRENCIES.find(({ currency }) => currency === charge.currency)?.parts ?? [];
	try {
		sandbox.refundCharge(
			charge.id,
			change.part === undefined ? undefined : at<string>(parts, change.part),
		);
	} catch (error) {
		// Nothing is left, or less than that.
		if (!(error instanceof ServiceError)) throw error;
	}
}

/** Collects what a trigger emits, with the time of the poll. */
class Listener {
	readonly emitted: Array<{ id: string; charge: string; ms: number }> = [];

	private constructor(private readonly poller: Poller) {}

	static async start(parameters: INodeParameters): Promise<Listener> {
		const options = { startFrom: 'beginning', sweepPages: 100 };
		const poller = triggerOn(sandbox, {
			parameters: { events: CHARGE_EVENT_NAMES, ...parameters, options },
		});
		expect((await poller.activate()).error).toBeUndefined();
		return new Listener(poller);
	}

	async poll(): Promise<void> {
		const { json, error } = await this.poller.tick();
		expect(error).toBeUndefined();
		for (const { event_id: id, id: charge } of json) {
			this.emitted.push({ id: id as string, charge: charge as string, ms: nodesClock.now() });
		}
	}

	since(ms: number): string[] {
		return this.emitted.filter((one) => one.ms >= ms).map(({ id }) => id);
	}
}

const STATUS = 'captured';

/** Get Events returns each creation and each refund, but only the present state of anything else. */
const isInTime = (id: string): boolean => /^charge\.(created|refunded):/.test(id);
const isOf = (name: string) => (id: string) => id.startsWith(`${name}:`);
const sorted = (ids: readonly string[]): string[] => [...ids].sort();

it('Get Events returns what a trigger emits that polls after each single change', async () => {
	const seen = { refunded: 0, later: 0, byStatus: 0, halved: 0 };
	await fc.assert(
		fc.asyncProperty(changes, switches, number, number, async (history, chosen, middle, end) => {
			const clock = useFakeClock({ now: BEGINNING });
			sandbox.reset();
			sandbox.setSwitches(chosen);
			const all = await Listener.start({});
			const parameters = { filters: { status: STATUS }, events: ['charge.created'] };
			const byStatus = await Listener.start(parameters);
			const alone = new Map<string, Listener>();
			for (const name of CHARGE_EVENT_NAMES)
				alone.set(name, await Listener.start({ events: [name] }));
			const listeners = [all, byStatus, ...alone.values()];
			const times = [BEGINNING];
			for (const change of history) {
				clock.advance(change.afterSeconds * 1000);
				times.push(clock.now());
				apply(change);
				for (const listener of listeners) await listener.poll();
			}

			const charges = sandbox.store.charges.all().map(({ charge }) => charge);
			const get = async (
				ms: number,
				own: INodeParameters = {},
				untilMs?: number,
			): Promise<string[]> => {
				const since = new Date(ms).toISOString();
				const until = untilMs === undefined ? '' : new Date(untilMs).toISOString();
				const result = await runGetEvents(sandbox, { parameters: { since, until, ...own } });
				expect([result.error, hintsOf(result)]).toEqual([undefined, []]);
				return eventIds(result.json);
			};
			const statusesNow = charges.map(({ id, status }) => `charge.statusChanged:${id}:${status}`);
			const dated = (ids: readonly string[]): string[] => sorted(ids.filter(isInTime));

			for (const [name, listener] of alone) {
				const given = await get(BEGINNING, { events: [name] });
				expect(given).toEqual((await get(BEGINNING)).filter(isOf(name)));
				expect(listener.since(BEGINNING)).toEqual(all.since(BEGINNING).filter(isOf(name)));
			}

			for (const ms of [BEGINNING, at(times, middle) ?? 0]) {
				const given = await get(ms);
				expect(dated(given)).toEqual(dated(all.since(ms)));
				expect(sorted(given.filter((id) => !isInTime(id)))).toEqual(sorted(statusesNow));

				const ofStatus = await get(ms, parameters);
				const haveIt = new Set(
					charges.filter(({ status }) => status === STATUS).map(({ id }) => id),
				);
				const ofTrigger = byStatus.emitted.filter(({ charge }) => haveIt.has(charge));
				const emittedSince = ofTrigger.filter((one) => one.ms >= ms).map(({ id }) => id);
				// A charge that got the status again is returned again, with the last of its dates.
				expect(ofStatus).toEqual(expect.arrayContaining(emittedSince));
				expect(sorted(ofTrigger.map(({ id }) => id))).toEqual(
					expect.arrayContaining(sorted(ofStatus)),
				);

				// Two periods in a row return each event once. Only current statuses are in both.
				const untilMs = at(times, end) ?? 0;
				if (untilMs > ms) {
					for (const [whole, one] of [[given, {}] as const, [ofStatus, parameters] as const]) {
						const before = await get(ms, one, untilMs);
						const after = await get(untilMs, one);
						expect(dated([...before, ...after])).toEqual(dated(whole));
						expect(new Set([...before, ...after])).toEqual(new Set(whole));
						seen.halved += dated(before).length > 0 && dated(after).length > 0 ? 1 : 0;
					}
				}

				seen.refunded += given.filter((id) => id.startsWith('charge.refunded')).length;
				seen.later += ms > BEGINNING && dated(given).length > 0 ? 1 : 0;
				seen.byStatus += emittedSince.length > 0 ? 1 : 0;
			}
		}),
		{ numRuns: 25 },
	);
	// Fails if the histories were empty.
	for (const times of Object.values(seen)) expect(times).toBeGreaterThan(5);
});
