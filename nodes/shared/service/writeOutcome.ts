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
	/** The answer in words. */
	readonly answer: string;
	readonly outcome: WriteOutcome;
	readonly when: (facts: AnswerFacts) => boolean;
}

const isStatus =
	(from: number, to: number) =>
	({ status }: AnswerFacts): boolean =>
		status !== undefined && status >= from && status <= to;

/** Whoever answers so gave up waiting for somebody else, and knows nothing of what that one did. */
export const GAVE_UP_STATUSES: readonly number[] = [408, 460, 499];

/** First match wins. This table alone decides what the node says of a write; docs/writes.md says why. */
export const ANSWER_RULES: readonly AnswerRule[] = [
	{
		answer: 'A success with the body that the service documents',
		outcome: 'carriedOut',
		when: ({ kind }) => kind === 'success',
	},
	{
		answer: 'No connection was ever made',
		outcome: 'notCarriedOut',
		when: ({ kind, neverConnected }) => kind === 'network' && neverConnected === true,
	},
	{
		answer: 'HTTP 408, and 460 and 499 of some proxies',
		outcome: 'unknown',
		when: (facts) => facts.kind === 'http' && GAVE_UP_STATUSES.includes(facts.status ?? 0),
	},
	{
		answer: 'Any other HTTP 4xx',
		outcome: 'notCarriedOut',
		when: (facts) => facts.kind === 'http' && isStatus(400, 499)(facts),
	},
	{
		answer: 'HTTP 5xx, whatever its body says',
		outcome: 'unknown',
		when: (facts) => facts.kind === 'http' && isStatus(500, 599)(facts),
	},
	{
		answer: 'A redirect (HTTP 3xx)',
		outcome: 'unknown',
		when: ({ kind }) => kind === 'redirect',
	},
	{
		answer: 'A success with any other body',
		outcome: 'unknown',
		when: (facts) =>
			facts.kind === 'malformed' || (facts.kind === 'http' && isStatus(200, 299)(facts)),
	},
	{
		answer: 'No answer in time',
		outcome: 'unknown',
		when: ({ kind }) => kind === 'timeout',
	},
	{
		answer: 'A connection that broke',
		outcome: 'unknown',
		when: ({ kind }) => kind === 'network',
	},
	{
		answer: 'Anything else',
		outcome: 'unknown',
		when: () => true,
	},
];

/** What may be said of a write by the answer alone; see {@link ANSWER_RULES}. */
export function outcomeOf(facts: AnswerFacts): WriteOutcome {
	return ANSWER_RULES.find(({ when }) => when(facts))?.outcome ?? 'unknown';
}
