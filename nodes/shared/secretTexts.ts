import { findNumbers } from './cardNumbers';
import type { Span } from './digits';
import { findWord } from './secretWords';

export const REDACTED = '[redacted]';

/** A shorter key is no real one, a shorter word after `token:` no token; replacing it would mangle ordinary text. */
export const LEAST_TO_REPLACE = 8;
/** More than any record of the contract holds. Each costs a look at every text, so there must be an end to it. */
const MOST_SECRETS = 20;

/** What must not stand in a text. */
export interface Secrets {
	/** Digits of card numbers, found in any spelling. */
	readonly numbers: readonly string[];
	/** Tokens and codes in all their spellings, found as whole words. */
	readonly words: readonly string[];
}

/** The text without these secrets. Where there are more of them than can be looked for, nothing of the text is left. */
export function withoutSecrets(text: string, { numbers, words }: Secrets): string {
	const count = numbers.length + words.length;
	if (count === 0 || text === '') return text;
	if (count > MOST_SECRETS) return REDACTED;
	return withoutSpans(text, [
		...findNumbers(text, numbers),
		...words.flatMap((word) => findWord(text, word)),
	]);
}

export function withoutSpans(text: string, spans: readonly Span[]): string {
	if (spans.length === 0) return text;
	const parts: string[] = [];
	let done = 0;
	for (const { start, end } of [...spans].sort((one, other) => one.start - other.start)) {
		if (start >= done) parts.push(text.slice(done, start), REDACTED);
		done = Math.max(done, end);
	}
	parts.push(text.slice(done));
	return parts.join('');
}

/** As it is, and as it stands in an address, where the letters of an escape may be of either case. */
export function spellingsOf(secret: string): string[] {
	// Half of a character outside of Unicode's first plane can't be encoded.
	const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
	const lower = encoded.replace(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase());
	return [...new Set([secret, encoded, lower])];
}

/** Takes the credential's key out of texts: wherever it stands, in any of its spellings. */
export function keyRemover(apiKey: string): (text: string) => string {
	const key = apiKey.trim();
	if (key.length < LEAST_TO_REPLACE) return (text) => text;
	const spellings = spellingsOf(key);
	return (text) => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, REDACTED), text);
}
