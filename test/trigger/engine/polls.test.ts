import { RECORD_FIELDS } from '../../../contract/records.generated';
import { customerSchema } from '../../../contract/schemas/customer';
import type { Poller, PollerOptions } from '../../support/engine';
import { nextId } from '../../support/engine/additionalData';
import { triggerOn } from '../../support/operations';
import { sandbox, useSandbox } from '../../support/sandbox';
import { PLANTED, findSecrets } from '../../support/secrets/secrets';
import { startNode } from '../subject';

/** Tests that need n8n's own engine. The model of test/trigger/world tests which charges are emitted. */

useSandbox({
	apiKey: PLANTED.apiKey,
	counts: { customers: 5, links: 0, invoices: 0, checkoutSessions: 0, charges: 30 },
});

const pollerWith = (options?: Partial<PollerOptions>): Poller => triggerOn(sandbox, options);

const idsOf = (json: Array<Record<string, unknown>>) => json.map(({ id }) => id);

describe.each([{ durable: false }, { durable: true }])('new charges, %p', ({ durable }) => {
	it('are emitted once each, oldest first', async () => {
		const poller = pollerWith({ durable });
		expect(await poller.activate()).toMatchObject({ items: null, error: undefined });
		const { id: newer } = sandbox.insertCharge();
		const minuteAgo = new Date(Date.now() - 60_000).toISOString();
		const { id: older } = sandbox.insertCharge({ created: minuteAgo });
		expect((await poller.tick()).json).toMatchObject([
			{ id: older, event: 'charge.created', event_id: `charge.created:${older}` },
			{ id: newer, event: 'charge.created', event_id: `charge.created:${newer}` },
		]);
		expect((await poller.tick()).items).toBeNull();
	});

	it('are emitted after a restart during which the service is down', async () => {
		const poller = pollerWith({ durable });
		await poller.activate();
		sandbox.insertCharge();
		await poller.tick();
		const down = sandbox.addFault({ action: { status: 401 } });
		const restarted = poller.restart();
		expect(await restarted.activate()).toMatchObject({ items: null, error: undefined });
		expect((await restarted.tick()).error?.message).toContain('401');
		sandbox.removeFault(down);
		const { id } = sandbox.insertCharge();
		expect(idsOf((await restarted.tick()).json)).toEqual([id]);
	});
});

it.each([
	{ simplify: true, kept: RECORD_FIELDS.customer.simplified },
	{ simplify: false, kept: customerSchema.keyof().options },
])('new customers are emitted once each, oldest first: $simplify', async ({ simplify, kept }) => {
	const poller = pollerWith({ parameters: { resource: 'customer', simplify } });
	expect(await poller.activate()).toMatchObject({ items: null, error: undefined });
	const ids = [2_000, 1_000].map((agoMs) => {
		const created = new Date(Date.now() - agoMs).toISOString();
		return sandbox.insertCustomer({ created }).id;
	});
	sandbox.insertCharge();
	const { json } = await poller.tick();
	expect(json.map(({ event, event_id: id }) => [event, id])).toEqual(
		ids.map((id) => ['customer.created', `customer.created:${id}`]),
	);
	expect(Object.keys(json[0] ?? {})).toEqual(['event', ...kept, 'event_id']);
	expect((await poller.tick()).items).toBeNull();
});

it('emits no charge from before another publishing, even if the first one failed', async () => {
	const workflowId = nextId();
	const down = sandbox.addFault({ action: { status: 500 } });
	await pollerWith({ workflowId }).activate();
	sandbox.removeFault(down);
	sandbox.insertCharge();
	const poller = pollerWith({ workflowId });
	expect(await poller.activate()).toMatchObject({ items: null, error: undefined });
	expect((await poller.tick()).items).toBeNull();
});

it('shows the newest charge as a test event and saves no state', async () => {
	const { id } = sandbox.insertCharge();
	const poller = pollerWith();
	const { json, error } = await poller.fetchTestEvent();
	expect(error).toBeUndefined();
	expect(idsOf(json)).toEqual([id]);
	expect(poller.saved()).toEqual({});
});

describe('a poll that fails', () => {
	it.each([
		{ durable: false },
		{ durable: true },
		// A higher timeout and lease of n8n's scheduler.
		{ durable: true, budgetMs: 480_000 },
	])('fails a tick if nothing can be read, and loses no charge: %p', async (options) => {
		const poller = pollerWith(options);
		await poller.activate();
		const { id } = sandbox.insertCharge();
		const fault = sandbox.addFault({ action: { status: 500 } });
		expect((await poller.tick()).error?.message).toContain('500');
		sandbox.removeFault(fault);
		expect(idsOf((await poller.tick()).json)).toEqual([id]);
	});

	it.each([
		[{ status: 404 }, /Base URL/],
		[{ status: 403 }, /API key/],
		[{ status: 401 }, /API Key/],
		[{ html: true }, /Base URL/],
		[{ redirectTo: 'http://127.0.0.1:9/' }, /as 'Base URL'/],
	])(
		'names the field when a user publishes, but is no error at n8n’s start: %p',
		async (action, field) => {
			sandbox.addFault({ action });
			expect((await pollerWith().activate()).error?.message).toMatch(field);
			expect((await pollerWith({ activation: 'init' }).activate()).error).toBeUndefined();
		},
	);

	it.each([408, 500])(
		'is only logged when a user publishes while the service is down: %d',
		async (status) => {
			sandbox.addFault({ action: { status } });
			const { error, logs } = await pollerWith().activate();
			expect(error).toBeUndefined();
			const warned = logs.filter(({ level }) => level === 'warn');
			const line = new RegExp(
				`^Workflow “Harness” .*, node “Trigger”: The first poll.* HTTP ${status}`,
			);
			expect(warned.some(({ message }) => line.test(message))).toBe(true);
		},
	);

	it('names a Base URL that is not a URL, and an empty filter', async () => {
		const wrong = pollerWith({ credentials: { baseUrl: 'nonsense', apiKey: 'k' } });
		expect((await wrong.activate()).error?.message).toContain('Base URL');
		const empty = pollerWith({ parameters: { filters: { status: '' } } });
		expect((await empty.activate()).error?.message).toContain("'Filters → Status'");
	});

	it('passes on how long to wait after a 429', async () => {
		const poller = pollerWith();
		await poller.activate();
		sandbox.addFault({ action: { status: 429, headers: { 'retry-after': '600' } } });
		expect((await poller.tick()).error).toMatchObject({
			failure: { cause: 'rate-limited', retryAfterMs: 600_000 },
		});
	});
});

it.each([
	['from another version', { version: 2 }],
	['damaged', { checksum: '' }],
	['that is not an object', 'rubbish'],
])(
	'begins again with a warning, regardless of Start From, if its state is %s',
	async (_, change) => {
		const workflowId = nextId();
		const parameters = { options: { startFrom: 'beginning' } };
		const before = pollerWith({ parameters, workflowId });
		await before.activate();
		const former = before.saved()['cursor'] as object;
		const cursor = typeof change === 'string' ? change : { ...former, ...change };
		const staticData = { cursor };
		const poller = pollerWith({ nodeType: startNode(), parameters, workflowId, staticData });
		const { items, logs } = await poller.activate();
		expect(items).toBeNull();
		expect(logs.some(({ message }) => message.includes('is damaged or from another version'))).toBe(
			true,
		);
		const { id } = sandbox.insertCharge();
		expect(idsOf((await poller.tick()).json)).toEqual([id]);
	},
);

describe('items that n8n discarded because the workflow was unpublished meanwhile', () => {
	async function unpublishedDuringPoll() {
		const workflowId = nextId();
		const poller = pollerWith({ workflowId });
		await poller.activate();
		const staticData = poller.saved();
		const { id } = sandbox.insertCharge();
		expect(idsOf((await poller.tick()).json)).toEqual([id]);
		const publishAgain = (options: Partial<PollerOptions> = {}) =>
			pollerWith({ workflowId, staticData, ...options });
		return { poller, publishAgain, id };
	}

	it('are emitted once when it is published again', async () => {
		const { publishAgain, id } = await unpublishedDuringPoll();
		const after = publishAgain();
		expect(idsOf((await after.activate()).json)).toEqual([id]);
		expect((await after.tick()).items).toBeNull();
	});

	it('are not emitted again if a later poll or another node name shows that n8n accepted them', async () => {
		const { poller, publishAgain } = await unpublishedDuringPoll();
		const renamed = publishAgain({ nodeName: 'Renamed', staticData: {} });
		expect((await renamed.activate()).items).toBeNull();
		await poller.tick();
		expect((await publishAgain().activate()).items).toBeNull();
	});
});

it('after a change of Resource, in both directions, the trigger begins with Start From', async () => {
	const workflowId = nextId();
	const charges = pollerWith({ workflowId });
	await charges.activate();
	sandbox.insertCharge();
	await charges.tick();
	sandbox.insertCustomer({ created: new Date(Date.now() - 1_000).toISOString() });
	const parameters = { resource: 'customer' };
	const customers = pollerWith({ workflowId, staticData: charges.saved(), parameters });
	expect((await customers.activate()).items).toBeNull();
	const { id } = sandbox.insertCustomer();
	sandbox.insertCharge();
	expect(idsOf((await customers.tick()).json)).toEqual([id]);
	const back = pollerWith({ workflowId, staticData: customers.saved() });
	expect((await back.activate()).items).toBeNull();
	const { id: next } = sandbox.insertCharge();
	const { json } = await back.tick();
	expect(idsOf(json)).toEqual([next]);
});

it('only one poll at a time reads, even if one takes longer than its interval', async () => {
	const poller = pollerWith();
	await poller.activate();
	const next = poller.restart();
	await next.activate();
	const { id } = sandbox.insertCharge();
	const slowly = sandbox.addFault({ action: { delayMs: 300 } });
	const slow = poller.tick();
	const overlapping = await next.tick();
	expect(overlapping.items).toBeNull();
	expect(idsOf((await slow).json)).toEqual([id]);
	sandbox.removeFault(slowly);
	expect((await poller.tick()).items).toBeNull();
});

it('key, card data and names are in no stored state, item or log', async () => {
	const poller = pollerWith({ parameters: { simplify: false } });
	await poller.activate();
	const { source, id } = sandbox.insertCharge();
	const { json, logs } = await poller.tick();
	const { card_data: card, token, card_holder_name: holder } = source;
	expect(json[0]).toMatchObject({ id, source: { last4: source.last4 } });
	expect(JSON.stringify(json)).not.toContain(card.card_number);
	expect(JSON.stringify(json)).not.toContain(token);
	expect(JSON.stringify(poller.saved())).not.toMatch(new RegExp(`${holder}|${id}`));
	expect(findSecrets({ saved: poller.saved(), logs, json })).toEqual([]);
});
