import type { PollOutcome } from '../../../support/engine';
import { charge, history } from '../../../support/servers/chargeListServer';
import { json } from '../../../support/servers/http-server';
import { MINUTE_MS, NOW_MS, createdIds, scene } from '../scene';

const warningsOf = ({ logs }: PollOutcome): string[] =>
	logs.flatMap(({ level, message }) => (level === 'warn' ? [message] : []));

/** A node of the workflow that changes its static data may have n8n write back what it was before, or nothing. */
describe('what n8n kept of the trigger is gone when it starts', () => {
	const AT_START = { activation: 'init' } as const;
	const NOTHING_KEPT =
		'n8n has started, and holds nothing that the Payment Collection Trigger knew: it begins as Start From says';

	it('the log says so, once, and of another poll it does not', async () => {
		const { activate, tick, publish } = await scene(history(30, NOW_MS, MINUTE_MS), {}, AT_START);
		expect(warningsOf(await activate())).toEqual([NOTHING_KEPT]);
		expect(warningsOf(await tick())).toEqual([]);
		expect(warningsOf(await publish({ activation: 'activate' }))).toEqual([]);
	});

	it('it does not where the trigger is published', async () => {
		const { activate } = await scene(history(30, NOW_MS, MINUTE_MS));
		expect(warningsOf(await activate())).toEqual([]);
	});

	it('nor where n8n holds what it knew', async () => {
		const made = await scene(history(30, NOW_MS, MINUTE_MS));
		await made.activate();
		const fresh = made.arrive();
		await made.tick();
		const staticData = made.poller.unsaved();
		const workflowId = 'kept-over-a-start';
		expect(warningsOf(await made.publish({ ...AT_START, workflowId, staticData }))).toEqual([]);
		expect(made.told).toEqual(createdIds([fresh]));
	});
});

it('the log says at the beginning that pages may be numbered from 0', async () => {
	const { list, activate, tick } = await scene([]);
	const rows = [charge(NOW_MS - MINUTE_MS)];
	list.manners.instead = ({ page }) =>
		json({
			count: 1,
			next: null,
			previous: page > 0 ? '/?page=0' : null,
			results: page > 0 ? [] : rows,
		});
	expect(warningsOf(await activate())).toContainEqual(
		expect.stringMatching(/^The first rows may be missing: .* numbered from 0/),
	);
	expect(warningsOf(await tick())).not.toContainEqual(expect.stringContaining('numbered from 0'));
});
