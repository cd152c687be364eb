import { mayRetry, wasNotCarriedOut, type Failure } from '../../nodes/shared/errors/failure';
import { credentialTestText, failureTexts } from '../../nodes/shared/errors/failureTable';

const failed = (what: Partial<Failure>): Failure => ({
	request: 'POST /v1/links',
	isWrite: true,
	kind: 'http',
	detail: 'ECONNRESET',
	tries: 1,
	...what,
});

const STATUSES = Array.from({ length: 500 }, (_, index) => index + 100);
const KINDS = ['network', 'timeout', 'redirect', 'malformed'] as const;

describe('the report of a failed write', () => {
	it('is NOT only for a connection that was never made, an unsent request, and a 4xx after the request was read', () => {
		const isNot = (status: number): boolean => wasNotCarriedOut(failed({ status }));
		const refusals = Array.from({ length: 100 }, (_, index) => index + 400);
		// 408, and statuses of proxies for a client or server that stopped waiting.
		const gaveUp = [408, 460, 499];
		expect(STATUSES.filter(isNot)).toEqual(refusals.filter((status) => !gaveUp.includes(status)));
		expect(wasNotCarriedOut(failed({ kind: 'network', neverConnected: true }))).toBe(true);
		for (const kind of KINDS) expect(wasNotCarriedOut(failed({ kind }))).toBe(false);
		for (const kind of ['certificate', 'blocked'] as const) {
			expect(wasNotCarriedOut(failed({ kind }))).toBe(true);
			expect(failureTexts(failed({ kind })).advice).toMatch(/^Nothing was sent/);
		}
	});

	it('in doubt never says that nothing was changed, or that another attempt is safe', () => {
		const all: Array<Partial<Failure>> = [
			...STATUSES.map((status) => ({ status })),
			...KINDS.map((kind) => ({ kind })),
		];
		for (const what of all.map(failed).filter((one) => !wasNotCarriedOut(one))) {
			const { message, advice } = failureTexts(what);
			expect(`${message} ${advice}`).not.toMatch(/nothing was|safe/i);
			expect(advice).toMatch(/check before you try again/);
		}
	});
});

const TEMPORARY = /^Nothing was changed\. This might be temporary/;
const CURRENT = /^Check the current status/;
const VALUES = /^Check the values that were sent/;
const OTHER = /^Check .* Nothing was changed\. This might/;

it.each<[status: number, message: RegExp, onRead: RegExp, onWrite: RegExp]>([
	[400, /refused the values sent/, VALUES, VALUES],
	[401, /does not accept the API key/, /^Check 'API Key' and 'Base URL'/, /^Check 'API Key'/],
	[403, /doesn’t have permission/, /might be wrong, or not have permission/, /^Check 'API Key'/],
	[404, /found nothing at this URL/, /^Check that 'Base URL' in the/, /^Check that 'Base URL'/],
	[407, /proxy does not let the request through/, /^Check the proxy/, /^Check the proxy/],
	[408, /gave up waiting/, TEMPORARY, /check before you try again/],
	[409, /because of the record’s current status/, CURRENT, CURRENT],
	[418, /returned an error/, OTHER, /it is safe to try again/],
	[422, /refused the values sent/, VALUES, /Nothing was changed/],
	[429, /too many requests/, /^Nothing was changed\. Try again later/, /Try again later\. Req/],
	[500, /failed/, TEMPORARY, /might have carried out the request/],
	[503, /failed/, TEMPORARY, /check before you try again/],
])('HTTP %i has a message and an advice of its own', (status, message, onRead, onWrite) => {
	const read = failureTexts(failed({ status, isWrite: false }));
	expect(read.message).toMatch(message);
	expect(read.advice).toMatch(onRead);
	expect(failureTexts(failed({ status })).advice).toMatch(onWrite);
});

it.each([
	[429, 'getMany', /again later, with a lower 'Max Parallel Requests'\. Req/],
	[429, 'otherOperation', /again later\. Req/],
	[407, undefined, /the proxy in n8n’s environment\. Nothing/],
	[407, 'getMany', /the proxy in n8n’s environment or in 'Request Options'\. Nothing/],
] as const)('the advice on HTTP %i names only settings of %s', (status, sentBy, advice) => {
	const failure = failed({ status, isWrite: false, ...(sentBy && { sentBy }) });
	expect(failureTexts(failure).advice).toMatch(advice);
});

it('the advice on a 400 names the message only if the service has sent one', () => {
	const { advice } = failureTexts(failed({ status: 400, serviceMessage: 'No' }));
	expect(advice).toMatch(/^Change the value that the message names/);
});

it.each<[string, Partial<Failure>, RegExp]>([
	[
		'the service’s message',
		{ status: 400, serviceMessage: 'No', serviceCode: 'c' },
		/^No \(code c, HTTP/,
	],
	['a system’s code without words', { kind: 'network', detail: 'EMFILE' }, /\(EMFILE\)$/],
	[
		'the wait that the service asks for',
		{ status: 429, retryAfterMs: 120_000 },
		/asks n8n to wait 120 s \(HTTP 429\)$/,
	],
	[
		'the wait after other statuses, too',
		{ status: 503, retryAfterMs: 6_000 },
		/^The service failed and asks n8n to wait 6 s/,
	],
])('a message shows %s', (_what, what, text) => {
	expect(failureTexts(failed(what)).message).toMatch(text);
});

it('the advice on an unknown ID is to check it', () => {
	const { message, advice } = failureTexts(failed({ status: 404, isForId: true }));
	expect(message).toBe('The service found no record with this ID (HTTP 404)');
	expect(advice).toMatch(/^Check that the ID.* Request: POST \/v1\/links\.$/);
});

it('a web page is reported as from something in front of the service, for every status', () => {
	// These statuses already name their cause.
	const others = [407, 408, 429, 460, 499];
	for (const status of STATUSES.filter((one) => one >= 400 && !others.includes(one))) {
		const failure = failed({ status, isWebPage: true, isForId: true, isWrite: false });
		const { message, advice } = failureTexts(failure);
		expect(message).toBe(
			`A web page was returned, probably by a firewall, bot protection or a proxy in front of the service (HTTP ${status})`,
		);
		expect(advice).toMatch(/^Let n8n through there\. .*check 'API Key' and 'Base URL'/);
		expect(credentialTestText(failure)).toMatch(/^A web page .* Let n8n through there\. If /);
	}
});

it('reads are repeated after temporary failures, writes only after a 429', () => {
	const retried = (isWrite: boolean): unknown[] => [
		...STATUSES.filter((status) => mayRetry(failed({ status, isWrite }))),
		...KINDS.filter((kind) => mayRetry(failed({ kind, isWrite }))),
	];
	const passing = [429, 502, 503, 504, 520, 521, 522, 523, 524];
	expect(retried(false)).toEqual([...passing, 'network', 'timeout']);
	expect(retried(true)).toEqual([429]);
});

/** credentialTest.test.ts has the texts for broken connections and other responses. */
it.each<[string, Partial<Failure>, RegExp]>([
	['403', { status: 403 }, /^The service does not accept this API Key: .* permission to list/],
	['404', { status: 404 }, /^There is no payment collection service at this Base URL/],
	['407', { status: 407 }, /^n8n’s proxy does not let the request through \(HTTP 407\)/],
	['500', { status: 500, serviceMessage: 'no' }, /could not list charges: no \(HTTP 500\)\. Check/],
])('the credential’s test has a text of its own for %s', (_what, what, text) => {
	expect(credentialTestText(failed({ isWrite: false, ...what }))).toMatch(text);
});
