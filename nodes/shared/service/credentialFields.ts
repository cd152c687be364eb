import { ReportedError } from '../errors/failure';

export const CREDENTIAL_NAME = 'paymentCollectionApi';

/** A field of the credential that can't be used; the message says why and never holds a secret. */
export class CredentialError extends ReportedError {
	constructor(message: string) {
		super(message, 'Correct the Payment Collection API credential. Nothing was sent.');
	}
}

/**
 * Reads the credential's base address (docs/service.md, Authentication). n8n does not check it: a
 * trailing space would break every path, `//` the URL, and user info or a query would end up in the wrong place.
 *
 * @returns the address without a trailing slash or `/v1`, for a path such as `/v1/links` to be appended
 * @throws {CredentialError} naming what is wrong
 */
export function parseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw new CredentialError('Base URL is empty');
	if (!/^https?:\/\/[^/\\]/i.test(text)) {
		throw new CredentialError('Base URL must begin with http:// or https:// and a host name');
	}
	if (/[\s\\]/.test(text))
		throw new CredentialError('Base URL must not contain spaces or backslashes');
	const url = readUrl(text);
	if (url === undefined) throw new CredentialError('Base URL is not a valid URL');
	// An @ further on is part of the path.
	const host = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
	if (url.username !== '' || url.password !== '' || host.includes('@')) {
		throw new CredentialError('Base URL must not contain a user name or password');
	}
	if (/[?#]/.test(text)) throw new CredentialError('Base URL must not contain ? or #');
	const path = url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '');
	return url.origin + path.replace(/\/v1$/, '');
}

/** The URL, or undefined when it can't be read. */
export function readUrl(text: unknown, base?: string): URL | undefined {
	try {
		return new URL(String(text), base);
	} catch {
		return undefined;
	}
}

/**
 * Reads the credential's key (docs/service.md, Authentication) as it may travel in a header.
 *
 * @throws {CredentialError} when it is empty or could not; the key itself is never part of the text
 */
export function parseApiKey(value: unknown): string {
	// It may have lost digits already.
	if (typeof value === 'number') throw new CredentialError('API Key must be a text, not a number');
	const key = typeof value === 'string' ? value.trim() : '';
	if (key === '') throw new CredentialError('API Key is empty');
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new CredentialError(
			'API Key must not contain spaces, line breaks or non-ASCII characters',
		);
	}
	return key;
}
