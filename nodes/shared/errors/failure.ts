/** What went wrong with one request, as data. Texts in it are redacted already. */
export interface Failure {
	/**
	 * http: an answer with an error status; redirect: an answer that leads elsewhere; malformed: a success whose
	 * body is not what the document shows; network: no connection, or one that broke; timeout: no answer in time;
	 * stopped: a write that n8n itself stopped, perhaps after it had left.
	 */
	readonly kind: 'http' | 'redirect' | 'malformed' | 'network' | 'timeout' | 'stopped';
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
	/** For network: the system's code, such as ECONNREFUSED. For malformed: what came instead. For stopped: n8n's text. */
	readonly detail: string;
	/** Milliseconds that the service asked to wait (Retry-After). */
	readonly retryAfterMs?: number;
	/** How many times the request went out. */
	readonly attempts: number;
	/** Whether it is certain that the service did not carry the request out; see writeOutcome.ts. */
	readonly notExecuted: boolean;
}
