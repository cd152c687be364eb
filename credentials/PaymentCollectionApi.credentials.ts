import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { API_KEY_HEADER } from '../contract/constants';
import { parseApiKey, parseBaseUrl, readUrl } from '../nodes/shared/service/credential';

/** n8n's older request form, which the HTTP Request node still uses, with other names for the URL and for redirects. */
interface LegacyRequestOptions {
	uri?: string | URL;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
	/** Newer versions have it in both forms. */
	maxRedirects?: number;
}

/**
 * Adds the API key (docs/service.md, Authentication) only to requests to the service itself. n8n never removes the header
 * from a redirect, which can name any host, so redirects are off. n8n's generic form would evaluate an expression in an
 * isolate for every request. Returns a copy: the caller can reuse the options for another URL.
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
	// n8n passes the field as it was typed: use the checked URL.
	if (options.baseURL !== undefined && options.baseURL === credentials['baseUrl']) {
		options.baseURL = serviceUrl;
	}
	const target = requestTarget(options);
	if (target !== undefined && target.origin === readUrl(serviceUrl)?.origin) {
		options.headers = { ...options.headers, [API_KEY_HEADER]: parseApiKey(credentials['apiKey']) };
	}
	return options;
}

/** Resolves as n8n's HTTP client does: an absolute URL wins, any other is appended to baseURL. */
function requestTarget(options: IHttpRequestOptions & LegacyRequestOptions): URL | undefined {
	const address = String(options.url || options.uri || '');
	const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(address);
	if (isAbsolute || !options.baseURL) return readUrl(address);
	return readUrl(`${options.baseURL.replace(/(?<!\/)\/+$/, '')}/${address.replace(/^\/+/, '')}`);
}

/** The test is in nodes/shared/service/credentialTest.ts. n8n would prefer one from here, so there is none. */
export class PaymentCollectionApi implements ICredentialType {
	name = 'paymentCollectionApi';

	displayName = 'Payment Collection API';

	icon = {
		light: 'file:../icons/paymentCollection.svg',
		dark: 'file:../icons/paymentCollection.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-payment-collection/n8n-nodes-payment-collection#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'URL of the payment collection service, with or without /v1 at the end',
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
}
