import { GAVE_UP_STATUSES } from '../service/writeOutcome';
import type { Failure } from './failure';

export interface FailureRule {
	readonly when: (failure: Failure) => boolean;
	/** Shown when the service says nothing of its own. */
	readonly message: (failure: Failure) => string;
	readonly advice: (failure: Failure) => string;
}

const hasStatus =
	(...statuses: number[]) =>
	({ kind, status }: Failure): boolean =>
		kind === 'http' && status !== undefined && statuses.includes(status);

export const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;

const checkFirst = ({ isWrite, notExecuted }: Failure): string =>
	!isWrite
		? 'Nothing was changed. Try again later.'
		: notExecuted
			? 'Nothing was changed, so it is safe to try again later.'
			: 'The service may have carried the request out all the same: check before you try again.';

/** First match wins. The service's statuses and codes are not documented, so these are HTTP's own meanings. */
export const FAILURE_RULES: readonly FailureRule[] = [
	{
		when: hasStatus(401),
		message: () => 'The service does not accept the API key',
		advice: () => 'Check API Key and Base URL in the Payment Collection API credential.',
	},
	{
		when: hasStatus(403),
		message: () => 'The API key may not do this',
		advice: () =>
			'Ask the merchant account’s owner what this API Key may do, or use another credential.',
	},
	{
		when: (failure) => hasStatus(404)(failure) && failure.isForId !== true,
		message: () => 'The service does not know this address',
		advice: () => 'Check that Base URL in the credential is the address of the service.',
	},
	{
		when: hasStatus(404),
		message: () => 'The service has nothing with this ID',
		advice: () =>
			'Check the ID, whether it belongs to the account of the credential, and that Base URL is the address of the service.',
	},
	{
		when: hasStatus(409),
		message: () => 'The service refuses this in the record’s present state',
		advice: () => 'Read the record and check its state before you try again.',
	},
	{
		when: hasStatus(400, 422),
		message: () => 'The service refuses the values sent',
		advice: () => 'Change the parameter that the message names. Nothing was changed.',
	},
	{
		when: hasStatus(429),
		message: ({ retryAfterMs }) =>
			retryAfterMs === undefined
				? 'The service receives too many requests'
				: `The service receives too many requests and asks to wait ${seconds(retryAfterMs)}`,
		advice: () =>
			'Nothing was changed. Run again later, with a lower Max Concurrency or fewer items at a time.',
	},
	{
		when: hasStatus(...GAVE_UP_STATUSES),
		message: () => 'The service gave up waiting for the request',
		advice: checkFirst,
	},
	{
		when: ({ kind, status }) => kind === 'http' && status !== undefined && status >= 500,
		message: () => 'The service failed',
		advice: checkFirst,
	},
	{
		when: ({ kind, status = 0 }) => kind === 'http' && status < 300,
		message: () => 'The service answers with an error',
		advice: checkFirst,
	},
	{
		when: ({ kind }) => kind === 'http',
		message: () => 'The service refuses the request',
		advice: checkFirst,
	},
	{
		when: ({ kind }) => kind === 'redirect',
		message: () => 'The service answers with a redirect, which is not followed',
		advice: (failure) =>
			`A redirect would carry the API key to another address. Enter the final address as Base URL in the credential.${failure.isWrite ? ` ${checkFirst(failure)}` : ''}`,
	},
	{
		when: ({ kind }) => kind === 'malformed',
		message: ({ detail }) => `The answer is not what the service documents: ${detail}`,
		advice: (failure) =>
			`Check that Base URL is the address of the service and not of a web page.${failure.isWrite ? ` ${checkFirst(failure)}` : ''}`,
	},
	{
		when: ({ kind }) => kind === 'stopped',
		message: ({ detail }) => detail,
		advice: checkFirst,
	},
	{
		when: ({ kind }) => kind === 'timeout',
		message: () => 'The service did not answer in time',
		advice: (failure) =>
			`${checkFirst(failure)} The node’s Request Options can allow more time (Timeout).`,
	},
	{
		when: ({ kind, isWrite, notExecuted }) => kind === 'network' && isWrite && !notExecuted,
		message: ({ detail }) => `The connection to the service broke (${networkText(detail)})`,
		advice: checkFirst,
	},
	{
		when: ({ kind }) => kind === 'network',
		message: ({ detail }) => `No connection to the service (${networkText(detail)})`,
		advice: (failure) => `Check Base URL in the credential. ${checkFirst(failure)}`,
	},
];

/** In words, because n8n replaces a message that holds one of these codes by a sentence of its own. */
const NETWORK_TEXTS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'connection refused',
	ECONNRESET: 'connection broken off',
	EPIPE: 'connection broken off',
	/** What the HTTP client says when the connection ends in the middle of an answer. */
	ERR_BAD_RESPONSE: 'answer broken off',
	/** n8n breaks off what is under way when the execution is stopped. */
	ERR_CANCELED: 'execution stopped',
	ENOTFOUND: 'host name not found',
	EAI_AGAIN: 'host name can’t be looked up at the moment',
	EHOSTUNREACH: 'host unreachable',
	ENETUNREACH: 'network unreachable',
};

export const networkText = (code: string): string => NETWORK_TEXTS[code] ?? code;
