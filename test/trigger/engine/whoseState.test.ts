import { startSandbox, type Sandbox } from '../../../sandbox';
import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { useFakeClock, type FakeClock } from '../../support/clock';
import { createPoller, type Poller, type PollerOptions } from '../../support/engine';
import { startNode } from '../subject';

/** What a stored state counts for when something else changed. More of it, the model of test/trigger/world shows. */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOTHING = { customers: 1, links: 0, invoices: 0, checkoutSessions: 0, charges: 0 };
const sandboxes: Sandbox[] = [];
let sandbox: Sandbox;
let time: FakeClock;

async function openSandbox(): Promise<Sandbox> {
	const opened = await startSandbox({ counts: NOTHING });
	sandboxes.push(opened);
	return opened;
}

beforeEach(async () => {
	time = useFakeClock();
	sandbox = await openSandbox();
});

afterEach(async () => {
	for (const opened of sandboxes.splice(0)) await opened.close();
});

/** A charge comes in that was created so long ago. */
const arrive = (agoMs = 0, at = sandbox): string =>
	at.insertCharge({ created: new Date(time.now() - agoMs).toISOString() }).id;

const pollerWith = (options: Partial<PollerOptions> = {}): Poller =>
	createPoller({
		nodeType: new PaymentCollectionTrigger(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		...options,
	});

async function idsOf(poll: ReturnType<Poller['tick']>): Promise<unknown[]> {
	const { json, error } = await poll;
	expect(error).toBeUndefined();
	return json.map(({ id }) => id);
}

/** Published, and polled while charges came in, so that n8n has saved what it knows. */
async function lifeOf(poller: Poller): Promise<void> {
	await poller.activate();
	for (let polls = 0; polls < 3; polls++) {
		time.advance(MINUTE_MS);
		const id = arrive();
		expect(await idsOf(poller.tick())).toEqual([id]);
	}
}

describe.each([{ durable: false }, { durable: true }])('a state of before, %p', ({ durable }) => {
	const saved = (poller: Poller): Partial<PollerOptions> =>
		durable ? { cursor: poller.cursor() ?? {} } : { staticData: poller.saved() };

	it('of another Base URL is none, just after charges were emitted: the next ones are', async () => {
		const workflowId = `moved-at-once-${sandbox.url}`;
		const test = pollerWith({ durable, workflowId });
		await test.activate();
		arrive();
		await test.tick();
		const live = await openSandbox();
		const credentials = { baseUrl: live.url, apiKey: live.apiKey };
		const poller = pollerWith({ durable, workflowId, ...saved(test), credentials });
		expect((await poller.activate()).items).toBeNull();
		time.advance(1_000);
		const id = arrive(0, live);
		time.advance(MINUTE_MS);
		expect(await idsOf(poller.tick())).toEqual([id]);
	});

	it('that n8n threw away, and that nothing was known before, hides nothing that comes after publishing again', async () => {
		const workflowId = `thrown-away-${sandbox.url}`;
		const down = sandbox.addFault({ action: { status: 503 } });
		const lost = pollerWith({ durable, workflowId });
		await lost.activate();
		sandbox.removeFault(down);
		time.advance(MINUTE_MS);
		arrive();
		expect((await lost.tick()).items).toHaveLength(1);
		const poller = pollerWith({ durable, workflowId });
		await poller.activate();
		time.advance(1_000);
		const id = arrive();
		time.advance(MINUTE_MS);
		expect(await idsOf(poller.tick())).toEqual([id]);
	});

	it('of another Base URL is none: nothing of before is emitted', async () => {
		const workflowId = `moved-${sandbox.url}`;
		const test = pollerWith({ durable, workflowId });
		await lifeOf(test);
		const live = await openSandbox();
		arrive(DAY_MS, live);
		time.advance(7 * DAY_MS);
		arrive(3 * DAY_MS, live);
		arrive(MINUTE_MS, live);
		const credentials = { baseUrl: live.url, apiKey: live.apiKey };
		const poller = pollerWith({ durable, workflowId, ...saved(test), credentials });
		const { items, logs } = await poller.activate();
		expect(items).toBeNull();
		expect(logs.some(({ message }) => message.includes("as set in 'Start From'"))).toBe(true);
		time.advance(MINUTE_MS);
		const id = arrive(0, live);
		expect(await idsOf(poller.tick())).toEqual([id]);
	});
});

it('after a change of Resource, the trigger begins as Start From says, in both directions', async () => {
	const workflowId = `listens-to-others-${sandbox.url}`;
	const charges = pollerWith({ workflowId });
	await lifeOf(charges);
	time.advance(DAY_MS);
	sandbox.insertCustomer({ created: new Date(time.now() - 1_000).toISOString() });
	const parameters = { resource: 'customer' };
	const customers = pollerWith({ workflowId, staticData: charges.saved(), parameters });
	expect((await customers.activate()).items).toBeNull();
	time.advance(MINUTE_MS);
	const { id } = sandbox.insertCustomer({ created: new Date(time.now()).toISOString() });
	arrive();
	expect(await idsOf(customers.tick())).toEqual([id]);
	const back = pollerWith({ workflowId, staticData: customers.saved() });
	expect((await back.activate()).items).toBeNull();
	time.advance(MINUTE_MS);
	const charge = arrive();
	expect(await idsOf(back.tick())).toEqual([charge]);
});

/** By how much a charge is dated ahead of n8n's clock: that is slow by a little, or the date is a wrong one. */
describe.each([300, 5_000, 14 * MINUTE_MS])('a charge dated %p ms ahead hides none', (aheadMs) => {
	/** What comes in between the last poll and the next one. */
	const arriveAll = (): string[] => [40_000, 20_000, -aheadMs].map((agoMs) => arrive(agoMs));

	const expectTold = async (poller: Poller, ids: string[], first: unknown[] = []) => {
		const told = [...first];
		for (let polls = 0; polls < 2; polls++) {
			told.push(...(await idsOf(poller.tick())));
			time.advance(MINUTE_MS);
		}
		expect(told.sort()).toEqual(ids.sort());
	};

	it('that came in after a first poll that failed', async () => {
		const down = sandbox.addFault({ action: { status: 503 } });
		const poller = pollerWith({ workflowId: `failed-${sandbox.url}` });
		await poller.activate();
		sandbox.removeFault(down);
		time.advance(MINUTE_MS);
		await expectTold(poller, arriveAll());
	});

	it('that came in before the package had another version', async () => {
		const workflowId = `version-${sandbox.url}`;
		const former = pollerWith({ workflowId });
		await lifeOf(former);
		time.advance(MINUTE_MS);
		const ids = arriveAll();
		const cursor = { ...(former.saved()['cursor'] as object), version: 2 };
		const nodeType = startNode();
		const activation = 'init';
		const poller = pollerWith({ nodeType, workflowId, staticData: { cursor }, activation });
		await expectTold(poller, ids, await idsOf(poller.activate()));
	});
});

it('a damaged state of another workflow is none either', async () => {
	const original = pollerWith();
	await lifeOf(original);
	time.advance(DAY_MS);
	arrive(DAY_MS / 2);
	const cursor = { ...(original.saved()['cursor'] as object), checksum: '' };
	const imported = pollerWith({ staticData: { cursor }, workflowId: `imported-${sandbox.url}` });
	expect(await idsOf(imported.activate())).toEqual([]);
});

it('a state of before stays none beside one of its own, while n8n still has it', async () => {
	const original = pollerWith();
	await lifeOf(original);
	const workflowId = `imported-${sandbox.url}`;
	const parameters = { options: { startFrom: 'beginning' } };
	const options = { staticData: original.saved(), workflowId, parameters };
	expect(await idsOf(pollerWith(options).activate())).toHaveLength(3);
	expect(await idsOf(pollerWith(options).activate())).toEqual([]);
});
