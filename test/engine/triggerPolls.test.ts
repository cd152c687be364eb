import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { createPoller, type Poller, type PollerOptions } from '../support/engine';

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
			json.map(({ id }) => `charge.created:${String(id)}`),
		);
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
