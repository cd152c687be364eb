import { clock, useFakeClock } from '../support/clock';
import {
	always,
	failure,
	html,
	partial,
	reset,
	scriptedServer,
	type Answer,
	type ScriptedServer,
} from '../support/servers/http-server';
import { getMany, idsOf, pageOf, rowsUpTo, shownError } from '../support/lists';

/** A service with these responses, and then a list of three rows. */
const after = async (...answers: Answer[]): Promise<ScriptedServer> =>
	await scriptedServer((_request, count) => answers[count - 1] ?? pageOf(rowsUpTo(3), 1, 3));

const retryAfter = (status: number, value: string): Answer =>
	failure(status, 'Slow down', 'busy', { 'retry-after': value });

const PASSING_FAULTS: Array<[string, Answer]> = [
	['429', failure(429, 'Slow down')],
	['502', html('<h1>Bad gateway</h1>', 502)],
	['503', failure(503, 'Later')],
	['504', failure(504, 'Late')],
	['522', html('<h1>Connection timed out</h1>', 522)],
	['a connection that is reset', reset()],
	['a response that breaks off', partial('{"count": 3, "results": [')],
];

describe('a temporary fault', () => {
	it.each(PASSING_FAULTS)('is retried until it works: %s', async (_fault, answer) => {
		const server = await after(answer, answer, answer);
		const result = await getMany(server.url);
		expect(idsOf(result.json)).toEqual(idsOf(rowsUpTo(3)));
		expect(server.calls()).toHaveLength(4);
		expect(clock.sleeps).toHaveLength(3);
	});

	it('is an error after four attempts, with random waits that double each time', async () => {
		const waits = async (chance: number): Promise<number[]> => {
			const { sleeps } = useFakeClock({ random: () => chance });
			const result = await getMany((await always(failure(503, 'Later'))).url);
			expect(shownError(result).description).toContain('It was tried 4 times');
			return sleeps;
		};
		expect(await waits(0)).toEqual([250, 500, 1000]);
		expect(await waits(0.999_999)).toEqual(
			[500, 1000, 2000].map((ms) => expect.closeTo(ms, 1) as number),
		);
	});
});

describe('Retry-After', () => {
	it.each<[status: number, value: string, wait: number]>([
		[503, '7', 7_000],
		[429, 'Wed, 15 Jan 2025 12:00:20 GMT', 20_000],
		// These name no time in the future, so the usual wait applies.
		[429, '0', 375],
		[429, 'soon', 375],
		[429, '', 375],
		[429, 'Wed, 15 Jan 2020 12:00:20 GMT', 375],
	])('after %i of "%s" leads to a wait of %i ms', async (status, value, wait) => {
		const server = await after(retryAfter(status, value));
		expect((await getMany(server.url)).json).toHaveLength(3);
		expect(clock.sleeps).toEqual([wait]);
	});

	it.each([
		[429, '61', '61 s'],
		[429, 'Wed, 15 Jan 2025 13:00:00 GMT', '3600 s'],
		[503, '120', '120 s'],
	])('after %i above a minute (%s) is an error that names it', async (status, value, wait) => {
		const server = await always(retryAfter(status, value));
		const { message, description } = shownError(await getMany(server.url));
		expect(message).toBe(`Slow down (code busy, HTTP ${status})`);
		expect(description).toContain(`The service asks n8n to wait ${wait}`);
		expect(server.calls()).toHaveLength(1);
		expect(clock.sleeps).toEqual([]);
	});

	it('is waited for while all attempts fit into a minute', async () => {
		const server = await always(retryAfter(503, '25'));
		shownError(await getMany(server.url));
		expect(clock.sleeps).toEqual([25_000, 25_000]);
		expect(server.calls()).toHaveLength(3);
	});

	it('has a minute for each request from its own first attempt', async () => {
		// Sends one request at a time: the second item waits for more than a minute.
		const server = await scriptedServer((_request, count) => {
			if (count === 1) clock.advance(61_000);
			return count === 2 ? failure(503, 'Later') : pageOf(rowsUpTo(1), 1, 1);
		});
		const result = await getMany(server.url, {
			items: [{}, {}],
			parameters: { options: { maxConcurrency: 1 } },
		});
		expect(result.json).toHaveLength(2);
		expect(server.calls()).toHaveLength(3);
	});
});
