import type { IAllExecuteFunctions } from 'n8n-workflow';
import { keyRemover } from '../redaction/keyRemover';
import { LEAST_TO_REPLACE, REDACTED } from '../redaction/secretTexts';
import { CREDENTIAL_NAME } from '../service/credentialFields';

/**
 * Takes the credential's key out of texts: a message names the value that it refuses, and that may be anything that an
 * expression gave.
 */
export async function apiKeyRemover(
	context: Pick<IAllExecuteFunctions, 'getCredentials'>,
	itemIndex = 0,
): Promise<(text: string) => string> {
	// Where the credential can't be read, nothing was read of it before either.
	const credentials = await context
		.getCredentials(CREDENTIAL_NAME, itemIndex)
		.catch(() => ({ apiKey: '' }));
	const key = typeof credentials.apiKey === 'string' ? credentials.apiKey.trim() : '';
	const withoutKey = keyRemover(key);
	return (text) => withoutCutKey(withoutKey(text), key);
}

/** A long value is quoted by its beginning, which may end within the key. */
function withoutCutKey(text: string, key: string): string {
	const cut = text.indexOf('…');
	if (cut < 0) return text;
	const quoted = text.slice(0, cut).toLowerCase();
	for (let length = key.length - 1; length >= LEAST_TO_REPLACE; length--) {
		if (!quoted.endsWith(key.slice(0, length).toLowerCase())) continue;
		return text.slice(0, cut - length) + REDACTED + text.slice(cut);
	}
	return text;
}
