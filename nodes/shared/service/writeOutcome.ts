import type { Failure } from '../errors/failure';

/**
 * What may be said of a write. "Not carried out" is said only of what certainly was not; whatever is neither that nor
 * a success is unknown.
 */
export type WriteOutcome = 'carriedOut' | 'notCarriedOut' | 'unknown';

/** What came back for one request, as far as it decides the outcome. */
export interface AnswerFacts {
	readonly kind: Failure['kind'] | 'success';
	readonly status?: number | undefined;
	/** Whether the connection that failed is known never to have been made. */
	readonly neverConnected?: boolean;
}

export interface AnswerRule {
	/** The answer in words, for docs/writes.md. */
	readonly answer: string;
	readonly outcome: WriteOutcome;
	/** Why nothing else may be said. */
	readonly because: string;
	readonly when: (facts: AnswerFacts) => boolean;
}

const isStatus =
	(from: number, to: number) =>
	({ status }: AnswerFacts): boolean =>
		status !== undefined && status >= from && status <= to;

/** Whoever answers so gave up waiting for somebody else, and knows nothing of what that one did. */
export const GAVE_UP_STATUSES: readonly number[] = [408, 460, 499];

/** First match wins. This table alone decides what the node says of a write; the table in docs/writes.md is made from it. */
export const ANSWER_RULES: readonly AnswerRule[] = [
	{
		answer: 'A success with the body that the service documents',
		outcome: 'carriedOut',
		because: 'The service says so.',
		when: ({ kind }) => kind === 'success',
	},
	{
		answer: 'No connection was ever made',
		outcome: 'notCarriedOut',
		because: 'The request can’t have left n8n.',
		when: ({ kind, neverConnected }) => kind === 'network' && neverConnected === true,
	},
	{
		answer: 'HTTP 408, and 460 and 499 of some proxies',
		outcome: 'unknown',
		because: 'The service may have read the request before it gave up.',
		when: (facts) => facts.kind === 'http' && GAVE_UP_STATUSES.includes(facts.status ?? 0),
	},
	{
		answer: 'Any other HTTP 4xx',
		outcome: 'notCarriedOut',
		because:
			'The service read the request and refused it. A refund’s charge is read again, and if it shows the refund all the same, the outcome is unknown.',
		when: (facts) => facts.kind === 'http' && isStatus(400, 499)(facts),
	},
	{
		answer: 'HTTP 5xx, whatever its body says',
		outcome: 'unknown',
		because: 'The service may fail after it has carried the request out, or carry it out later.',
		when: (facts) => facts.kind === 'http' && isStatus(500, 599)(facts),
	},
	{
		answer: 'A redirect (HTTP 3xx)',
		outcome: 'unknown',
		because: 'Some services answer so after they have carried a request out.',
		when: ({ kind }) => kind === 'redirect',
	},
	{
		answer: 'A success with any other body',
		outcome: 'unknown',
		because:
			'Something answered, and nobody knows what it did. A body that says it failed is one of these. A refund’s charge is read again, and so is a link of which only a message came back for its deletion.',
		when: (facts) =>
			facts.kind === 'malformed' || (facts.kind === 'http' && isStatus(200, 299)(facts)),
	},
	{
		answer: 'No answer in time',
		outcome: 'unknown',
		because: 'The request left n8n, and may still be under way.',
		when: ({ kind }) => kind === 'timeout',
	},
	{
		answer: 'A connection that broke',
		outcome: 'unknown',
		because: 'The request may have arrived before it broke.',
		when: ({ kind }) => kind === 'network',
	},
	{
		answer: 'Anything else',
		outcome: 'unknown',
		because: 'In doubt, nothing is denied.',
		when: () => true,
	},
];

/** What may be said of a write by the answer alone; see {@link ANSWER_RULES}. */
export function outcomeOf(facts: AnswerFacts): WriteOutcome {
	return ANSWER_RULES.find(({ when }) => when(facts))?.outcome ?? 'unknown';
}
