import { REFUND_MESSAGES } from '../../nodes/PaymentCollection/resources/charge/refund/messages';
import { KEY_MESSAGES, WRITE_MESSAGES } from '../../nodes/PaymentCollection/writes/messages';
import { FAILURE_RULES } from '../../nodes/shared/errors/failureRules';
import type { Failure } from '../../nodes/shared/errors/failures';
import { failureTexts } from '../../nodes/shared/errors/failures';
import { ANSWER_RULES, outcomeOf } from '../../nodes/shared/service/writeOutcome';

describe('what may be said of a write', () => {
	const http = (status: number) => outcomeOf({ kind: 'http', status });

	it('is NOT for a connection that was never made and a 4xx of who has read the request, and for nothing else', () => {
		const not = Array.from({ length: 500 }, (_, index) => index + 100).filter(
			(status) => http(status) === 'notCarriedOut',
		);
		const refusals = Array.from({ length: 100 }, (_, index) => index + 400);
		// 408, and what proxies answer when somebody gave up waiting.
		expect(not).toEqual(refusals.filter((status) => ![408, 460, 499].includes(status)));
		expect(outcomeOf({ kind: 'network', neverConnected: true })).toBe('notCarriedOut');
		for (const kind of ['network', 'timeout', 'redirect', 'malformed', 'stopped'] as const) {
			expect(outcomeOf({ kind })).toBe('unknown');
		}
		expect(outcomeOf({ kind: 'success', status: 200 })).toBe('carriedOut');
	});

	it('has a row for every answer', () => {
		expect(ANSWER_RULES.at(-1)?.when({ kind: 'stopped' })).toBe(true);
		expect(new Set(ANSWER_RULES.map(({ answer }) => answer)).size).toBe(ANSWER_RULES.length);
	});
});

const failed = (what: Partial<Failure>): Failure => ({
	kind: 'http',
	request: 'POST /v1/links',
	isWrite: true,
	detail: 'ECONNRESET',
	attempts: 1,
	notExecuted: false,
	...what,
});

describe('the text of a failure', () => {
	it.each<[string, Partial<Failure>, string]>([
		[
			'is the system’s code where that has no text',
			{ kind: 'network', detail: 'EPROTO' },
			'EPROTO',
		],
		[
			'says how long the service asked to wait',
			{ status: 429, retryAfterMs: 120_000 },
			'The service receives too many requests and asks to wait 120 s (HTTP 429)',
		],
	])('%s', (_what, what, text) => {
		expect(failureTexts(failed(what)).message).toContain(text);
	});
});

describe('what the user is told to do', () => {
	const KINDS: Array<Partial<Failure>> = [
		...Array.from({ length: 400 }, (_, index) => ({ status: index + 200 })),
		...(['network', 'timeout', 'redirect', 'malformed', 'stopped'] as const).map((kind) => ({
			kind,
		})),
	];

	it('never says of a write in doubt that nothing was changed, or that trying again is safe', () => {
		for (const what of KINDS) {
			const { status, kind = 'http' } = what;
			if (outcomeOf({ kind, status }) !== 'unknown') continue;
			const { message, advice } = failureTexts(failed(what));
			expect([what, message, advice]).toEqual([
				what,
				expect.not.stringMatching(/nothing was|safe/i),
				expect.not.stringMatching(/nothing was|safe to/i),
			]);
			expect(advice).toMatch(/check before you try again/);
		}
	});

	it('never is to run a write again in one breath with that it is unknown', () => {
		const facts = new Proxy(
			{},
			{
				get: (_, name) => `‹${String(name)}›`,
			},
		);
		const kinds = { ...WRITE_MESSAGES, ...KEY_MESSAGES, ...REFUND_MESSAGES };
		for (const { message, cure, cause } of Object.values(kinds)) {
			expect(cause).toMatch(/^(total|[A-Zn‹]).*\.$/);
			if (!message(facts).startsWith('UNKNOWN')) continue;
			expect(`${message(facts)} ${cure(facts)}`).not.toMatch(
				/run (it |the workflow )?again to|On Error/,
			);
			expect(message(facts)).not.toMatch(/\bNOT\b/);
		}
	});

	it('is said for every rule', () => {
		for (const { cause, message, advice } of FAILURE_RULES) {
			expect([cause, message(failed({})), advice(failed({}))]).toEqual([
				expect.stringMatching(/\.$/),
				expect.stringMatching(/\w/),
				expect.stringMatching(/\w/),
			]);
		}
	});
});
