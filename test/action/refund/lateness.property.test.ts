import type { INodeParameters } from 'n8n-workflow';

import { useFakeClock } from '../../support/clock';
import fc from '../../support/jest/property';
import { uuid } from '../../support/operations';
import { lenientService, refund, shownCharge, type LenientService } from '../../support/refunds';
import { empty, failure, json, redirect, reset } from '../../support/servers/http-server';
import { enginePath, olderPath } from './asAgent';

/** A service that carries refunds out late and shows them later still, in schedules of many requests. */

const A = uuid(1);

let clock: ReturnType<typeof useFakeClock>;
beforeEach(() => {
	clock = useFakeClock();
});

describe('whoever asks for parts and for all that is left', () => {
	const MINUTE = 60_000;
	const LOST = [reset(), failure(408, 'no'), failure(500, 'no'), failure(503, 'no'), json({})];
	const lateness = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4 * MINUTE }));
	const steps = fc.array(
		fc.record({
			/** Undefined for all that is left. */
			cents: fc.option(fc.integer({ min: 1, max: 2000 }), { nil: undefined, freq: 2 }),
			way: fc.constantFrom('workflow', 'atOnce', 'olderPath', 'enginePath'),
			maxTries: fc.integer({ min: 1, max: 3 }),
			/** Undefined for a refund that is confirmed at once. */
			answer: fc.option(fc.constantFrom(...LOST), { nil: undefined, freq: 2 }),
			/** Milliseconds after the request; undefined for never. */
			carriedOutAfter: fc.option(lateness, { nil: undefined, freq: 3 }),
			shownAfter: lateness,
			wait: fc.integer({ min: 0, max: 5 * MINUTE }),
		}),
		{ minLength: 2, maxLength: 6 },
	);

	it('never gets more than the charge has, however late the service does and shows it', async () => {
		await fc.assert(
			fc.asyncProperty(steps, async (asked) => {
				const service = await lenientService({ [A]: 2000 });
				const done: Array<{ cents: number; shownAt: number }> = [];
				service.rows = () => {
					const shown = done.filter(({ shownAt }) => shownAt <= clock.now());
					const refunds = shown.map(({ cents }) => cents);
					return [shownCharge({ id: A, total: 2000, refunds })];
				};
				for (const { cents, way, maxTries, wait, ...fate } of asked) {
					const { answer, carriedOutAfter, shownAfter } = fate;
					const isDone = answer === undefined || carriedOutAfter !== undefined;
					const before = service.posts().length;
					service.fates =
						answer === undefined
							? []
							: Array.from({ length: 9 }, () => ({ answer, executed: false }));
					const how: INodeParameters =
						cents === undefined
							? { amountType: 'full' }
							: { amountType: 'partial', amount: (cents / 100).toFixed(2) };
					const started = clock.now();
					const inWorkflow = async () =>
						await refund(service, [{ charge: A }], {
							parameters: how,
							...(maxTries > 1 ? { retryOnFail: { maxTries } } : {}),
						});
					if (way === 'workflow') await inWorkflow();
					else if (way === 'atOnce') await Promise.all([inWorkflow(), inWorkflow()]);
					else await (way === 'olderPath' ? olderPath : enginePath)(service, A, how);
					for (const { amount } of service.posts().slice(before)) {
						if (!isDone) continue;
						const shownAt =
							started + (answer === undefined ? 0 : (carriedOutAfter ?? 0)) + shownAfter;
						done.push({ cents: Math.round(Number(amount) * 100), shownAt });
					}
					clock.advance(wait);
				}
				expect(done.reduce((sum, { cents }) => sum + cents, 0)).toBeLessThanOrEqual(2000);
				await service.close();
			}),
			{ numRuns: 100 },
		);
	});
});

describe('whoever wants one refund and asks until it is told of it', () => {
	const ANSWERS = [
		reset(),
		empty(200),
		redirect('/', 307),
		...[408, 500, 503].map((status) => failure(status, 'no')),
	];
	type Ask = (service: LenientService, amount: string) => Promise<{ error?: string }>;
	const ask: Record<string, Ask> = {
		olderPath: async (service, amount) => await olderPath(service, A, { amount }),
		enginePath: async (service, amount) => await enginePath(service, A, { amount }),
		workflow: async (service, amount) => {
			const { json, error } = await refund(service, [{ charge: A, amount }]);
			return json[0] ?? { error: error?.message };
		},
	};
	const steps = fc.array(
		fc.record({
			way: fc.constantFrom(...Object.values(ask)),
			answer: fc.constantFrom(...ANSWERS),
			/** Milliseconds after the request; undefined for never. */
			carriedOutAfter: fc.option(fc.integer({ min: 0, max: 90_000 }), { nil: undefined }),
			wait: fc.integer({ min: 0, max: 60_000 }),
			isListBehind: fc.boolean(),
			isOtherBetween: fc.boolean(),
		}),
		{ minLength: 2, maxLength: 6 },
	);

	it('never gets two, however late the service is and whatever is refunded in between', async () => {
		await fc.assert(
			fc.asyncProperty(steps, async (asked) => {
				const service = await lenientService({ [A]: 10_000 });
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
				for (const { way, answer, carriedOutAfter, wait, isListBehind, isOtherBetween } of asked) {
					isBehind = isListBehind;
					service.fates = [{ answer, executed: false }];
					const before = service.posts().length;
					const told = await way(service, '5.00');
					service.fates = [];
					const wasSent = service.posts().length > before;
					if (wasSent && carriedOutAfter !== undefined) due.push(clock.now() + carriedOutAfter);
					due.sort((one, other) => one - other);
					if (told.error === undefined) break;
					isBehind = false;
					if (isOtherBetween) await ask['workflow']?.(service, '2.00');
					clock.advance(wait);
				}
				clock.advance(100_000);
				service.rows(A);
				expect(service.charge(A).refunds.filter((cents) => cents === 500).length).toBeLessThan(2);
				await service.close();
			}),
			{ numRuns: 60 },
		);
	});
});
