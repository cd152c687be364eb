/** Texts are redacted already. */
export interface Failure {
	/**
	 * http: an error status, or a success whose body reports an error; malformed: a success whose body is not as documented;
	 * network: no connection, one that broke, or a request that n8n stopped; certificate: not trusted by Node; blocked: by n8n's
	 * SSRF protection; unreadable: can't be decoded, or is nested too deeply; timeout: no response in time.
	 */
	readonly kind:
		| 'http'
		| 'redirect'
		| 'malformed'
		| 'network'
		| 'certificate'
		| 'blocked'
		| 'unreadable'
		| 'timeout';
	/** Example: "GET /v1/links/{id}". */
	readonly request: string;
	readonly isWrite: boolean;
	/** Decides which parameters the advice can name. Missing for the trigger and for dropdown lists. */
	readonly sentBy?: 'getMany' | 'otherOperation' | undefined;
	/** True if it asked for one record by its ID, in the path or as the filter of a list. */
	readonly isForId?: boolean;
	readonly status?: number;
	/** A web page comes from something in front of the service. */
	readonly isWebPage?: boolean;
	/** Reasons that the body states (reasonsIn in answers.ts), and its error.code (docs/service.md, Errors). */
	readonly serviceMessage?: string;
	readonly serviceCode?: string;
	/** The system's code, such as ECONNREFUSED, or a text. For malformed: what arrived. For redirect: the new path, if known. */
	readonly detail: string;
	readonly retryAfterMs?: number;
	/** How often the transport has sent the request. */
	readonly tries: number;
	/** True for a network failure without any connection. */
	readonly neverConnected?: boolean;
}

/** True if the status was a success, although the body was not. */
export const saysSuccess = ({ kind, status = 0 }: Failure): boolean =>
	kind === 'malformed' || (kind === 'http' && status < 300);

/** The server gave up on the request, but a service behind it may have carried it out. */
export const GAVE_UP_STATUSES: readonly number[] = [408, 460, 499];

/**
 * A refusal: true if a failed request was certainly not carried out. It never left or connected, or a 4xx other than those
 * above refused it. A write can still be UNKNOWN, for an earlier attempt or for what the charge shows (reconcile.ts).
 *
 * HTTP 5xx leaves it in doubt, whatever the body says. So do a redirect, a success with an error or an undocumented body, a
 * response that is late or can't be read, and a connection that broke.
 */
export function wasNotCarriedOut(failure: Failure): boolean {
	const { kind, status = 0, neverConnected = false } = failure;
	if (neverLeft(failure)) return true;
	if (kind === 'network') return neverConnected;
	return kind === 'http' && status >= 400 && status < 500 && !GAVE_UP_STATUSES.includes(status);
}

/** Nothing was sent, and nothing can be until someone changes a setting. */
export const neverLeft = ({ kind }: Failure): boolean =>
	kind === 'certificate' || kind === 'blocked';

export const TOO_MANY_REQUESTS = 429;

export const hasStatus =
	(...statuses: number[]) =>
	({ kind, status = 0 }: Failure): boolean =>
		kind === 'http' && statuses.includes(status);

/** True for a status that the service itself sent: a proxy's error is a web page. */
export const isServiceStatus =
	(...statuses: number[]) =>
	(failure: Failure): boolean =>
		hasStatus(...statuses)(failure) && failure.isWebPage !== true;

export const isNotFound = isServiceStatus(404, 410);

/** True if other requests would get the same answer. */
export const isForAllRequests = (failure: Failure): boolean =>
	neverLeft(failure) || hasStatus(401, 403, TOO_MANY_REQUESTS)(failure);

/** True if the same request may succeed later without a change by anyone. */
export function isTemporary({ kind, status = 0 }: Failure): boolean {
	if (kind !== 'http') return kind === 'network' || kind === 'timeout';
	return status >= 500 || [...GAVE_UP_STATUSES, TOO_MANY_REQUESTS].includes(status);
}

/** True if repeating the request can succeed, and can do no harm. A proxy's 520 to 524 are like its 502. */
export function mayRetry(failure: Failure): boolean {
	if (hasStatus(TOO_MANY_REQUESTS)(failure)) return true;
	const isUnreached = hasStatus(502, 503, 504, 520, 521, 522, 523, 524)(failure);
	return !failure.isWrite && (isUnreached || ['network', 'timeout'].includes(failure.kind));
}
