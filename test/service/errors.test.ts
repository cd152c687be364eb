import '../support/clock';
import type { RunResult } from '../support/engine';
import {
	NOBODY,
	empty,
	failure,
	html,
	json,
	partial,
	redirect,
	reset,
	scriptedServer,
	text,
	type Answer,
	type ScriptedServer,
} from '../support/servers/http-server';
import {
	OPERATIONS,
	OPERATION_NAMES,
	runExample,
	uuid,
	type OperationName,
} from '../support/operations';
import { PLANTED, findSecrets } from '../support/secrets/secrets';

/** Errors as users see them in n8n. failures.test.ts has the texts of each failure. */

async function runAgainst(
	answer: Answer,
	name: OperationName = 'link get',
	options: Parameters<typeof runExample>[2] = {},
): Promise<RunResult & { server: ScriptedServer }> {
	const server = await scriptedServer(() => answer);
	return { ...(await runExample(server, OPERATIONS[name], options)), server };
}

const DONE: Partial<Record<OperationName, string>> = {
	'link create': 'created',
	'link update': 'updated',
	'link delete': 'deleted',
};

/** Message of a read, or of a write with its outcome. */
function messageOf(name: OperationName, words: string, outcome: 'not' | 'unknown'): string {
	const done = DONE[name];
	if (done === undefined) return words;
	return outcome === 'not'
		? `${words} – the link was NOT ${done} by this request`
		: `UNKNOWN whether the link was ${done}: check before you retry. ${words}`;
}

const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

describe.each([
	[422, 'not', /Nothing was changed\. Request: /],
	[500, 'unknown', /Nothing was changed\.|might have carried out the request/],
] as const)('HTTP %i', (status, outcome, advice) => {
	it.each([
		...(['link get', 'customer getAll'] as const),
		...(['link create', 'link update', 'link delete'] as const),
	])('shows the service’s message, then code and status, then what to do: %s', async (name) => {
		const { error, server } = await runAgainst(failure(status, 'Out of tulips', 'none'), name);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: messageOf(name, `Out of tulips (code none, HTTP ${status})`, outcome),
			httpCode: String(status),
			description: matching(advice),
			context: { itemIndex: 0 },
		});
		expect(server.requests).toHaveLength(1);
	});
});

it.each([
	['charge get', { chargeId: uuid(1) }],
	['charge refund', { chargeId: uuid(1), amount: '1' }],
	['customer getAll', { filters: { customerId: uuid(1) } }],
] as const)('404 of a list names the requested ID as the problem: %s', async (name, parameters) => {
	const { error } = await runAgainst(json({}, 404), name, { parameters });
	expect(error?.message).toMatch(/^The service found no record with this ID \(HTTP 404\)/);
});

it.each([
	'ECONNRESET happened to the bank',
	'See ENOENT.txt',
	'ETIMEDOUT',
	'EAI_AGAIN and again',
	'Bad request - please check your parameters',
])('n8n’s own texts never replace the message: %s', async (message) => {
	for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
		const options = onError === undefined ? {} : { onError };
		const answer = failure(400, message, 'ECONNRESET');
		const { error, json: output, errorItems } = await runAgainst(answer, 'link get', options);
		const shown = error?.message ?? output[0]?.['error'] ?? errorItems[0]?.json['error'];
		expect(shown).toBe(`${message} (code ECONNRESET, HTTP 400)`);
	}
});

it.each(OPERATION_NAMES)('a request answered 401 is sent once: %s', async (name) => {
	const { server, error } = await runAgainst(failure(401, 'Who are you?'), name);
	expect(server.requests).toHaveLength(1);
	expect(error?.message).toMatch(/^Who are you\? \(code error, HTTP 401\)/);
});

it.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
	const elsewhere = await scriptedServer(() => json({ id: uuid(1) }));
	for (const name of ['link get', 'link create', 'link delete', 'customer getAll'] as const) {
		const { error, server } = await runAgainst(redirect(`${elsewhere.url}/x`, status), name);
		const words = `The service returned a redirect, which is not followed (HTTP ${status})`;
		expect(error?.message).toBe(messageOf(name, words, 'unknown'));
		expect(error?.description).toMatch(/Enter the final URL as 'Base URL'/);
		expect(server.requests).toHaveLength(1);
	}
	expect(elsewhere.requests).toEqual([]);
});

describe('an error without a response', () => {
	it('names the Base URL after a refused connection', async () => {
		for (const name of ['link get', 'link create'] as const) {
			const { error } = await runExample(NOBODY, OPERATIONS[name]);
			const words = 'No connection to the service (connection refused)';
			expect(error).toMatchObject({
				message: messageOf(name, words, 'not'),
				description: matching(
					/^Check 'Base URL', and the proxy if there is one\. Nothing was changed/,
				),
			});
		}
	});

	it.each([
		['after the request was read', reset(), 'connection interrupted'],
		['in the middle of the answer', partial('{"id":'), 'response cut off'],
	])('leaves a write in doubt if the connection breaks %s', async (_when, answer, says) => {
		const read = await runAgainst(answer);
		expect(read.error).toMatchObject({
			message: `No connection to the service (${says})`,
			description: matching(/^Check 'Base URL'/),
		});
		const { error, server } = await runAgainst(answer, 'link create');
		const words = `The connection to the service broke (${says})`;
		expect(error?.message).toBe(messageOf('link create', words, 'unknown'));
		expect(server.requests).toHaveLength(1);
	});
});

describe('a success that is not what the service documents', () => {
	const NO_RECORD = /an object without an ID$/;

	it.each<[string, Answer, RegExp]>([
		['a web page', html(), /an HTML page \(33 characters\)$/],
		['plain text', text('pong'), /text that is not JSON \(4 characters\)$/],
		['JSON that breaks off', text('{"id":', 200, 'application/json'), /text that is not JSON/],
		['a list', json([{ id: uuid(1) }]), /a list of 1$/],
		['a number', json(7), /a number$/],
		['nothing', empty(200), /an empty body$/],
		['null', json(null), /nothing$/],
		['an ID that is null', json({ id: null, title: 'Tulips' }), NO_RECORD],
		['a blank ID', json({ id: ' ' }), NO_RECORD],
	])('fails with %s, and leaves a new link in doubt', async (_what, answer, says) => {
		for (const name of ['link get', 'link create'] as const) {
			const { error, json: output } = await runAgainst(answer, name);
			expect(error?.message).toMatch(/^(UNKNOWN .*)?The response is not as documented/);
			expect(error?.message.startsWith('UNKNOWN')).toBe(name in DONE);
			expect(error?.message).toMatch(says);
			expect(error?.description).toMatch(/^Check that 'Base URL' is the URL of the service/);
			expect(output).toEqual([]);
		}
	});

	it.each(OPERATION_NAMES)('fails with the error in the body: %s', async (name) => {
		const { error, json: output } = await runAgainst(failure(200, 'Not really', 'odd'), name);
		expect(error?.message).toMatch(/^(UNKNOWN .* )?Not really \(code odd, HTTP 200\)/);
		expect(output).toEqual([]);
	});
});

it('an unusable credential is refused by the name of its field, and nothing is sent', async () => {
	const credentials = { baseUrl: 'http://127.0.0.1:1', apiKey: `${PLANTED.apiKey}\nx` };
	for (const name of OPERATION_NAMES) {
		const result = await runExample({ url: '' }, OPERATIONS[name], { credentials });
		expect(result.error).toMatchObject({
			message: 'API Key must not contain spaces, line breaks or non-ASCII characters',
			description: 'Correct the Payment Collection API credential. Nothing was sent.',
			context: { itemIndex: 0 },
		});
		expect(findSecrets([result.error, result.run, result.logs])).toEqual([]);
	}
});
