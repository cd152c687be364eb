import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';
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

/** A field of the credential that can't be used; the message says why and never holds a secret. */
export class CredentialError extends ReportedError {
	constructor(message: string) {
		super(message, 'Correct the Payment Collection API credential. Nothing was sent.');
	}
}

/** @throws {CredentialError} where an expression in the credential can't be evaluated */
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

/** What n8n does not check. A space would break every path, and a user name or a query would end up in the wrong place. */
const UNUSABLE_URLS: ReadonlyArray<[RegExp, why: string]> = [
	[/^(?!https?:\/\/[^/\\])/i, 'must begin with http:// or https:// and a host name'],
	[/[\s\\]/, 'must not contain spaces or backslashes'],
	// An @ further on is part of the path.
	[/^\w+:\/\/[^/?#]*@/, 'must not contain a user name or password'],
	[/[?#]/, 'must not contain ? or #'],
];

/**
 * Reads the credential's base URL (docs/service.md, Authentication).
 *
 * @returns the address without a trailing slash or `/v1`, for a path such as `/v1/links` to be appended
 * @throws {CredentialError} naming what is wrong
 */
export function parseBaseUrl(value: unknown): string {
	const text = textOf('Base URL', value);
	const unusable = UNUSABLE_URLS.find(([pattern]) => pattern.test(text));
	if (unusable !== undefined) throw new CredentialError(`Base URL ${unusable[1]}`);
	const url = readUrl(text);
	if (url === undefined) throw new CredentialError('Base URL is not a valid URL');
	const path = url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '');
	return url.origin + path.replace(/\/v1$/, '');
}

/** @throws {CredentialError} when it is empty, or an expression gave nothing, or no text */
function textOf(field: string, value: unknown): string {
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

/**
 * Reads the credential's key (docs/service.md, Authentication) as it may travel in a header.
 *
 * @throws {CredentialError} when it is empty or could not; the key itself is never part of the text
 */
export function parseApiKey(value: unknown): string {
	const key = textOf('API Key', value);
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new CredentialError(
			'API Key must not contain spaces, line breaks or non-ASCII characters',
		);
	}
	return key;
}

/**
 * Any error as one to be shown, without the key of an item's credential: a message names the value that it refuses, and
 * that may be anything that an expression gave.
 */
export async function withoutApiKey(
	thrown: unknown,
	context: Pick<IAllExecuteFunctions, 'getCredentials'>,
	itemIndex = 0,
): Promise<ReportedError> {
	// Where the credential can't be read, nothing was read of it before either.
	const { apiKey } = await readCredential(context, itemIndex).catch(() => ({ apiKey: '' }));
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	const withoutKey = keyRemover(key);
	return asReported(thrown, (text) => withoutCutKey(cleaned(text, withoutKey), key));
}

/** A long value is quoted by its beginning, which may end within the key. */
function withoutCutKey(text: string, key: string): string {
	if (key.length < LEAST_KEY_LENGTH) return text;
	const beginning = asPattern(key.slice(0, LEAST_KEY_LENGTH));
	return text.replace(new RegExp(`${beginning}[!-~]*…`, 'gi'), `${REDACTED}…`);
}
