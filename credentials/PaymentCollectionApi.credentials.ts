import type {
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { API_KEY_HEADER, ENDPOINTS } from '../contract/endpoints';
import { parseApiKey, parseBaseUrl, readUrl } from '../nodes/shared/service/credentialFields';

/**
 * n8n's older request form, which the HTTP Request node still uses: other names for the address and for
 * what to do with redirects.
 */
interface LegacyRequestOptions {
	uri?: string | URL;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
}

/**
 * Adds the API key (docs/service.md, Authentication) to requests that go to the service
 * itself, and to no others. A redirect would carry the header to whatever host it names (n8n removes it for
 * neither of its two request forms), so redirects are off.
 *
 * A function and not the generic form: that one evaluates an expression in an isolate for every request. It gives
 * back a copy: the options belong to the caller, who may use them again for another address.
 */
async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const serviceUrl = parseBaseUrl(credentials['baseUrl']);
	const options: IHttpRequestOptions & LegacyRequestOptions = {
		...requestOptions,
		disableFollowRedirect: true,
		maxRedirects: 0,
		followRedirect: false,
		followAllRedirects: false,
	};
	// The credential test's own base URL comes from the field as it was typed: use the checked one.
	if (options.baseURL !== undefined && options.baseURL === credentials['baseUrl']) {
		options.baseURL = serviceUrl;
	}
	const target = requestTarget(options);
	if (target !== undefined && target.origin === readUrl(serviceUrl)?.origin) {
		options.headers = { ...options.headers, [API_KEY_HEADER]: parseApiKey(credentials['apiKey']) };
	}
	return options;
}

/** Where n8n's HTTP client will send the request: an absolute address wins, any other is appended to baseURL. */
function requestTarget(options: IHttpRequestOptions & LegacyRequestOptions): URL | undefined {
	const address = String(options.url || options.uri || '');
	const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(address);
	if (isAbsolute || !options.baseURL) return readUrl(address);
	return readUrl(`${options.baseURL.replace(/\/+$/, '')}/${address.replace(/^\/+/, '')}`);
}

const STATUS_TEXTS: ReadonlyArray<readonly [statuses: readonly number[], message: string]> = [
	[[401], 'The service does not accept this API Key. Copy it again from the app settings.'],
	[[403], 'The service knows this API Key, but does not let it list charges.'],
	[[404], 'There is no payment collection service at this Base URL: /v1/charges was not found.'],
	[
		[301, 302, 303, 307, 308],
		'The Base URL redirects. Redirects are not followed, so that the API Key stays private: enter the final address.',
	],
];

const statusRules = STATUS_TEXTS.flatMap(([statuses, message]) =>
	statuses.map(
		(value): IAuthenticateRuleResponseCode => ({
			type: 'responseCode',
			properties: { value, message },
		}),
	),
);

/** n8n takes any 2xx for a success, a web page included; an answer without `results` is no charge list. */
const chargeListRule: IAuthenticateRuleResponseSuccessBody = {
	type: 'responseSuccessBody',
	properties: {
		key: 'results',
		value: undefined,
		message:
			'The Base URL answers, but not with a list of charges. Is it the address of the service, or of a web page?',
	},
};

export class PaymentCollectionApi implements ICredentialType {
	name = 'paymentCollectionApi';

	displayName = 'Payment Collection API';

	icon = {
		light: 'file:../icons/paymentCollection.svg',
		dark: 'file:../icons/paymentCollection.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-payment-collection/n8n-nodes-payment-collection#the-credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://api.example.com',
			description: 'Address of the payment collection service, without /v1 at the end',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Key for programmatic access, from the app settings of your merchant account',
		},
	];

	authenticate = authenticate;

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl }}',
			url: ENDPOINTS.chargeList.path,
			qs: { page_size: 1 },
			disableFollowRedirect: true,
			json: true,
		},
		// n8n's type wants rules of one kind only, its credential tester takes both kinds.
		rules: [...statusRules, chargeListRule] as IAuthenticateRuleResponseCode[],
	};
}
