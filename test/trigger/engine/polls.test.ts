import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { createPoller, type Poller, type PollerOptions } from '../../support/engine';
import { PLANTED, findSecrets } from '../../support/secrets/secrets';

const sandboxes: Sandbox[] = [];

async function sandboxWith(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox({
		...options,
		counts: {
			customers: 5,
			links: 0,
			invoices: 0,
			checkoutSessions: 0,
			charges: 30,
			...options.counts,
		},
	});
	sandboxes.push(sandbox);
	return sandbox;
}

afterEach(async () => {
	await Promise.all(sandboxes.splice(0).map(async (sandbox) => await sandbox.close()));
});

function pollerOn(sandbox: Sandbox, options: Partial<PollerOptions> = {}): Poller {
	return createPoller({
		nodeType: new PaymentCollectionTrigger(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		...options,
	});
}

const idsOf = (json: Array<Record<string, unknown>>) => json.map(({ id }) => id);

describe.each([{ durable: false }, { durable: true }])('new charges, %p', ({ durable }) => {
	it('emits what came after activation, oldest first, once', async () => {
		const sandbox = await sandboxWith();
		const poller = pollerOn(sandbox, { durable });
		expect(await poller.activate()).toMatchObject({ items: null, error: undefined });
		expect((await poller.tick()).items).toBeNull();
		const one = sandbox.insertCharge();
		const other = sandbox.insertCharge();
		const { json } = await poller.tick();
		expect(new Set(idsOf(json))).toEqual(new Set([one.id, other.id]));
		expect(json[0]).toMatchObject({ event: 'charge.created' });
		expect(json.map(({ event_id: id }) => id)).toEqual(
			json.map(({ id }) => `charge.created:${id as string}`),
		);
		expect((await poller.tick()).items).toBeNull();
	});

	it('emits what came in after a first poll that failed', async () => {
		const sandbox = await sandboxWith();
		const down = sandbox.addFault({ action: { status: 500 } });
		const poller = pollerOn(sandbox, { durable });
		expect((await poller.activate()).error).toBeUndefined();
		sandbox.removeFault(down);
		const { id } = sandbox.insertCharge();
		expect(idsOf((await poller.tick()).json)).toEqual([id]);
	});

	it('emits nothing of before another publishing, whatever failed before it', async () => {
		const sandbox = await sandboxWith();
		const workflowId = `failed-first-${sandbox.url}`;
		const down = sandbox.addFault({ action: { status: 500 } });
		await pollerOn(sandbox, { durable, workflowId }).activate();
		sandbox.removeFault(down);
		sandbox.insertCharge();
		const poller = pollerOn(sandbox, { durable, workflowId });
		expect(await poller.activate()).toMatchObject({ items: null, error: undefined });
		expect((await poller.tick()).items).toBeNull();
	});

	it('emits what came between activation and the first tick', async () => {
		const sandbox = await sandboxWith();
		const poller = pollerOn(sandbox, { durable });
		await poller.activate();
		const { id } = sandbox.insertCharge();
		expect(idsOf((await poller.tick()).json)).toEqual([id]);
	});

	it('goes on where it was after a restart, at which the service is down', async () => {
		const sandbox = await sandboxWith();
		const poller = pollerOn(sandbox, { durable });
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

it('gives the newest charge as a test event and remembers nothing', async () => {
	const sandbox = await sandboxWith();
	const { id } = sandbox.insertCharge();
	const poller = pollerOn(sandbox);
	const { json, error } = await poller.fetchTestEvent();
	expect(error).toBeUndefined();
	expect(idsOf(json)).toEqual([id]);
	expect(poller.saved()).toEqual({});
});

describe('what a poll may find', () => {
	it.each(['z-millis', 'micros', 'offset+04:00', 'no-fraction'] as const)(
		'is told apart whatever timestamps look like: %s',
		async (timestampFormat) => {
			const sandbox = await sandboxWith({ switches: { timestampFormat } });
			const poller = pollerOn(sandbox);
			await poller.activate();
			const created = new Date().toISOString();
			const before = sandbox.insertCharge({ created });
			expect(idsOf((await poller.tick()).json)).toEqual([before.id]);
			const after = sandbox.insertCharge({ created });
			expect(idsOf((await poller.tick()).json)).toEqual([after.id]);
			expect((await poller.tick()).items).toBeNull();
		},
	);

	it.each(['newestFirst', 'oldestFirst', 'shuffled', 'shuffledPerRequest'] as const)(
		'is whole in a list %s, with small pages',
		async (rowOrder) => {
			const sandbox = await sandboxWith({ switches: { rowOrder, maxPageSize: 7 } });
			const poller = pollerOn(sandbox);
			await poller.activate();
			const ids = Array.from({ length: 25 }, () => sandbox.insertCharge().id);
			const emitted = [...(await poller.tick()).json, ...(await poller.tick()).json];
			// In an order that changes with every request, rows hide from each reading.
			for (let tick = 0; tick < 8 && rowOrder === 'shuffledPerRequest'; tick++) {
				emitted.push(...(await poller.tick()).json);
			}
			expect(idsOf(emitted).sort()).toEqual(ids.sort());
		},
	);

	it('is a charge that appears late, once, but not one that appears too late', async () => {
		const sandbox = await sandboxWith();
		const poller = pollerOn(sandbox);
		sandbox.insertCharge();
		await poller.activate();
		const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
		const late = sandbox.insertCharge({ created: ago(50) });
		sandbox.insertCharge({ created: ago(600) });
		expect(idsOf((await poller.tick()).json)).toEqual([late.id]);
		expect((await poller.tick()).items).toBeNull();
	});

	it('is a charge of the future, which hides none that follows', async () => {
		const sandbox = await sandboxWith();
		const poller = pollerOn(sandbox);
		await poller.activate();
		const future = sandbox.insertCharge({ created: '2099-01-01T00:00:00Z' });
		expect(idsOf((await poller.tick()).json)).toEqual([future.id]);
		const next = sandbox.insertCharge();
		expect(idsOf((await poller.tick()).json)).toEqual([next.id]);
	});

	it('is a refund and a change of status of an older charge, once each', async () => {
		const sandbox = await sandboxWith({ counts: { charges: 0 } });
		const { id } = sandbox.insertCharge({ total: '10.00', currency: 'USD' });
		const events = ['charge.refunded', 'charge.statusChanged'];
		const poller = pollerOn(sandbox, { parameters: { events } });
		await poller.activate();
		sandbox.refundCharge(id, '4.00');
		const { json } = await poller.tick();
		expect(json).toMatchObject([
			{ id, event: 'charge.refunded', event_id: `charge.refunded:${id}:4.00` },
		]);
		sandbox.setChargeStatus(id, 'captured');
		expect((await poller.tick()).json).toMatchObject([
			{ event_id: `charge.statusChanged:${id}:captured` },
		]);
		expect((await poller.tick()).items).toBeNull();
	});
});

describe('a poll that fails', () => {
	it('gives what it has where one page fails, says so, and loses nothing', async () => {
		const sandbox = await sandboxWith({ counts: { charges: 400 } });
		const poller = pollerOn(sandbox);
		await poller.activate();
		const ids = Array.from({ length: 250 }, () => sandbox.insertCharge().id);
		const fault = sandbox.addFault({ match: { page: 3 }, action: { status: 500 } });
		const first = await poller.tick();
		expect(first.error).toBeUndefined();
		expect(first.logs.some(({ message }) => message.includes('will be read again: 500'))).toBe(
			true,
		);
		sandbox.removeFault(fault);
		const { json } = await poller.tick();
		expect([...idsOf(first.json), ...idsOf(json)].sort()).toEqual(ids.sort());
		expect((await poller.tick()).items).toBeNull();
	});

	it('fails on a tick where nothing can be read, loses nothing and leaves the trigger alive', async () => {
		const sandbox = await sandboxWith();
		const poller = pollerOn(sandbox);
		await poller.activate();
		const { id } = sandbox.insertCharge();
		const fault = sandbox.addFault({ action: { status: 500 } });
		expect((await poller.tick()).error?.message).toContain('500');
		sandbox.removeFault(fault);
		expect(idsOf((await poller.tick()).json)).toEqual([id]);
		expect((await poller.tick()).items).toBeNull();
	});

	it.each([
		{ status: 401 },
		{ status: 403 },
		{ html: true },
		{ redirectTo: 'http://127.0.0.1:9/' },
	])('is shown when a user publishes: %p', async (action) => {
		const sandbox = await sandboxWith();
		sandbox.addFault({ action });
		const poller = pollerOn(sandbox);
		expect((await poller.activate()).error).toBeDefined();
		expect((await pollerOn(sandbox, { activation: 'init' }).activate()).error).toBeUndefined();
	});

	it.each([408, 500])(
		'is only logged when a user publishes while the service is down: %d',
		async (status) => {
			const sandbox = await sandboxWith();
			sandbox.addFault({ action: { status } });
			const { error, logs } = await pollerOn(sandbox).activate();
			expect(error).toBeUndefined();
			const warned = logs.filter(({ level }) => level === 'warn');
			expect(warned.some(({ message }) => message.includes(`${status}`))).toBe(true);
		},
	);

	it('is shown for a base URL that is none, and for a filter that is empty', async () => {
		const sandbox = await sandboxWith();
		const wrong = pollerOn(sandbox, { credentials: { baseUrl: 'nonsense', apiKey: 'k' } });
		expect((await wrong.activate()).error?.message).toContain('Base URL');
		const empty = pollerOn(sandbox, { parameters: { filters: { status: '' } } });
		expect((await empty.activate()).error?.message).toContain('Filter Status');
		const none = pollerOn(sandbox, { parameters: { events: [] } });
		expect((await none.activate()).error?.message).toContain('Events');
	});

	it('tells n8n how long to wait after a 429', async () => {
		const sandbox = await sandboxWith();
		const poller = pollerOn(sandbox);
		await poller.activate();
		sandbox.addFault({ action: { status: 429, headers: { 'retry-after': '600' } } });
		expect((await poller.tick()).error).toMatchObject({
			failure: { cause: 'rate-limited', retryAfterMs: 600_000 },
		});
	});
});

describe('what changes around the trigger', () => {
	it.each([false, true])('starts afresh for another account, durable %p', async (durable) => {
		const one = await sandboxWith();
		const poller = pollerOn(one, { durable });
		await poller.activate();
		one.insertCharge();
		await poller.tick();
		const other = await sandboxWith({ seed: 2 });
		const moved = pollerOn(other, {
			durable,
			staticData: poller.saved(),
			...(durable ? { cursor: poller.cursor() ?? {} } : {}),
		});
		expect(await moved.activate()).toMatchObject({ items: null, error: undefined });
		const { id } = other.insertCharge();
		expect(idsOf((await moved.tick()).json)).toEqual([id]);
	});

	it('keeps quiet about charges that a new filter shows for the first time', async () => {
		const sandbox = await sandboxWith({ counts: { charges: 0 } });
		sandbox.insertCharge({ currency: 'USD' });
		const eur = sandbox.insertCharge({ currency: 'EUR' });
		const before = pollerOn(sandbox, { parameters: { filters: { currency: 'USD' } } });
		await before.activate();
		const after = pollerOn(sandbox, {
			parameters: {},
			staticData: before.saved(),
			activation: 'update',
		});
		const { id } = sandbox.insertCharge({
			currency: 'EUR',
			created: new Date(Date.parse(eur.created) + 5_000).toISOString(),
		});
		expect(idsOf((await after.activate()).json)).toEqual([id]);
	});

	it.each([{ version: 2 }, { checksum: '' }])(
		'begins silently over a state that is older or damaged, whatever Start From says: %p',
		async (change) => {
			const sandbox = await sandboxWith();
			const parameters = { options: { startFrom: 'beginning' } };
			const poller = pollerOn(sandbox, { parameters });
			await poller.activate();
			const { cursor } = poller.saved();
			const staticData = { cursor: { ...(cursor as object), ...change } };
			const after = pollerOn(sandbox, { parameters, staticData });
			expect((await after.activate()).items).toBeNull();
			const { id } = sandbox.insertCharge();
			expect(idsOf((await after.tick()).json)).toEqual([id]);
		},
	);

	it('begins anew over a state that nobody can read, and says so', async () => {
		const sandbox = await sandboxWith();
		const poller = pollerOn(sandbox, { staticData: { cursor: 'rubbish' } });
		const { logs, items } = await poller.activate();
		expect(items).toBeNull();
		expect(logs.some(({ message }) => message.includes('can’t be read'))).toBe(true);
	});
});

describe('a poll whose items n8n threw away, since the workflow was unpublished meanwhile', () => {
	async function unpublishedDuringPoll() {
		const sandbox = await sandboxWith();
		const workflowId = 'unpublished-' + sandbox.url;
		const poller = pollerOn(sandbox, { workflowId });
		await poller.activate();
		const staticData = poller.saved();
		const { id } = sandbox.insertCharge();
		expect(idsOf((await poller.tick()).json)).toEqual([id]);
		const publishAgain = (options: Partial<PollerOptions> = {}) =>
			pollerOn(sandbox, { workflowId, staticData, ...options });
		return { sandbox, poller, publishAgain, id };
	}

	it('tells them when it is published again, once', async () => {
		const { publishAgain, id } = await unpublishedDuringPoll();
		const after = publishAgain();
		expect(idsOf((await after.activate()).json)).toEqual([id]);
		expect((await after.tick()).items).toBeNull();
	});

	it('tells them when it is published again while the service is down', async () => {
		const { sandbox, publishAgain, id } = await unpublishedDuringPoll();
		const down = sandbox.addFault({ action: { status: 500 } });
		const after = publishAgain();
		expect(await after.activate()).toMatchObject({ items: null, error: undefined });
		sandbox.removeFault(down);
		expect(idsOf((await after.tick()).json)).toEqual([id]);
	});

	it('does not tell them again where a later poll, or another name, speaks for it that n8n took them', async () => {
		const { poller, publishAgain } = await unpublishedDuringPoll();
		const renamed = publishAgain({ nodeName: 'Renamed', staticData: {} });
		expect((await renamed.activate()).items).toBeNull();
		await poller.tick();
		expect((await publishAgain().activate()).items).toBeNull();
	});

	it('does not tell them again under another name after n8n started while the service was down', async () => {
		const sandbox = await sandboxWith();
		const before = pollerOn(sandbox);
		await before.activate();
		// Another workflow's ID stands for a process that knows nothing of it.
		const workflowId = 'started-' + sandbox.url;
		const down = sandbox.addFault({ action: { status: 500 } });
		const staticData = before.saved();
		const started = pollerOn(sandbox, { workflowId, staticData, activation: 'init' });
		await started.activate();
		sandbox.removeFault(down);
		const { id } = sandbox.insertCharge();
		expect(idsOf((await started.tick()).json)).toEqual([id]);
		const renamed = pollerOn(sandbox, { workflowId, nodeName: 'Renamed', staticData: {} });
		expect((await renamed.activate()).items).toBeNull();
	});
});

describe('where it begins', () => {
	it.each([
		{ startFrom: 'beginning', expected: 30 },
		{ startFrom: 'date', startDate: '2030-01-01', expected: 0 },
		{ startFrom: 'date', startDate: '2000-01-01T00:00:00', expected: 30 },
	])('%p', async ({ expected, ...options }) => {
		const sandbox = await sandboxWith();
		const { json, error } = await pollerOn(sandbox, { parameters: { options } }).activate();
		expect(error).toBeUndefined();
		expect(json).toHaveLength(expected);
		const dates = json.map(({ created }) => created as string);
		expect(dates).toEqual([...dates].sort());
	});
});

it('lets one poll at a time look, when one outlasts its interval', async () => {
	const sandbox = await sandboxWith();
	const poller = pollerOn(sandbox);
	await poller.activate();
	const { id } = sandbox.insertCharge();
	sandbox.addFault({ match: { nth: 2 }, action: { delayMs: 1 } });
	const slowly = sandbox.addFault({ action: { delayMs: 300 } });
	const slow = poller.tick();
	const overlapping = await poller.tick();
	expect(overlapping.items).toBeNull();
	expect(idsOf((await slow).json)).toEqual([id]);
	sandbox.removeFault(slowly);
	expect((await poller.tick()).items).toBeNull();
});

it('keeps key, card data and names out of what is stored, emitted and logged', async () => {
	const sandbox = await sandboxWith({ apiKey: PLANTED.apiKey });
	const poller = pollerOn(sandbox, { parameters: { simplify: false } });
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
