import { findNumbers } from './cardNumbers';
import { digitsOf } from './digits';
import type { Span } from './digits';
import { findWords } from './secretWords';

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

/** More of them than can be looked for. */
export const areTooMany = ({ numbers, words }: Secrets): boolean =>
	numbers.length + words.length > MOST_SECRETS;

/** The text without these secrets. Where there are more of them than can be looked for, nothing of the text is left. */
export function withoutSecrets(text: string, secrets: Secrets): string {
	return text !== '' && areTooMany(secrets)
		? REDACTED
		: withoutWords(text, secrets.words, findNumbers(text, secrets.numbers));
}

/** The text without these words, and without other parts of it. */
export const withoutWords = (
	text: string,
	words: readonly string[],
	others: readonly Span[] = [],
): string => withoutSpans(text, [...others, ...findWords(text, words)]);

/** Where card numbers stand in each of some texts, also one that is divided among several of them, in their order. */
export function spansOfNumbers(texts: readonly string[], numbers: readonly string[]): Span[][] {
	const spans = findNumbers(texts.join('\n'), numbers).sort(
		(one, other) => one.start - other.start,
	);
	const found: Span[][] = texts.map(() => []);
	let first = 0;
	let offset = 0;
	texts.forEach((text, index) => {
		const end = offset + text.length;
		// What follows begins no earlier, so that this one is in none of the texts that come.
		while ((spans[first]?.end ?? end) <= offset && first < spans.length) first += 1;
		for (let at = first; (spans[at]?.start ?? end) < end; at += 1) {
			const span = spans[at] ?? { start: 0, end: 0 };
			const isWhole = span.start >= offset && span.end <= end;
			const part = {
				start: Math.max(0, span.start - offset),
				end: Math.min(end, span.end) - offset,
			};
			if (isWhole) found[index]?.push(part);
			else found[index]?.push(...digitsIn(text, part));
		}
		offset = end + 1;
	});
	return found;
}

/** From the first to the last digit of a part of a text. */
function digitsIn(text: string, { start, end }: Span): Span[] {
	const { from, to } = digitsOf({ text: text.slice(start, end) });
	const [first] = from;
	const last = to.at(-1);
	return first === undefined || last === undefined
		? []
		: [{ start: start + first, end: start + last }];
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
function spellingsOf(secret: string): string[] {
	// Half of a character outside of Unicode's first plane can't be encoded.
	const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
	const lower = encoded.replace(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase());
	return [...new Set([secret, encoded, lower])];
}

/** Takes the credential's key out of texts: wherever it stands, in any of its spellings. */
export function keyRemover(apiKey: string): (text: string) => string {
	if (lastRemover.apiKey !== apiKey) lastRemover = { apiKey, remove: newKeyRemover(apiKey) };
	return lastRemover.remove;
}

/** One record after another has the same key. */
let lastRemover = { apiKey: '', remove: (text: string): string => text };

function newKeyRemover(apiKey: string): (text: string) => string {
	const key = apiKey.trim();
	if (key.length < LEAST_TO_REPLACE) return (text) => text;
	const inCode = inBase64(key);
	const known = keyPattern(key);
	return (text) =>
		// No spelling is shorter than the key itself.
		text.length < key.length
			? text
			: inCode
					.reduce((rest, code) => rest.replaceAll(code, REDACTED), text)
					.replace(known, REDACTED);
}

/** As a text, an address or JSON has it, in letters of either case. */
function keyPattern(key: string): RegExp {
	const json = JSON.stringify(key).slice(1, -1);
	const patterns = [...spellingsOf(key), json, JSON.stringify(json).slice(1, -1)].map((text) =>
		text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&'),
	);
	return new RegExp([...new Set(patterns)].join('|'), 'gi');
}

/**
 * The middle of a text as Base64 has it, in its two alphabets. Three characters become four, so it depends on how many
 * stand before it: none, one, or two more than a multiple of three. What its neighbours have a part in is left out.
 */
function inBase64(text: string): string[] {
	const codes = [0, 1, 2].map((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
		const code = bytes.toString('base64').replace(/=+$/, '');
		const isPartOfNext = bytes.length % 3 !== 0;
		return code.slice([0, 2, 3][before], isPartOfNext ? -1 : undefined);
	});
	const inAddresses = codes.map((code) => code.replace(/\+/g, '-').replace(/\//g, '_'));
	return [...new Set([...codes, ...inAddresses])];
}
