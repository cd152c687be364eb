import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { capped, history } from '../support/servers/chargeListServer';
import type { ListManners, Row } from '../support/servers/chargeListServer';
import { DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS, scene } from './findings/scene';

const ROOT = join(__dirname, '../..');

/** Each test starts programs of its own. */
jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'explain-'));
afterAll(() => {
	rmSync(folder, { recursive: true });
});

function fileWith(name: string, content: unknown): string {
	const path = join(folder, name);
	writeFileSync(path, JSON.stringify(content));
	return path;
}

/** What `npm run trigger:explain` says; an error for a state that can't be asked. */
function explain(state: unknown, charge: unknown, row?: Row | Row[], ...more: string[]): string {
	const args = ['--state', fileWith('state.json', state), '--charge', charge as string, ...more];
	if (row !== undefined) args.push('--row', fileWith('row.json', row));
	const { stdout, stderr, status } = spawnSync(
		process.execPath,
		['scripts/trigger/explainCharge.mjs', ...args],
		{ cwd: ROOT, encoding: 'utf8' },
	);
	if (status !== 0) throw new Error(stderr);
	return stdout;
}

const created = (options: INodeParameters = {}, more: INodeParameters = {}) => ({
	parameters: { events: ['charge.created'], options, ...more },
});

async function begun(rows: Row[], parameters = created(), manners: ListManners = {}) {
	const made = await scene(rows, manners, parameters);
	await made.activate();
	return made;
}

describe('npm run trigger:explain says', () => {
	it('that a charge was told, by the workflow as n8n exports it, and what is not watched', async () => {
		const { arrive, ticks, poller } = await begun(history(5, NOW_MS, MINUTE_MS));
		const { id } = arrive();
		await ticks(1);
		const staticData = JSON.stringify({ 'node:Trigger': poller.saved() });
		const said = explain([{ name: 'Workflow', staticData }], id);
		expect(said).toContain('The state was left by a poll at 2026-01-15 12:01:00 UTC');
		expect(said).toContain('filtered by no Currency, and not by Customer, Type or Search');
		expect(said).toContain('The charge was looked at: it was told, or it was there');
		expect(said).toContain('Refunds and changes of status are not watched for.');
	});

	it('that a charge that no page has shown yet would be told', async () => {
		const { poller, clock } = await begun(history(5, NOW_MS, MINUTE_MS));
		const row = { id: 'elsewhere', created: new Date(clock.now()).toISOString() };
		const state = poller.saved();
		expect(explain(state, row.id, row)).toContain('No page that was read has shown it yet');
		expect(explain(state, row.id)).toContain('nobody can tell whether it was told');
	});

	it('that a charge is too old to be remembered, or to be watched', async () => {
		const { arrive, ticks, poller } = await begun(history(90, NOW_MS, MINUTE_MS), {
			parameters: { events: ['charge.created', 'charge.refunded'], options: { watchDays: 1 } },
		});
		arrive();
		await ticks(1);
		const old = { id: 'old', created: new Date(NOW_MS - 2 * DAY_MS).toISOString() };
		const said = explain({ staticData: { 'node:Trigger': poller.saved() } }, old.id, [old]);
		expect(said).toMatch(/created at or after 2026-01-15 10:\d\d/);
		expect(said).toContain('It was created at 2026-01-13 12:00:00 UTC. If it was told, that is no');
		expect(said).toContain('It is too old to be watched for refunds and changes of status');
	});

	it('which rows of a backlog wait to be read, and in which currency', async () => {
		const rows = history(30, NOW_MS, HOUR_MS, { currency: 'EUR' });
		const { poller } = await begun(
			rows,
			created({ startFrom: 'beginning', maxChargesPerPoll: 10 }, { filters: { currency: 'EUR' } }),
		);
		const [newest = {}] = rows;
		const said = explain(poller.saved(), newest['id'], { ...newest, currency: 'USD' });
		expect(said).toContain('filtered by the Currency EUR');
		expect(said).toContain('The charge is in another currency');
		expect(said).toContain('Still to be read: 20 rows, numbers 10 to 29 from the list’s old end.');
	});

	it('which rows can’t be read, and that a charge lies before the Start Date', async () => {
		const rows = history(10, NOW_MS, MINUTE_MS);
		const startDate = new Date(NOW_MS - HOUR_MS).toISOString();
		const { poller, arrive, ticks } = await begun(rows, created({ startFrom: 'date', startDate }));
		arrive({ created: null });
		arrive();
		await ticks(2);
		const before = { id: 'before', created: new Date(NOW_MS - 2 * HOUR_MS).toISOString() };
		const said = explain(poller.saved(), before.id, before);
		expect(said).toContain('That is before the Start Date, 2026-01-15 11:00:00 UTC');
		expect(said).toContain('Could not be read so far: 1 row, number 10 from the list’s old end');
	});

	it('that the first reading is not over', async () => {
		const rows = history(60, NOW_MS, MINUTE_MS);
		const { poller } = await begun(rows, created(), {
			size: capped(20),
			instead: ({ page }) => (page > 1 ? { kind: 'reply', status: 500 } : undefined),
		});
		const [, , , oldest = {}] = [...rows].reverse();
		const said = explain(poller.saved(), oldest['id'], oldest);
		expect(said).toContain('The first reading of the list (since the trigger began');
	});

	it('what it can’t be asked', async () => {
		const { poller } = await begun(history(5, NOW_MS, MINUTE_MS));
		const { cursor } = poller.saved();
		const states = { 'node:A': { cursor }, 'node:B': { cursor } };
		expect(() => explain(states, 'x')).toThrow('choose one with --node (A, B)');
		expect(explain(states, 'x', undefined, '--node', 'B')).toContain('not among those');
		expect(() => explain({ nodes: [] }, 'x')).toThrow('holds no state of the trigger');
		expect(() => explain({ cursor: { ...(cursor as object), serial: 1 } }, 'x')).toThrow(
			'it was damaged, or is that of another version',
		);
		expect(() => explain({ cursor }, 'x', { id: 'y', created: '2026-01-01' })).toThrow(
			'The row is that of the charge y',
		);
		expect(() => explain({ cursor }, 'x', { id: 'x' })).toThrow(
			'The row has no id, or no creation',
		);
	});
});
