import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/constants';
import { ReportedError, asReported } from '../errors/reportedError';
import {
	LEAST_KEY_LENGTH,
	REDACTED,
	asPattern,
	cleaned,
	keyRemover,
} from '../redaction/secretTexts';
import { asError } from '../values';

export const CREDENTIAL_NAME = 'paymentCollectionApi';

/** The message never contains a secret. */
export class CredentialError extends ReportedError {
	constructor(message: string) {
		super(message, 'Correct the Payment Collection API credential. Nothing was sent.');
	}
}

/** @throws {CredentialError} if an expression can't be evaluated */
export async function readCredential(
	context: Pick<IAllExecuteFunctions, 'getCredentials'>,
	itemIndex = 0,
): Promise<ICredentialDataDecryptedObject> {
	return await context.getCredentials(CREDENTIAL_NAME, itemIndex).catch((error: unknown) => {
		const { name, message } = asError(error);
		if (name !== 'ExpressionError') throw error;
		throw new CredentialError(
			`An expression in the credential can’t be evaluated: ${message}. It may need input items, which triggers and dropdown lists don’t have`,
		);
	});
}

/** n8n checks none of these. A space would break every path, and a user name or a query would end up in the wrong place. */
const UNUSABLE_URLS: ReadonlyArray<[RegExp, why: string]> = [
	[/^(?!https?:\/\/[^/\\])/i, 'must begin with http:// or https:// and a host name'],
	[/[\s\\]/, 'must not contain spaces or backslashes'],
	// A later @ is part of the path.
	[/^\w+:\/\/[^/?#]*@/, 'must not contain a user name or password'],
	[/[?#]/, 'must not contain ? or #'],
];

const NAMES = Object.values(ENDPOINTS).map(({ path }) => path.split('/')[2]);
const ENDPOINT_PATH = new RegExp(`/v1/(?:${NAMES.join('|')})(?:/[^/]*)?$`, 'i');

/** Removes a trailing slash and `/v1` (docs/service.md, Authentication). @throws {CredentialError} naming what is wrong */
export function parseBaseUrl(value: unknown): string {
	const text = enteredText('Base URL', value);
	const unusable = UNUSABLE_URLS.find(([pattern]) => pattern.test(text));
	if (unusable !== undefined) throw new CredentialError(`Base URL ${unusable[1]}`);
	const url = readUrl(text);
	if (url === undefined) throw new CredentialError('Base URL is not a valid URL');
	const path = url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '');
	const endpoint = ENDPOINT_PATH.exec(path)?.[0];
	if (endpoint !== undefined)
		throw new CredentialError(`Base URL contains the path of an endpoint: remove ${endpoint}`);
	return url.origin + path.replace(/\/v1$/, '');
}

/** @throws {CredentialError} if it is empty or no text */
function enteredText(field: string, value: unknown): string {
	if (value === undefined || value === null)
		throw new CredentialError(`${field} is empty: its expression returned nothing`);
	// A number may have lost digits already.
	if (typeof value !== 'string')
		throw new CredentialError(`${field} must be a text, not a value of type ${typeof value}`);
	if (value.trim() === '') throw new CredentialError(`${field} is empty`);
	return value.trim();
}

export const readUrl = (text: string): URL | undefined =>
	URL.canParse(text) ? new URL(text) : undefined;

/** A key that can be sent in a header (docs/service.md, Authentication). @throws {CredentialError} without the key itself */
export function parseApiKey(value: unknown): string {
	const key = enteredText('API Key', value);
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new CredentialError(
			'API Key must not contain spaces, line breaks or non-ASCII characters',
		);
	}
	return key;
}

/** Removes the credential's key from an error: messages quote refused values, which can be anything. */
export async function withoutApiKey(
	thrown: unknown,
	context: Pick<IAllExecuteFunctions, 'getCredentials'>,
	itemIndex = 0,
): Promise<ReportedError> {
	// If the credential can't be read now, its key was not read before either.
	const { apiKey } = await readCredential(context, itemIndex).catch(() => ({ apiKey: '' }));
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	const withoutKey = keyRemover(key);
	return asReported(thrown, (text) => withoutCutKey(cleaned(text, withoutKey), key));
}

/** A message quotes the beginning of a long value, so the key in it may be cut off. */
function withoutCutKey(text: string, key: string): string {
	if (key.length < LEAST_KEY_LENGTH) return text;
	const beginning = asPattern(key.slice(0, LEAST_KEY_LENGTH));
	return text.replace(new RegExp(`${beginning}[!-~]*…`, 'gi'), `${REDACTED}…`);
}
