import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { useFakeClock } from '../support/clock';
import { createPoller } from '../support/engine';
import { listOf, shownError } from '../support/lists';
import { scriptedServer, trickle } from '../support/servers/http-server';
import {
	OPERATIONS,
	credentialsFor,
	runOperation,
	uuid,
	type OperationName,
} from '../support/operations';
import { settled } from './answering';

/**
 * A service that keeps sending without ever coming to an end. The timeout of n8n's HTTP client begins anew with each
 * byte, so it alone would wait for ever.
 */

const requestOptions = { timeout: 100 };

beforeEach(() => void useFakeClock());

async function runEndlessly(name: OperationName) {
	const server = await scriptedServer(() => trickle());
	const items = [{ key: uuid(1) }];
	const result = await runOperation(server, { ...OPERATIONS[name], items, requestOptions });
	return { server, result };
}

it.each(['link get', 'charge getAll', 'charge refund'] as const)(
	'is given up after the timeout: %s',
	async (name) => {
		const { server, result } = await runEndlessly(name);
		expect(shownError(result).message).toMatch(/did not answer in time/);
		await settled(server);
		expect(server.inFlight()).toBe(0);
	},
);

it.each(['link create', 'link update', 'link delete'] as const)(
	'leaves it open whether a write was carried out: %s',
	async (name) => {
		const { server, result } = await runEndlessly(name);
		expect(shownError(result).message).toMatch(/^UNKNOWN whether the link was /);
		expect(server.requests).toHaveLength(1);
	},
);

it('lets go of a charge whose refund was answered so', async () => {
	const { answers, ...refund } = OPERATIONS['charge refund'];
	const server = await scriptedServer((request) =>
		request.method === 'GET' ? answers(uuid(1), request) : trickle(),
	);
	const result = await runOperation(server, {
		...refund,
		items: [{ key: uuid(1) }],
		requestOptions,
	});
	expect(shownError(result).message).toMatch(/^UNKNOWN whether charge /);
});

it('ends a poll of the trigger within its time, and the next one goes on', async () => {
	let isEndless = true;
	const list = listOf(0);
	const server = await scriptedServer(async (request, count) =>
		isEndless ? trickle() : await list(request, count),
	);
	const poller = createPoller({
		nodeType: new PaymentCollectionTrigger(),
		credentials: credentialsFor(server),
		// 2 s of it are kept for what comes after reading.
		budgetMs: 7_000,
		durable: true,
	});
	expect((await poller.tick()).error).toBeDefined();
	isEndless = false;
	expect((await poller.tick()).error).toBeUndefined();
});
