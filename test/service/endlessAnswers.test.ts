import { timeOutByTurns } from '../support/clock';
import { listOf, shownError } from '../support/lists';
import { hang, scriptedServer, trickle, type Answer } from '../support/servers/http-server';
import { OPERATIONS, runExample, triggerOn } from '../support/operations';

/** A service whose responses never end. The timeout of n8n's HTTP client begins anew with each byte, so it is not enough. */

/** Timeouts of all requests, in milliseconds. */
let timeouts: number[];

beforeEach(() => {
	timeouts = timeOutByTurns();
});

const ENDLESS: Array<[string, Answer]> = [
	['no byte comes', hang()],
	['bytes come without end', trickle()],
];

describe.each(ENDLESS)('if %s, a request ends after its timeout', (_what, answer) => {
	it.each([
		['link get', 4],
		['charge getAll', 4],
		// The charge can't be read, so nothing is in doubt.
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
		const [, shown = '1'] = /It was tried (\d+) times/.exec(description) ?? [];
		expect(shown).toBe(String(attempts));
		expect(server.requests).toHaveLength(attempts);
		expect(new Set(timeouts)).toEqual(new Set([30_000]));
		await server.settled();
	});
});

it('a poll of the trigger ends within its time, and the next one continues', async () => {
	let isEndless = true;
	const list = listOf(0);
	const server = await scriptedServer(async (request, count) =>
		isEndless ? trickle() : await list(request, count),
	);
	// The trigger keeps 2 s of it for its work after reading.
	const poller = triggerOn(server, { budgetMs: 2_500, durable: true });
	expect((await poller.tick()).error).toBeDefined();
	expect(Math.max(...timeouts)).toBeLessThanOrEqual(500);
	isEndless = false;
	expect((await poller.tick()).error).toBeUndefined();
});
