import type { OnError } from 'n8n-workflow';

import type { FaultAction } from '../../../sandbox';
import { useFakeClock } from '../../support/clock';
import { json, scriptedServer } from '../../support/servers/http-server';
import { createLinks, useSandbox } from './links';

/** Every fault that a service may answer a new link with, under Retry On Fail and without. */

const service = useSandbox();
const { created, posts, strike } = service;

describe('a link and every fault', () => {
	const REFUSALS: FaultAction[] = [
		...[400, 401, 403, 404, 409, 422].map((status) => ({ status })),
		{ status: 429, headers: { 'retry-after': '600' } },
	];
	const OPEN: FaultAction[] = [
		...[408, 500, 502, 503, 504].map((status) => ({ status })),
		{ status: 502, html: true },
		{ html: true },
		{ malformedJson: true },
		{ status: 200 },
		{ status: 200, body: '' },
		{ status: 200, body: [] },
		{ status: 200, body: { queued: true } },
		{ status: 303, redirectTo: '/done' },
		{ status: 308, redirectTo: '/elsewhere' },
	].flatMap((action: FaultAction) => [action, { ...action, afterExecuting: true }]);
	/** Long enough for an answer that comes at once, on a machine that is busy. */
	const WAIT_MS = 400;
	/** Only what is never answered, or too late, is waited for. */
	const waitFor = (action: FaultAction) =>
		'hang' in action || 'delayMs' in action ? { timeout: WAIT_MS } : {};
	const BROKEN: FaultAction[] = [
		{ resetBefore: true },
		{ resetAfter: true },
		{ cutOff: true },
		{ hang: 'before' },
		{ hang: 'after' },
		{ delayMs: 2 * WAIT_MS },
	];
	const MODES: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
	const named = (actions: FaultAction[]): Array<[string, FaultAction]> =>
		actions.map((action) => [JSON.stringify(action), action]);

	it.each(named(REFUSALS))('%s: refused, so the next try sends it', async (_name, action) => {
		for (const maxTries of [2, 3, 4, 5]) {
			for (const onError of MODES) {
				service.reset();
				strike(action, ...Array.from({ length: maxTries - 1 }, (_, number) => number + 1));
				const result = await createLinks(service, ['a'], { retryOnFail: { maxTries }, onError });
				expect(result.json).toMatchObject([{ title: 'a' }]);
				expect(created()).toEqual(['a']);
				expect(posts()).toBe(maxTries);
			}
		}
	});

	it.each(named([...OPEN, ...BROKEN]))(
		'%s: perhaps created, so no try sends it again',
		async (_name, action) => {
			for (const [maxTries, onError] of [
				[5, 'stopWorkflow'],
				[2, 'continueRegularOutput'],
				[3, 'continueErrorOutput'],
			] as const) {
				service.reset();
				strike(action, 1);
				const result = await createLinks(service, ['a', 'b'], {
					retryOnFail: { maxTries },
					onError,
					requestOptions: waitFor(action),
				});
				if (action.delayMs !== undefined) {
					await new Promise((resolve) => setTimeout(resolve, action.delayMs));
				}
				expect(posts()).toBe(2);
				expect(created().filter((title) => title === 'a').length).toBeLessThanOrEqual(1);
				expect(created().filter((title) => title === 'b')).toEqual(['b']);
				const told = [...result.json, ...result.errorItems.map(({ json: item }) => item)];
				const errors = told.flatMap(({ error }) => (typeof error === 'string' ? [error] : []));
				const message = result.error?.message ?? errors[0];
				expect(message).toMatch(
					/^UNKNOWN whether the link was created: check before you retry\. It was sent in an earlier try and not again/,
				);
			}
		},
	);

	it.each(named([...OPEN, ...BROKEN]))(
		'%s: without Retry On Fail the error says that it may have been carried out',
		async (_name, action) => {
			strike(action, 1);
			const result = await createLinks(service, ['a'], { requestOptions: waitFor(action) });
			expect(result.thrown[0]).toMatchObject({
				description: expect.stringContaining('may have carried the request out') as string,
			});
		},
	);

	it('429: waits and sends it again by itself', async () => {
		const clock = useFakeClock();
		strike({ status: 429, headers: { 'retry-after': '20' } }, 1);
		const result = await createLinks(service, ['a']);
		expect(result.json).toMatchObject([{ title: 'a' }]);
		expect(clock.sleeps).toEqual([20_000]);
		expect(created()).toEqual(['a']);
	});

	it('an error text under 200 is no link', async () => {
		const server = await scriptedServer(() => json({ error: 'over quota' }));
		const result = await createLinks(server, ['a'], { onError: 'continueErrorOutput' });
		expect(result.items).toEqual([]);
		expect(result.errorItems[0]?.json['error']).toContain('over quota');
	});
});
