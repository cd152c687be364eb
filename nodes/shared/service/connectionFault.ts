import { causeOf, type ErrorFacts } from '../n8nFeatures';

/**
 * What the system reports when a connection could not be made, by the call that failed. The code alone is not enough:
 * a connection that was made and used may break with some of the same codes.
 */
const NEVER_CONNECTED: Readonly<Record<string, ReadonlySet<string>>> = {
	connect: new Set([
		'EADDRNOTAVAIL',
		'ECONNREFUSED',
		'EHOSTDOWN',
		'EHOSTUNREACH',
		'ENETDOWN',
		'ENETUNREACH',
		'ETIMEDOUT',
	]),
	getaddrinfo: new Set(['EAI_AGAIN', 'ENODATA', 'ENOTFOUND']),
};

/** What is known of a request that got no answer. */
export interface ConnectionFault {
	/** The system's or the HTTP client's code; missing when the error carries none. */
	readonly code?: string;
	readonly message: string;
	readonly neverConnected: boolean;
}

/** Reads n8n's error, which wraps the HTTP client's, which wraps the system's. In doubt the connection was made. */
export function connectionFault(error: unknown): ConnectionFault {
	const chain = causesOf(error);
	const coded = chain.find(({ code }) => typeof code === 'string');
	const attempts = chain.flatMap(attemptsOf).filter(({ syscall }) => typeof syscall === 'string');
	return {
		...(coded === undefined ? {} : { code: String(coded.code) }),
		message: coded?.message ?? (error instanceof Error ? error.message : String(error)),
		neverConnected: attempts.length > 0 && attempts.every(isNeverConnected),
	};
}

/** Whether the connection that failed was one to another host or port than the address has: to n8n's proxy. */
export function wentElsewhere(error: unknown, address: string): boolean {
	const { hostname: host, port, protocol } = new URL(address);
	const wanted = Number(port) || (protocol === 'https:' ? 443 : 80);
	return causesOf(error)
		.flatMap(attemptsOf)
		.some(
			({ syscall, ...tried }) =>
				(syscall === 'connect' && typeof tried.port === 'number' && tried.port !== wanted) ||
				(syscall === 'getaddrinfo' && tried.hostname !== host),
		);
}

interface SystemError extends ErrorFacts {
	/** What a connection was tried to, or what was looked up. */
	readonly port?: unknown;
	readonly hostname?: unknown;
	readonly errors?: unknown;
}

/** From the outermost error to the innermost. */
function causesOf(error: unknown): SystemError[] {
	const chain: SystemError[] = [];
	for (let cause = error; isErrorLike(cause) && !chain.includes(cause); cause = causeOf(cause)) {
		chain.push(cause);
	}
	return chain;
}

/** Node's own errors may be of another realm, where `instanceof` fails. */
const isErrorLike = (value: unknown): value is SystemError =>
	typeof value === 'object' && value !== null && 'message' in value;

/** A host with several addresses is tried on each, and fails with one error for each. */
const attemptsOf = (error: SystemError): SystemError[] =>
	Array.isArray(error.errors) ? (error.errors as SystemError[]) : [error];

const isNeverConnected = ({ code, syscall }: SystemError): boolean =>
	NEVER_CONNECTED[String(syscall)]?.has(String(code)) === true;
