import { toNodeError } from '../../shared/errors/failures';
import { LEAST_TO_REPLACE, REDACTED, keyRemover } from '../../shared/redaction/secretTexts';
import { CREDENTIAL_NAME } from '../../shared/service/transport';
import type { ItemContext } from './item';

/**
 * An error of one item as n8n shows it, without the credential's key: a message names the value that it refuses, and
 * that may be anything that an expression gave.
 */
export async function itemError(
	error: unknown,
	context: ItemContext,
	index: number,
): Promise<Error> {
	const key = (await keyOf(context, index)).trim();
	const withoutKey = keyRemover(key);
	const clean = (text: string): string => withoutCutKey(withoutKey(text), key);
	return toNodeError(error, context.getNode(), index, clean);
}

/** Empty where the credential can't be read: then nothing was read of it before either. */
async function keyOf(context: ItemContext, index: number): Promise<string> {
	const credentials = await context
		.getCredentials(CREDENTIAL_NAME, index)
		.catch(() => ({ apiKey: '' }));
	return typeof credentials.apiKey === 'string' ? credentials.apiKey : '';
}

/** A long value is shown by its beginning, which may end within the key. */
function withoutCutKey(text: string, key: string): string {
	const cut = text.indexOf('…');
	if (cut < 0) return text;
	const shown = text.slice(0, cut).toLowerCase();
	for (let length = key.length - 1; length >= LEAST_TO_REPLACE; length--) {
		if (!shown.endsWith(key.slice(0, length).toLowerCase())) continue;
		return text.slice(0, cut - length) + REDACTED + text.slice(cut);
	}
	return text;
}
