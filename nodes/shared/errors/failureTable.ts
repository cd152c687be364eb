import {
	GAVE_UP_STATUSES,
	TOO_MANY_REQUESTS,
	hasStatus,
	isNotFound,
	neverLeft,
	saysSuccess,
	wasNotCarriedOut,
	type Failure,
} from './failure';

type Text = string | ((failure: Failure) => string);

interface FailureRow {
	readonly when: (failure: Failure) => boolean;
	/** Shown when the service says nothing of its own. */
	readonly message: Text;
	readonly advice: Text;
	/** Text of the credential's test: what happened, then what to do. Missing if the message is enough. */
	readonly test?: Text;
}

export const TEST_TIMEOUT_MS = 15_000;

const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;

/** Replaces system codes with words: n8n replaces a message that contains a code with a sentence of its own. */
const NETWORK_TEXTS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'connection refused',
	ECONNRESET: 'connection interrupted',
	EPIPE: 'connection interrupted',
	ERR_BAD_RESPONSE: 'response cut off',
	ERR_CANCELED: 'execution stopped',
	ENODATA: 'host name not found',
	ENOTFOUND: 'host name not found',
	EAI_AGAIN: 'host name can’t be looked up at the moment',
	EHOSTUNREACH: 'host unreachable',
	ENETUNREACH: 'network unreachable',
	EPROTO: 'the server does not speak HTTPS',
};

const networkText = ({ detail }: Failure): string => NETWORK_TEXTS[detail] ?? detail;

const whatWasDone = (failure: Failure): string =>
	!failure.isWrite
		? 'Nothing was changed. This might be temporary.'
		: wasNotCarriedOut(failure)
			? 'Nothing was changed, so it is safe to try again later.'
			: 'The service might have carried out the request: check before you try again.';

const whatWasDoneIfWrite = (failure: Failure): string =>
	failure.isWrite ? ` ${whatWasDone(failure)}` : '';

/** Contains what to do: the same text serves the credential's test, which shows no advice. */
const neverLeftText = ({ kind, detail }: Failure): string =>
	kind === 'blocked'
		? 'n8n itself does not send requests to the address in Base URL: its SSRF protection is on. The person who runs this n8n can allow the address with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES'
		: `The certificate of the server is not accepted (${detail}). Check that Base URL has the host name that the certificate is for, and that it has not expired. If your company signs its own, tell n8n so with NODE_EXTRA_CA_CERTS`;

const LET_THROUGH =
	"Let n8n through there. If the service itself responds like this, check 'API Key' and 'Base URL' in the Payment Collection API credential, and whether the service is down.";

const redirectAdvice = ({ detail }: Failure): string =>
	/\/v1\/.+\/$/.test(detail)
		? 'This package calls paths without a slash at the end, whatever Base URL is: the service, or a proxy in front of it, must accept these.'
		: "Enter the final URL as 'Base URL' in the credential, often the same one with https://.";

/** The first match wins. The service's statuses and codes are not documented, so these are HTTP's own meanings. */
const FAILURES: readonly FailureRow[] = [
	{
		when: hasStatus(407),
		message: 'The proxy does not let the request through',
		advice: ({ sentBy }) =>
			`Check the proxy in n8n’s environment${sentBy ? " or in 'Request Options'" : ''}. Nothing was sent.`,
		test: 'n8n’s proxy does not let the request through (HTTP 407). Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY in n8n’s environment.',
	},
	{
		when: hasStatus(TOO_MANY_REQUESTS),
		message: 'The service is getting too many requests',
		advice: ({ sentBy }) =>
			`Nothing was changed. Try again later${sentBy === 'getMany' ? ", with a lower 'Max Parallel Requests'" : ''}.`,
	},
	{
		when: hasStatus(...GAVE_UP_STATUSES),
		message: 'The service gave up waiting for the request',
		advice: whatWasDone,
	},
	{
		when: ({ isWebPage }) => isWebPage === true,
		message:
			'A web page was returned, probably by a firewall, bot protection or a proxy in front of the service',
		advice: (failure) => `${LET_THROUGH} ${whatWasDone(failure)}`,
		test: (failure) => `${failureTexts(failure).message}. ${LET_THROUGH}`,
	},
	{
		// Some services respond to a wrong key with 403, others with 401 to one that lacks a permission.
		when: hasStatus(401, 403),
		message:
			'The service does not accept the API key, or the key doesn’t have permission to do this',
		advice:
			"Check 'API Key' and 'Base URL' in the Payment Collection API credential. The API key might be wrong, or not have permission to do this: ask the merchant account’s owner what it can do.",
		test: 'The service does not accept this API Key: it might be wrong, or not have permission to list charges. Copy it again from the app settings of the merchant account, or ask the account’s owner what it can do.',
	},
	{
		when: (failure) => failure.isForId === true && isNotFound(failure),
		message: 'The service found no record with this ID',
		advice:
			"Check that the ID is correct and belongs to the credential’s account, and that 'Base URL' is the URL of the service.",
	},
	{
		when: hasStatus(404, 410),
		message: 'The service found nothing at this URL',
		advice: "Check that 'Base URL' in the credential is the URL of the service.",
		test: 'There is no payment collection service at this Base URL: it has no /v1/charges. Enter the address of the service itself.',
	},
	{
		when: hasStatus(409),
		message: 'The service refused the request because of the record’s current status',
		advice: 'Check the current status in the payment collection service before you try again.',
	},
	{
		when: hasStatus(400, 422),
		message: 'The service refused the values sent',
		advice: ({ serviceMessage }) =>
			serviceMessage === undefined
				? 'Check the values that were sent. Nothing was changed.'
				: 'Change the value that the message names. Nothing was changed.',
	},
	{
		when: ({ kind, status = 0 }) => kind === 'http' && status >= 500,
		message: 'The service failed',
		advice: whatWasDone,
	},
	{
		when: ({ kind }) => kind === 'http',
		message: 'The service returned an error',
		advice: (failure) => `Check that 'Base URL' is the URL of the service. ${whatWasDone(failure)}`,
	},
	{
		when: ({ kind }) => kind === 'redirect',
		message: ({ detail }) =>
			`The service returned a redirect${detail && ` to ${detail}`}, which is not followed`,
		advice: (failure) =>
			`A redirect would send the API key to another URL. ${redirectAdvice(failure)}${whatWasDoneIfWrite(failure)}`,
		test: (failure) =>
			`The Base URL redirects${failure.detail && ` to ${failure.detail}`}. Redirects are not followed, so that the API Key stays private. ${redirectAdvice(failure)}`,
	},
	{
		when: ({ kind }) => kind === 'malformed',
		message: ({ detail }) => `The response is not as documented: ${detail}`,
		advice: (failure) =>
			`Check that 'Base URL' is the URL of the service and not of a web page.${whatWasDoneIfWrite(failure)}`,
		test: ({ detail }) =>
			`The Base URL answers, but not with a list of charges: ${detail}. Enter the address of the service, not that of its web site.`,
	},
	{
		when: ({ kind }) => kind === 'timeout',
		message: 'The service did not answer in time',
		advice: (failure) =>
			`${whatWasDone(failure)}${failure.sentBy ? " To allow more time, raise 'Request Options → Timeout'." : ''}`,
		test: `The service did not answer within ${seconds(TEST_TIMEOUT_MS)}. Check Base URL, and whether a firewall stands between n8n and the service.`,
	},
	{
		when: ({ kind }) => kind === 'unreadable',
		message: ({ detail }) =>
			`The service’s response can’t be read (${detail.includes('TOO_L') ? 'it is too large' : detail})`,
		advice: (failure) => `A proxy might have changed it. ${whatWasDone(failure)}`,
	},
	{
		// The request is not repeated, because nothing changes by itself.
		when: neverLeft,
		message: neverLeftText,
		advice: 'Nothing was sent.',
		test: neverLeftText,
	},
	{
		when: (failure) => failure.kind === 'network' && failure.isWrite && !wasNotCarriedOut(failure),
		message: (failure) => `The connection to the service broke (${networkText(failure)})`,
		advice: whatWasDone,
	},
	{
		when: () => true,
		message: (failure) => `No connection to the service (${networkText(failure)})`,
		advice: (failure) => `Check 'Base URL', and the proxy if there is one. ${whatWasDone(failure)}`,
		test: (failure) =>
			`There is no connection to the service (${networkText(failure)}). Check the host and port of Base URL, whether the service is up, and n8n’s own connection or proxy.`,
	},
];

const rowOf = (failure: Failure): FailureRow | undefined =>
	FAILURES.find(({ when }) => when(failure));

const inWords = (text: Text | undefined, failure: Failure): string | undefined =>
	typeof text === 'function' ? text(failure) : text;

export function failureTexts(failure: Failure): { message: string; advice: string } {
	const row = rowOf(failure);
	const { tries, retryAfterMs, serviceCode, serviceMessage, status } = failure;
	const isUndocumented = failure.kind === 'malformed' && serviceMessage !== undefined;
	const remarks = [
		serviceCode && `code ${serviceCode}`,
		status && `HTTP ${status}`,
		isUndocumented && `not the documented response: ${failure.detail}`,
	].filter(Boolean);
	const wait = retryAfterMs ? `asks n8n to wait ${seconds(retryAfterMs)}` : '';
	const rowText = inWords(row?.message, failure) ?? failure.detail;
	const text = serviceMessage ?? [rowText, wait].filter(Boolean).join(' and ');
	const waitInAdvice = wait && serviceMessage ? ` The service ${wait}.` : '';
	const triesInAdvice = tries > 1 ? ` It was tried ${tries} times.` : '';
	return {
		message: remarks.length > 0 ? `${text} (${remarks.join(', ')})` : text,
		advice: `${inWords(row?.advice, failure) ?? ''}${waitInAdvice}${triesInAdvice} Request: ${failure.request}.`,
	};
}

export function credentialTestText(failure: Failure): string {
	const { message } = failureTexts(failure);
	const reported = failure.serviceMessage === undefined ? '' : `${message}. `;
	// After a success status, the row's text would not fit: only the service says what is wrong.
	if (reported && saysSuccess(failure)) return `${reported}Check API Key and Base URL.`;
	const text = inWords(rowOf(failure)?.test, failure);
	return text === undefined
		? `The service could not list charges: ${message}. Check Base URL, or try again later.`
		: reported + text;
}
