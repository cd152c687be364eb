import { useFakeClock } from '../../support/clock';
import { LIST_OPERATIONS } from '../../support/lists';
import {
	empty,
	failure,
	hang,
	html,
	json,
	partial,
	redirect,
	reset,
	scriptedServer,
	text,
	type Answer,
} from '../../support/servers/http-server';
import {
	OPERATIONS,
	OPERATION_NAMES,
	runOperation,
	uuid,
	type OperationName,
} from '../../support/operations';
import { runAgainst } from './runAgainst';

beforeEach(() => void useFakeClock());

const DONE: Partial<Record<OperationName, string>> = {
	'link create': 'created',
	'link update': 'updated',
	'link delete': 'deleted',
};

/** What a read says, with what may be said of a write: that it was NOT carried out, or that this is UNKNOWN. */
function toldOf(name: OperationName, text: string, outcome: 'not' | 'unknown'): string {
	const done = DONE[name];
	if (done === undefined) return text;
	return outcome === 'not'
		? `${text} – the link was NOT ${done} by this request`
		: `UNKNOWN whether the link was ${done}: check before you retry. ${text}`;
}

/** What the user is told to do, by status, for a request that reads and for one that writes. */
const STATUSES: Array<[status: number, onRead: RegExp, onWrite: RegExp]> = [
	[400, /^Change the parameter that the message names/, /Nothing was changed/],
	[401, /^Check API Key and Base URL in the .* credential/, /^Check API Key/],
	[403, /^Ask the merchant account’s owner what this API Key may do/, /^Ask the merchant/],
	[404, /^Check the ID, whether it belongs to the account/, /^Check the ID/],
	[409, /^Read the record and check its state/, /^Read the record/],
	[418, /^Nothing was changed. Try again later/, /it is safe to try again later/],
	[422, /^Change the parameter that the message names/, /Nothing was changed/],
	[429, /^Nothing was changed\. Run again later, with a lower Max Concurrency/, /Run again later/],
	[500, /^Nothing was changed\. Try again later/, /may have carried the request out all the same/],
	[503, /^Nothing was changed\. Try again later/, /check before you try again/],
	[504, /^Nothing was changed\. Try again later/, /check before you try again/],
];

/** Where no ID is asked for, it can't be the ID that is wrong. */
const BAD_ADDRESS = /^Check that Base URL in the credential is the address of the service\./;

describe.each(STATUSES)('HTTP %i', (status, onRead, onWrite) => {
	it.each([
		['link get', onRead],
		['customer getAll', onRead],
		['link create', status === 404 ? BAD_ADDRESS : onWrite],
		['link update', onWrite],
		['link delete', onWrite],
	] as const)(
		'%s shows the service’s message first, then code and status, then what to do',
		async (name, advice) => {
			const { error } = await runAgainst(failure(status, 'Out of tulips', 'no_tulips'), { name });
			expect(error).toMatchObject({
				name: 'NodeApiError',
				message: toldOf(
					name,
					`Out of tulips (code no_tulips, HTTP ${status})`,
					status < 500 ? 'not' : 'unknown',
				),
				httpCode: String(status),
				description: expect.stringMatching(advice) as string,
				context: { itemIndex: 0 },
			});
		},
	);

	it('has a sentence of its own when the service says nothing', async () => {
		for (const answer of [empty(status), json({}, status), html('<h1>Oops</h1>', status)]) {
			const { error } = await runAgainst(answer, { name: 'link update' });
			expect(error?.message).toMatch(
				status < 500
					? new RegExp(`^The .* \\(HTTP ${status}\\) – the link was NOT updated by this request$`)
					: new RegExp(`^UNKNOWN whether the link was updated.* The .* \\(HTTP ${status}\\)$`),
			);
			expect(error?.message).not.toMatch(/Oops|<|undefined/);
		}
	});
});

describe('an HTML page of a gateway with HTTP 502', () => {
	it('is an error without the page', async () => {
		const { error } = await runAgainst(html('<html>nginx</html>', 502));
		expect(error).toMatchObject({
			message: 'The service failed (HTTP 502)',
			httpCode: '502',
			description: expect.stringMatching(/Try again later\. It was tried 4 times\./) as string,
		});
	});

	it('leaves it open for a write whether it was done', async () => {
		const { error, server } = await runAgainst(html('<html>nginx</html>', 502), {
			name: 'link create',
		});
		expect(error).toMatchObject({
			message: toldOf('link create', 'The service failed (HTTP 502)', 'unknown'),
			description: expect.stringMatching(/may have carried the request out all the same/) as string,
		});
		expect(server.requests).toHaveLength(1);
	});
});

describe('the request in the description', () => {
	it('is named as the document names it, without the identifier', async () => {
		const { error } = await runAgainst(failure(404, 'No such link'));
		expect(error?.description).toMatch(/ Request: GET \/v1\/links\/\{id\}\.$/);
	});
});

describe('HTTP 404 of a list', () => {
	it.each([
		['charge get', { chargeId: uuid(1) }],
		['customer get', { customerId: uuid(1) }],
		['charge refund', { chargeId: uuid(1), amount: '1' }],
		['charge getAll', { filters: { chargeId: uuid(1) } }],
		['customer getAll', { filters: { customerId: uuid(1) } }],
	] as const)('is about the ID where one was asked for: %s', async (name, parameters) => {
		const { error } = await runAgainst(json({}, 404), { name, parameters });
		expect(error?.message).toMatch(/^The service has nothing with this ID \(HTTP 404\)/);
		expect(error?.description).toMatch(/^Check the ID, whether it belongs to the account/);
	});

	it('is about the address where none was', async () => {
		for (const name of LIST_OPERATIONS) {
			const { error } = await runAgainst(json({}, 404), { name, parameters: { filters: {} } });
			expect(error?.message).toBe('The service does not know this address (HTTP 404)');
		}
	});
});

describe('other places where a service may put its message', () => {
	it.each([
		[{ error: 'Plain text' }, 'Plain text (HTTP 400)'],
		[{ message: 'At the top' }, 'At the top (HTTP 400)'],
		[{ detail: 'As frameworks do' }, 'As frameworks do (HTTP 400)'],
		[
			{ error: { code: 'only_code' } },
			'The service refuses the values sent (code only_code, HTTP 400)',
		],
		[{ error: { message: 'No code' } }, 'No code (HTTP 400)'],
		[{ error: { message: 'Number', code: 17 } }, 'Number (code 17, HTTP 400)'],
		[
			{ error: { message: { deep: 1 }, code: ['x'] } },
			'The service refuses the values sent (HTTP 400)',
		],
		[{ error: { message: '   ' } }, 'The service refuses the values sent (HTTP 400)'],
	])('%j', async (body, message) => {
		const { error } = await runAgainst(json(body, 400));
		expect(error?.message).toBe(message);
	});
});

describe('n8n’s own texts never replace the message', () => {
	it.each([
		'ECONNRESET happened to the bank',
		'See ENOENT.txt',
		'ETIMEDOUT',
		'Card ECONNREFUSED by issuer',
		'ENOTFOUND',
		'EPIPE dream',
		'EAI_AGAIN and again',
		'ERR_BAD_RESPONSE',
		'Bad request - please check your parameters',
	])('%s', async (message) => {
		for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
			const result = await runAgainst(failure(400, message, 'ECONNRESET'), { onError });
			const shown =
				result.error?.message ?? result.json[0]?.['error'] ?? result.errorItems[0]?.json['error'];
			expect(shown).toBe(`${message} (code ECONNRESET, HTTP 400)`);
		}
	});

	it('nor do they for what stands in an input', async () => {
		const { error } = await runAgainst(json({}), { parameters: { linkId: 'ECONNRESET' } });
		expect(error?.message).toMatch(/^Payment Link ID is "ECONNRESET": it must be a UUID/);
	});
});

describe('a request answered 401', () => {
	it.each(OPERATION_NAMES)('is sent once: %s', async (name) => {
		const { server, error } = await runAgainst(failure(401, 'Who are you?'), { name });
		expect(server.requests).toHaveLength(1);
		expect(error?.message).toMatch(/^Who are you\? \(code error, HTTP 401\)/);
	});
});

describe('a redirect', () => {
	it.each([301, 302, 303, 307, 308])(
		'(%i) is not followed, and says what to do',
		async (status) => {
			const elsewhere = await scriptedServer(() => json({ id: uuid(1) }));
			for (const name of ['link get', 'link create', 'link delete', 'customer getAll'] as const) {
				const { error, server } = await runAgainst(redirect(`${elsewhere.url}/x`, status), {
					name,
				});
				expect(error).toMatchObject({
					message: toldOf(
						name,
						`The service answers with a redirect, which is not followed (HTTP ${status})`,
						'unknown',
					),
					httpCode: String(status),
					description: expect.stringMatching(/Enter the final address as Base URL/) as string,
				});
				expect(server.requests).toHaveLength(1);
			}
			expect(elsewhere.requests).toEqual([]);
		},
	);
});

describe('no answer', () => {
	const quickly = { timeout: 40 };

	it('a timeout says so, and how to allow more time', async () => {
		const { error } = await runAgainst(hang(), { requestOptions: quickly });
		expect(error).toMatchObject({
			message: 'The service did not answer in time',
			description: expect.stringMatching(
				/^Nothing was changed\. Try again later\. The node’s Request Options can allow more time \(Timeout\)\. It was tried 4 times\./,
			) as string,
			context: { itemIndex: 0 },
		});
	});

	it('a timeout of a write says to check first, and is not sent again', async () => {
		const { error, server } = await runAgainst(hang(), {
			name: 'link create',
			requestOptions: quickly,
		});
		expect(error).toMatchObject({
			message: toldOf('link create', 'The service did not answer in time', 'unknown'),
			description: expect.stringMatching(/check before you try again/) as string,
		});
		expect(server.requests).toHaveLength(1);
	});

	it('a refused connection points to the Base URL', async () => {
		const server = await scriptedServer(() => empty());
		await server.close();
		for (const name of ['link get', 'link create'] as const) {
			const { error } = await runOperation(server, {
				...OPERATIONS[name],
				items: [{ key: uuid(1) }],
			});
			expect(error).toMatchObject({
				message: toldOf(name, 'No connection to the service (connection refused)', 'not'),
				description: expect.stringMatching(
					/^Check Base URL in the credential\. Nothing was changed/,
				) as string,
			});
		}
	});

	it.each([
		['before the request was read', reset('beforeReading'), 'connection broken off'],
		['after the request was read', reset('afterReading'), 'connection broken off'],
		['in the middle of the answer', partial('{"id":'), 'answer broken off'],
	])('a connection that breaks off %s is told from a refusal', async (_when, answer, says) => {
		const read = await runAgainst(answer);
		expect(read.error?.message).toBe(`No connection to the service (${says})`);
		const write = await runAgainst(answer, { name: 'link create' });
		expect(write.error).toMatchObject({
			message: toldOf('link create', `The connection to the service broke (${says})`, 'unknown'),
			description: expect.stringMatching(/check before you try again/) as string,
		});
		expect(write.server.requests).toHaveLength(1);
	});
});

describe('a success that is not what the service documents', () => {
	it.each<[string, Answer, RegExp]>([
		['a web page', html(), /an HTML page \(33 characters\)$/],
		['plain text', text('pong'), /text that is not JSON \(4 characters\)$/],
		['JSON that breaks off', text('{"id":', 200, 'application/json'), /text that is not JSON/],
		['nothing', empty(200), /an empty body$/],
		['a list', json([{ id: uuid(1) }]), /a list of 1$/],
		['null', json(null), /nothing$|an empty body$|not JSON/],
		['a number', json(7), /a number$/],
		['true', json(true), /a boolean$/],
	])('%s is an error, on reads and writes', async (_what, answer, says) => {
		for (const name of ['link get', 'link create', 'link update', 'invoice get'] as const) {
			const { error, json: output } = await runAgainst(answer, { name });
			expect(error?.message).toMatch(
				/^(UNKNOWN whether .* retry\. )?The answer is not what the service documents: /,
			);
			expect(error?.message.startsWith('UNKNOWN')).toBe(name in DONE);
			expect(error?.message).toMatch(says);
			expect(error?.description).toMatch(/^Check that Base URL is the address of the service/);
			expect(output).toEqual([]);
		}
	});

	it.each<[string, unknown]>([
		['nothing in it', {}],
		['a message', { message: 'Not found' }],
		['errors', { errors: [{ message: 'Not found' }] }],
		['no success', { success: false }],
		['an ID that is null', { id: null, title: 'Tulips' }],
		['an empty ID', { id: ' ', title: 'Tulips' }],
		['the envelope of a list', { count: 0, next: null, previous: null, results: [] }],
	])('an object with %s is no record', async (_what, body) => {
		for (const name of ['link get', 'invoice get', 'checkoutSession get'] as const) {
			const { error, json: output } = await runAgainst(json(body), { name });
			expect(error?.message).toMatch(/^The answer is not what the service documents: an object/);
			expect(output).toEqual([]);
		}
	});

	it.each<[string, unknown]>([
		['only an ID', { id: 'a' }],
		['an ID that is a number', { id: 7 }],
		['another ID', { id: uuid(2), title: 'Tulips' }],
		['no ID', { amount: '5.00' }],
	])('an object with %s may be one', async (_what, body) => {
		for (const name of ['link get', 'invoice get', 'checkoutSession get'] as const) {
			expect((await runAgainst(json(body), { name })).json).toEqual([body]);
		}
	});

	it('says for a write that it may have been carried out', async () => {
		const { error } = await runAgainst(html(), { name: 'link create' });
		expect(error?.description).toMatch(/may have carried the request out all the same/);
	});

	it.each<[string, Answer]>([
		['a web page', html()],
		['no envelope', json({ id: uuid(1) })],
		['an envelope without results', json({ count: 0, next: null })],
		['results that are no list', json({ count: 1, results: { a: 1 } })],
		['results that are no records', json({ count: 1, results: ['a'] })],
		['two envelopes', json([{ results: [] }, { results: [] }])],
		['a count that is none', json({ count: 'many', results: [] })],
		['nothing', empty(200)],
	])('%s is an error for a list', async (_what, answer) => {
		for (const name of LIST_OPERATIONS) {
			const { error, json: output } = await runAgainst(answer, { name });
			expect(error?.message).toMatch(/^The answer is not what the service documents: /);
			expect(output).toEqual([]);
		}
	});

	it.each(OPERATION_NAMES)('an error body under HTTP 200 is a failure: %s', async (name) => {
		const { error, json: output } = await runAgainst(failure(200, 'Not really', 'odd'), { name });
		expect(error?.message).toMatch(/^(UNKNOWN .* )?Not really \(code odd, HTTP 200\)/);
		expect(output).toEqual([]);
	});
});
