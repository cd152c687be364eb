import type { IDataObject } from 'n8n-workflow';

import '../../support/clock';
import {
	allLogs,
	runAsTool,
	runCredentialTest,
	runListSearch,
	runRouting,
} from '../../support/engine';
import {
	always,
	failure,
	json,
	redirect,
	reset,
	scriptedServer,
	text,
	type Answer,
	type RecordedRequest,
} from '../../support/servers/http-server';
import {
	OPERATIONS,
	OPERATION_NAMES,
	credentialsFor,
	envelope,
	keyOf,
	nodeOn,
	runExample,
	triggerOn,
	uuid,
	type OperationCase,
} from '../../support/operations';
import { PLANTED, findSecrets } from '../../support/secrets/secrets';

/**
 * A service that puts the key, card numbers, security codes and tokens into every response: none of them is found in an
 * output, an error, a hint, a log line, static data or what n8n stores of an execution.
 */

const { apiKey, cardNumber, securityCode, token } = PLANTED;

/** Secrets that not even Include Sensitive Data shows. */
const NEVER_SHOWN = { apiKey, securityCode };

const cardData = { card_number: cardNumber, expiry_year: '2031', security_code: securityCode };

const source: IDataObject = { type: 'card', token, card_data: cardData };

/** Secrets in every place and depth that a record can have, and repeated in other fields. */
const planted: IDataObject = {
	source,
	note: `The key was ${apiKey}`,
	url: `https://pay.example.com/?key=${encodeURIComponent(apiKey)}&t=${token}`,
	events: { type: 'authorised', message: `Token ${token}, card ${cardNumber}`, source },
	customer: { first_name: 'Ada', card_data: cardData, cards: [source, { ...cardData }] },
	custom_fields: [{ name: 'Table', value: apiKey, token }],
	metadata: { channel: 'web', echoed: apiKey, security_code: securityCode },
	charges: [{ id: uuid(7), source, deep: [[{ card_number: cardNumber, cvv: securityCode }]] }],
	items: [{ name: 'Ticket', card_data: cardData, sku: apiKey }],
	refunds: [{ created: '2025-01-15T12:00:00Z', amount: '0.00', token }],
};

const secretHeaders = { 'x-echo': apiKey, 'set-cookie': `session=${token}`, 'x-card': cardNumber };

const LOUD = `Key ${apiKey}, token=${token}, card ${cardNumber}, security_code: ${securityCode}`;

/** Adds secrets to every record of an answer. */
function withSecrets(answer: Answer): Answer {
	if (answer.kind !== 'reply' || answer.body === undefined) return answer;
	const body = JSON.parse(answer.body) as IDataObject;
	const results = body['results'] as IDataObject[] | undefined;
	const changed =
		results === undefined
			? { ...planted, ...body }
			: { ...body, next: LOUD, results: results.map((row) => ({ ...planted, ...row })) };
	return {
		...answer,
		headers: { ...answer.headers, ...secretHeaders },
		body: JSON.stringify(changed),
	};
}

const friendly =
	({ answers }: OperationCase) =>
	(request: RecordedRequest): Answer =>
		withSecrets(answers(keyOf(request), request));

const reply = (status: number, body: unknown): Answer => json(body, status, secretHeaders);
const written = (status: number, body: string, type: string): Answer =>
	text(body, status, type, secretHeaders);
const error = (status: number): Answer => failure(status, LOUD, LOUD, secretHeaders);

const ANSWERS: Array<[what: string, answer: Answer]> = [
	...[401, 404, 500].map((status): [string, Answer] => [String(status), error(status)]),
	['an error under 200', error(200)],
	['a list of errors', reply(400, { errors: [LOUD, planted] })],
	['a record as an error', reply(500, planted)],
	['JSON in a message', reply(400, { error: { message: JSON.stringify(planted), code: 'x' } })],
	['a web page', written(502, `<h1>${LOUD}</h1>`, 'text/html')],
	['plain text under 200', written(200, LOUD, 'text/plain')],
	[
		'malformed JSON',
		written(200, `{"results": [{"token": "${token}", "key": "${apiKey}`, 'application/json'),
	],
	['odd rows', reply(200, { count: apiKey, results: [apiKey, token], token })],
	['a long wait', failure(429, LOUD, LOUD, { 'retry-after': '3600', ...secretHeaders })],
	['a redirect', redirect(`https://x.example/?k=${apiKey}`)],
	['a reset', reset()],
];

const KEY = uuid(1);

it.each(OPERATION_NAMES)('%s shows no secret in a success', async (name) => {
	const testCase: OperationCase = OPERATIONS[name];
	const server = await scriptedServer(friendly(testCase));
	const result = await runExample(server, testCase, {
		items: [{ key: KEY }, { key: uuid(2) }],
		readAfter: '={{ JSON.stringify($json) }}',
	});
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(2);
	expect(findSecrets(result)).toEqual([]);

	const options = nodeOn(server, testCase);
	// Uses another charge each time, since a full refund leaves nothing.
	expect(findSecrets(await runRouting({ ...options, items: [{ key: uuid(3) }] }))).toEqual([]);
	const [tool] = await runAsTool({ ...options, calls: [{ key: uuid(4) }] });
	expect(tool.answer).toMatch(/^(?!.*"error")/);
	expect(findSecrets(tool)).toEqual([]);
});

/** One operation for each way in which records are read and written. */
const WAYS = [
	'link get',
	'charge get',
	'charge getAll',
	'charge getEvents',
	'charge refund',
	'link create',
] as const;

describe.each(WAYS)('%s', (name) => {
	const testCase: OperationCase = OPERATIONS[name];

	it.each(ANSWERS)('shows no secret after %s', async (_what, answer) => {
		const server = await scriptedServer(() => answer);
		// Each setting of On Error has its own path for errors.
		const modes = ['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const;
		for (const onError of modes) {
			const retryOnFail = { maxTries: 2 };
			const result = await runExample(server, testCase, { onError, retryOnFail });
			expect(findSecrets(result)).toEqual([]);
		}
		const tool = await runAsTool({ ...nodeOn(server, testCase), calls: [{ key: KEY }] });
		expect(findSecrets(tool)).toEqual([]);
	});
});

/** Has no names that announce a secret: only the charge shows what is one. */
const BARE = `Refund to ${token} or 4929*4205*7359*5709 for ${apiKey}`;

it.each([...ANSWERS, ['a confirmation', reply(200, { message: BARE })]] as typeof ANSWERS)(
	'a refund shows no secret of the charge that was read before %s',
	async (_what, answer) => {
		const testCase: OperationCase = OPERATIONS['charge refund'];
		const shownAfter = async (later: Answer) => {
			const server = await scriptedServer((request, count) => {
				if (count === 1) return friendly(testCase)(request);
				return count === 2 ? answer : later;
			});
			const result = await runExample(server, testCase);
			expect(findSecrets(result)).toEqual([]);
			const { message, description } = result.error ?? {};
			return JSON.stringify([result.json, message, description, result.thrown]);
		};
		expect(await shownAfter(answer)).not.toContain('4205');
		const shown = await shownAfter(reply(500, { error: { message: BARE, code: token } }));
		expect(shown).not.toContain('4205');
		expect(shown).toContain('[redacted]');
	},
);

it.each(['charge getAll', 'charge getEvents', 'charge get'] as const)(
	'%s shows card numbers and tokens on request, but never a security code or the key',
	async (name) => {
		const testCase: OperationCase = OPERATIONS[name];
		const server = await scriptedServer(friendly(testCase));
		const result = await runExample(server, testCase, {
			parameters: { options: { includeSensitiveData: true } },
		});
		expect(result.json).toMatchObject([
			{ source: { token, card_data: { card_number: cardNumber } } },
		]);
		expect(findSecrets(result, NEVER_SHOWN)).toEqual([]);
	},
);

describe('a credential that does not work', () => {
	it.each([
		[
			'with a key that no header can contain',
			{ baseUrl: 'http://127.0.0.1:9', apiKey: `${apiKey}é` },
		],
		['with the key in the URL', { baseUrl: `http://me:${apiKey}@127.0.0.1:9`, apiKey }],
		['with the key as its URL', { baseUrl: apiKey, apiKey }],
	])('%s is not shown', async (_what, credentials) => {
		const result = await runExample({ url: '' }, OPERATIONS['charge refund'], { credentials });
		expect(result.error).toBeDefined();
		expect(findSecrets(result)).toEqual([]);
		expect(findSecrets((await runCredentialTest({ credentials })).message)).toEqual([]);
	});

	it.each(ANSWERS)('shows no secret in its test after %s', async (_what, answer) => {
		const verdict = await runCredentialTest({ credentials: credentialsFor(await always(answer)) });
		expect(findSecrets(verdict)).toEqual([]);
	});
});

describe.each(['searchCharges', 'searchCustomers'])('the list search %s', (method) => {
	const search = async (answer: Answer): Promise<unknown> => {
		const credentials = credentialsFor(await always(answer));
		return await runListSearch({ credentials, method }).catch((failed: unknown) => failed);
	};

	it('shows no secret in its rows', async () => {
		const loud = { reference_id: LOUD, status: LOUD, first_name: LOUD, email: LOUD };
		const result = await search(reply(200, envelope({ ...planted, ...loud, id: KEY })));
		expect(result).toMatchObject({ results: [{ value: KEY }] });
		expect(findSecrets(result)).toEqual([]);
	});

	it.each(ANSWERS)('shows no secret after %s', async (_what, answer) => {
		expect(findSecrets(await search(answer))).toEqual([]);
	});
});

it.each(ANSWERS)('the trigger shows no secret after %s', async (_what, answer) => {
	const created = '2025-01-15T11:01:00Z';
	const amounts = { total: '20.00', refund_total: '0.00' };
	const charge = { ...planted, id: KEY, created, status: 'authorised', ...amounts };
	let isBroken = false;
	const server = await scriptedServer(() => (isBroken ? answer : reply(200, envelope(charge))));
	const poller = triggerOn(server, { parameters: { simplify: false } });
	await poller.activate();
	isBroken = true;
	const outcomes = [await poller.tick(), await poller.fetchTestEvent()];
	outcomes.push(await poller.restart().activate());
	expect(findSecrets([outcomes, poller.saved(), poller.unsaved()])).toEqual([]);
});

afterAll(() => {
	// n8n's own lines included.
	expect(findSecrets(allLogs())).toEqual([]);
});
