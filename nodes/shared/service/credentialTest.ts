import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { API_KEY_HEADER, ENDPOINTS } from '../../../contract/endpoints';
import { clock } from '../clock';
import {
	CREDENTIAL_TEST_RULES,
	TEST_TIMEOUT_MS,
	type FailedTest,
} from '../errors/credentialTestRules';
import { ReportedError, ServiceFailure } from '../errors/failures';
import { envelopeOf } from './answers';
import { attemptOnce, type FullResponse } from './attempt';
import { wentElsewhere } from './connectionFault';
import { CredentialError, parseApiKey, parseBaseUrl } from './credentialFields';
import type { ServiceRequest } from './request';

const REQUEST: ServiceRequest = { endpoint: ENDPOINTS.chargeList, qs: { page_size: 1 } };
const PROXY_WANTS_PASSWORD = 407;

/**
 * The test of the credential, which n8n runs when it is saved: lists one charge (docs/service.md, Charges). A function
 * and not n8n's generic test, since that one sees no failure to connect (docs/n8n-engine.md, Credentials).
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const baseUrl = parseBaseUrl(data?.['baseUrl']);
		const { body, failed } = await tryToList(this, baseUrl, parseApiKey(data?.['apiKey']));
		if (failed !== undefined) return { status: 'Error', message: textOf(failed) };
		envelopeOf(body, REQUEST);
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		return { status: 'Error', message: messageOf(error) };
	}
}

const textOf = (failed: FailedTest): string =>
	CREDENTIAL_TEST_RULES.find(({ when }) => when(failed))?.text(failed) ?? failed.detail;

function messageOf(error: unknown): string {
	if (error instanceof ServiceFailure) return textOf({ ...error.failure, isProxy: false });
	// Of anything else nobody knows what its text holds.
	const isOwn = error instanceof CredentialError || error instanceof ReportedError;
	return isOwn ? error.message : `n8n could not carry out the test (${(error as Error).name})`;
}

async function tryToList(
	{ helpers }: ICredentialTestFunctions,
	baseUrl: string,
	apiKey: string,
): Promise<{ body?: unknown; failed?: FailedTest }> {
	let fault: unknown;
	const send = async (): Promise<FullResponse> => {
		const answer = helpers.request({
			method: REQUEST.endpoint.method,
			uri: baseUrl + REQUEST.endpoint.path,
			qs: { ...REQUEST.qs },
			headers: { [API_KEY_HEADER]: apiKey },
			json: true,
			followRedirect: false,
			followAllRedirects: false,
			// Every status is an answer.
			simple: false,
			resolveWithFullResponse: true,
			timeout: TEST_TIMEOUT_MS,
		}) as Promise<FullResponse>;
		answer.catch((error: unknown) => (fault = error));
		// n8n's own limit counts anew with every byte that comes.
		return await Promise.race([answer, tooLate()]);
	};
	const { body, failure } = await attemptOnce(REQUEST, 1, send, apiKey);
	if (failure === undefined) return { body };
	const isProxy = failure.status === PROXY_WANTS_PASSWORD || wentElsewhere(fault, baseUrl);
	return { failed: { ...failure, isProxy } };
}

async function tooLate(): Promise<never> {
	await clock.sleep(TEST_TIMEOUT_MS);
	throw Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });
}
