import type { Failure } from './failure';
import { networkText } from './failureRules';

/** What the credential's test could find out about its one request. */
export interface FailedTest extends Failure {
	/** Whether it was n8n's proxy that could not be reached, or that refused. */
	readonly isProxy: boolean;
}

interface TestRule {
	readonly when: (failed: FailedTest) => boolean;
	/** What happened, then what to do: n8n shows one text only. */
	readonly text: (failed: FailedTest) => string;
}

/** Longest wait for the answer to a credential's test, in milliseconds: somebody sits before it. */
export const TEST_TIMEOUT_MS = 15_000;

const hasStatus =
	(...statuses: number[]) =>
	({ kind, status = 0 }: FailedTest): boolean =>
		kind === 'http' && statuses.includes(status);

const hasCode =
	(pattern: RegExp) =>
	({ kind, detail }: FailedTest): boolean =>
		kind === 'network' && pattern.test(detail);

const statusText = ({ status }: FailedTest): string =>
	status === undefined ? '' : ` (HTTP ${status})`;

/** First match wins. */
export const CREDENTIAL_TEST_RULES: readonly TestRule[] = [
	{
		when: ({ isProxy }) => isProxy,
		text: (failed) =>
			`n8n’s proxy does not let the request through${failed.kind === 'network' ? ` (${networkText(failed.detail)})` : statusText(failed)}. Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY in n8n’s environment.`,
	},
	{
		when: hasCode(/^ECONNREFUSED$/),
		text: () =>
			'The connection was refused: nothing answers at the host and port of Base URL. Check both, and whether the service is up.',
	},
	{
		when: hasCode(/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/),
		text: () =>
			'The host name in Base URL was not found. Check its spelling, and whether n8n can look it up.',
	},
	{
		when: ({ kind }) => kind === 'timeout',
		text: () =>
			`The service did not answer within ${TEST_TIMEOUT_MS / 1000} s. Check Base URL, and whether a firewall stands between n8n and the service.`,
	},
	{
		when: hasCode(/CERT|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH/),
		text: ({ detail }) =>
			`The certificate of the server is not accepted (${detail}). Check that Base URL has the host name that the certificate is for. If your company signs its own, tell n8n so with NODE_EXTRA_CA_CERTS.`,
	},
	{
		when: hasCode(/^(EPROTO|ERR_SSL)/),
		text: () =>
			'The server at Base URL does not speak HTTPS. Check the port, and whether the address begins with http://.',
	},
	{
		when: hasStatus(401),
		text: () =>
			'The service does not accept this API Key. Copy it again from the app settings of the merchant account.',
	},
	{
		when: hasStatus(403),
		text: () =>
			'The service knows this API Key, but does not let it list charges. Ask the owner of the merchant account, or use another key.',
	},
	{
		when: hasStatus(404),
		text: () =>
			'There is no payment collection service at this Base URL: it has no /v1/charges. Enter the address of the service itself.',
	},
	{
		when: ({ kind }) => kind === 'redirect',
		text: () =>
			'The Base URL redirects. Redirects are not followed, so that the API Key stays private: enter the final address.',
	},
	{
		when: ({ kind, detail }) => kind === 'malformed' && detail.includes('HTML'),
		text: () =>
			'The Base URL answers with a web page, not with a list of charges. Enter the address of the service, not that of its web site.',
	},
	{
		when: ({ kind }) => kind === 'malformed',
		text: ({ detail }) =>
			`The Base URL answers, but not with a list of charges: ${detail}. Check that it is the address of the service.`,
	},
	{
		when: ({ kind }) => kind === 'network',
		text: ({ detail }) =>
			`There is no connection to the service (${networkText(detail)}). Check Base URL, and n8n’s own connection.`,
	},
	{
		when: () => true,
		text: (failed) =>
			`The service could not list charges: ${failed.serviceMessage ?? 'it gives no reason'}${statusText(failed)}. Check Base URL, or try again later.`,
	},
];
