import { timeOutByTurns } from '../support/clock';
import { listOf, shownError } from '../support/lists';
import { hang, scriptedServer, trickle, type Answer } from '../support/servers/http-server';
import { OPERATIONS, runExample, triggerOn } from '../support/operations';

/**
 * A service that keeps sending without ever coming to an end. The timeout of n8n's HTTP client begins anew with each
 * byte, so it alone would wait for ever.
 */

/** Milliseconds that each request was given. */
let timeouts: number[];

beforeEach(() => {
	timeouts = timeOutByTurns();
});

const ENDLESS: Array<[string, Answer]> = [
	['no byte comes', hang()],
	['bytes come without end', trickle()],
];

describe.each(ENDLESS)('where %s, it is given up after the timeout', (_what, answer) => {
	it.each([
		['link get', 4],
		['charge getAll', 4],
		// Its charge can't be read, so nothing is in doubt.
		['charge refund', 4],
		['link create', 1],
		['link update', 1],
		['link delete', 1],
	] as const)('by %s, in %i attempts, of which a write stays in doubt', async (name, attempts) => {
		const server = await scriptedServer(() => answer);
		const { message, description } = shownError(await runExample(server, OPERATIONS[name]));
		expect(message).toMatch(/did not answer in time/);
		expect(message.startsWith('UNKNOWN whether')).toBe(attempts === 1);
		expect(description).toMatch(/raise 'Request Options → Timeout'/);
		const [, said = '1'] = /It was tried (\d+) times/.exec(description) ?? [];
		expect(said).toBe(String(attempts));
		expect(server.requests).toHaveLength(attempts);
		expect(new Set(timeouts)).toEqual(new Set([30_000]));
		await server.settled();
	});
});

it('ends a poll of the trigger within its time, and the next one goes on', async () => {
	let isEndless = true;
	const list = listOf(0);
	const server = await scriptedServer(async (request, count) =>
		isEndless ? trickle() : await list(request, count),
	);
	// 2 s of it are kept for what comes after reading.
	const poller = triggerOn(server, { budgetMs: 2_500, durable: true });
	expect((await poller.tick()).error).toBeDefined();
	expect(Math.max(...timeouts)).toBeLessThanOrEqual(500);
	isEndless = false;
	expect((await poller.tick()).error).toBeUndefined();
});
