import { findNumbers } from './cardNumbers';
import { digitsOf, type Span } from './digits';
import { LEAST_WORD_LENGTH, findWords } from './secretWords';

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

/** A shorter text can't hold any of them. */
export const mayHoldSecret = (text: string): boolean => text.length >= LEAST_WORD_LENGTH;

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
