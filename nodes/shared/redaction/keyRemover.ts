import type { IAllExecuteFunctions } from 'n8n-workflow';
import { CREDENTIAL_NAME } from '../service/credentialFields';
import { NAMED_SIGNS, REDACTED } from './secretTexts';

/** A shorter key is no real one: replacing it would mangle ordinary text. */
const LEAST_KEY_LENGTH = 8;

/**
 * Takes the credential's key out of texts: in letters of either case, and as an address, a web page or JSON has it,
 * where what was escaped may have been escaped again.
 */
export function keyRemover(apiKey: string): (text: string) => string {
	if (lastRemover?.apiKey !== apiKey) lastRemover = { apiKey, remove: newKeyRemover(apiKey) };
	return lastRemover.remove;
}

/** One record after another has the same key. */
let lastRemover: { readonly apiKey: string; readonly remove: (text: string) => string } | undefined;

function newKeyRemover(apiKey: string): (text: string) => string {
	const key = apiKey.trim();
	if (key.length < LEAST_KEY_LENGTH) return (text) => text;
	const spellings = Array.from(key, spellingsOf).join('');
	const anySpelling = new RegExp(spellings, 'i');
	const everySpelling = new RegExp(spellings, 'gi');
	// No spelling is shorter than the key itself. By far most texts hold none, and to test them takes a third of the time.
	return (text) =>
		text.length >= key.length && anySpelling.test(text)
			? text.replace(everySpelling, REDACTED)
			: text;
}

function spellingsOf(sign: string): string {
	if (/[\da-z]/i.test(sign)) return sign;
	const code = sign.codePointAt(0) ?? 0;
	const hex = code.toString(16).padStart(2, '0');
	const [name = `#${code}`] = Object.entries(NAMED_SIGNS).find(([, named]) => named === sign) ?? [];
	const plain = sign.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
	const inPage = `&(?:amp;){0,3}(?:#0*${code}|#x0*${hex}|${name});`;
	return `(?:\\\\{0,7}${plain}|${inPage}|%(?:25){0,3}${hex}|\\\\{1,7}u00${hex})`;
}

/**
 * The same for the credential of an item. A message names the value that it refuses, and that may be anything that an
 * expression gave.
 */
export async function apiKeyRemover(
	context: Pick<IAllExecuteFunctions, 'getCredentials'>,
	itemIndex = 0,
): Promise<(text: string) => string> {
	// Where the credential can't be read, nothing was read of it before either.
	const { apiKey } = await context
		.getCredentials(CREDENTIAL_NAME, itemIndex)
		.catch(() => ({ apiKey: '' }));
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	const withoutKey = keyRemover(key);
	return (text) => withoutCutKey(withoutKey(text), key);
}

/** A long value is quoted by its beginning, which may end within the key. */
function withoutCutKey(text: string, key: string): string {
	const cut = text.indexOf('…');
	const quoted = text.slice(0, Math.max(cut, 0)).toLowerCase();
	for (let length = key.length - 1; length >= LEAST_KEY_LENGTH; length -= 1) {
		if (!quoted.endsWith(key.slice(0, length).toLowerCase())) continue;
		return text.slice(0, cut - length) + REDACTED + text.slice(cut);
	}
	return text;
}
