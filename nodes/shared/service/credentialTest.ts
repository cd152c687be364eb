import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { API_KEY_HEADER, ENDPOINTS } from '../../../contract/constants';
import { clock } from '../clock';
import { TEST_TIMEOUT_MS, credentialTestText } from '../errors/failureTable';
import { ServiceFailure } from '../errors/reportedError';
import { CredentialError, parseApiKey, parseBaseUrl } from './credential';
import { attemptOnce, tooLate, type FullResponse } from './attempt';
import type { ServiceRequest } from './request';

const REQUEST: ServiceRequest = { endpoint: ENDPOINTS.chargeList, qs: { page_size: 1 } };

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
		const apiKey = parseApiKey(data?.['apiKey']);
		const send = async (): Promise<FullResponse> => await listOne(this, baseUrl, apiKey);
		const result = await attemptOnce(REQUEST, 1, send, apiKey);
		if (result.failure !== undefined) throw new ServiceFailure(result.failure);
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		return { status: 'Error', message: messageOf(error) };
	}
}

async function listOne(
	{ helpers }: ICredentialTestFunctions,
	baseUrl: string,
	apiKey: string,
): Promise<FullResponse> {
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
	// n8n's own limit counts anew with every byte that comes.
	const limit = clock.sleep(TEST_TIMEOUT_MS).then(() => {
		throw tooLate();
	});
	return await Promise.race([answer, limit]);
}

function messageOf(error: unknown): string {
	if (error instanceof ServiceFailure) return credentialTestText(error.failure);
	// What the text of anything else contains is unknown.
	if (error instanceof CredentialError) return error.message;
	return `n8n could not carry out the test (${(error as Error).name})`;
}
