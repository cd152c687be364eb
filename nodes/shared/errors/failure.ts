/** What went wrong with one request, as data. Texts in it are redacted already. */
export interface Failure {
	/**
	 * http: an answer with an error status, or with an error in its body; redirect: an answer that leads elsewhere;
	 * malformed: a success whose body is not what the document shows; network: no connection, one that broke, or a request
	 * that n8n itself stopped; timeout: no answer in time.
	 */
	readonly kind: 'http' | 'redirect' | 'malformed' | 'network' | 'timeout';
	/** What was asked for, in words: "GET /v1/links/{id}". */
	readonly request: string;
	readonly isWrite: boolean;
	/** Whether it was for one record by its ID: in the path, or as the filter of a list. */
	readonly isForId?: boolean;
	/** HTTP status of the answer, where there was one. */
	readonly status?: number;
	/** error.message and error.code of the answer's body (docs/service.md, Errors). */
	readonly serviceMessage?: string;
	readonly serviceCode?: string;
	/** For network: the system's code, such as ECONNREFUSED, or n8n's text. For malformed: what came instead. */
	readonly detail: string;
	/** Milliseconds that the service asked to wait (Retry-After). */
	readonly retryAfterMs?: number;
	/** How many times the request went out. */
	readonly attempts: number;
	/** Whether it is certain that the service did not carry the request out; see {@link outcomeOf}. */
	readonly notExecuted: boolean;
}

/** What may be said of a write that failed. NOT is said only of what certainly was not carried out. */
export type WriteOutcome = 'notCarriedOut' | 'unknown';

/** What decides the outcome of a request that failed. */
interface OutcomeFacts {
	readonly kind: Failure['kind'];
	readonly status?: number | undefined;
	/** Whether the connection that failed is known never to have been made. */
	readonly neverConnected?: boolean;
}

/** Whoever answers so gave up waiting for somebody else, and knows nothing of what that one did. */
export const GAVE_UP_STATUSES: readonly number[] = [408, 460, 499];

/** First match wins. This table alone decides what the node says of a write; docs/writes.md says why. */
const OUTCOMES: ReadonlyArray<[when: (facts: OutcomeFacts) => boolean, outcome: WriteOutcome]> = [
	[({ kind, neverConnected }) => kind === 'network' && neverConnected === true, 'notCarriedOut'],
	[({ kind, status = 0 }) => kind === 'http' && GAVE_UP_STATUSES.includes(status), 'unknown'],
	[({ kind, status = 0 }) => kind === 'http' && status >= 400 && status < 500, 'notCarriedOut'],
	// HTTP 5xx whatever its body says, a redirect, a success with an error or with a body that is not documented, no answer
	// in time, a connection that broke.
	[() => true, 'unknown'],
];

/** What may be said of a write by its failure alone; see {@link OUTCOMES}. */
export const outcomeOf = (facts: OutcomeFacts): WriteOutcome =>
	OUTCOMES.find(([when]) => when(facts))?.[1] ?? 'unknown';
