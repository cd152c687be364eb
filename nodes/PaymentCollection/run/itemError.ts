import { toNodeError } from '../../shared/failures';
import { keyRemover } from '../../shared/secretTexts';
import { CREDENTIAL_NAME } from '../../shared/transport';
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
	const withoutKey = keyRemover(await keyOf(context, index));
	return toNodeError(error, context.getNode(), index, withoutKey);
}

/** Empty where the credential can't be read: then nothing was read of it before either. */
async function keyOf(context: ItemContext, index: number): Promise<string> {
	const credentials = await context
		.getCredentials(CREDENTIAL_NAME, index)
		.catch(() => ({ apiKey: '' }));
	return typeof credentials.apiKey === 'string' ? credentials.apiKey : '';
}
