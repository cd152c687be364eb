import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { API_KEY_HEADER, ENDPOINTS } from '../../../contract/constants';
import { clock } from '../clock';
import { TEST_TIMEOUT_MS, credentialTestText } from '../errors/failureTable';
import { CredentialError, parseApiKey, parseBaseUrl } from './credential';
import { tryOnce, tooLate, type FullResponse } from './tryOnce';
import type { ServiceRequest } from './request';

const REQUEST: ServiceRequest = { endpoint: ENDPOINTS.chargeList, qs: { page_size: 1 } };

/** Lists one charge (docs/service.md, Charges). n8n's generic test shows only a code for a failed connection (docs/n8n-engine.md). */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const baseUrl = parseBaseUrl(data?.['baseUrl']);
		const apiKey = parseApiKey(data?.['apiKey']);
		const send = async (): Promise<FullResponse> => await listOne(this, baseUrl, apiKey);
		const { failure } = await tryOnce(REQUEST, 1, send, { apiKey, baseUrl });
		if (failure === undefined) return { status: 'OK', message: 'Connection successful!' };
		return { status: 'Error', message: credentialTestText(failure) };
	} catch (error) {
		if (error instanceof CredentialError) return { status: 'Error', message: error.message };
		// Any other message can contain anything.
		const { name } = error as Error;
		return { status: 'Error', message: `n8n could not carry out the test (${name})` };
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
	// n8n's own limit starts again with every byte that arrives.
	const limit = clock.sleep(TEST_TIMEOUT_MS).then(() => {
		throw tooLate();
	});
	return await Promise.race([answer, limit]);
}
