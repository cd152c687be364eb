import { lazyPattern } from '../lazyPattern';
import type { Span } from './digits';
import { endOf, readingsOf, startOf } from './readings';

/** A shorter secret is an ordinary word or number that may stand anywhere. */
export const LEAST_WORD_LENGTH = 12;

const LETTER_OR_DIGIT = lazyPattern(String.raw`^[\p{L}\p{N}]`, 'u');
const FIRST_NON_ASCII = 0x80;
const isAsciiLetterOrDigit = (code: number): boolean =>
	(code > 0x2f && code < 0x3a) || (code > 0x40 && code < 0x5b) || (code > 0x60 && code < 0x7b);

/** Where secrets stand in a text as words of their own, escaped or not. */
export function findWords(text: string, words: readonly string[]): Span[] {
	if (words.every((word) => word.length > text.length)) return [];
	return readingsOf(text).flatMap((reading) =>
		words.flatMap((word) =>
			findWord(reading.text, word).map(({ start, end }) => ({
				start: startOf(reading, start),
				end: endOf(reading, end - 1),
			})),
		),
	);
}

/**
 * Where a secret stands in a text as a word of its own. Takes as many steps as both are long, also for secrets and
 * texts that were made to repeat themselves (Knuth, Morris and Pratt): a step back in the text is never taken.
 */
export function findWord(text: string, word: string): Span[] {
	// By far most texts hold none, and n8n's own engine is the fastest at telling so.
	if (!text.includes(word.slice(0, LEAST_WORD_LENGTH))) return [];
	const fallbacks = fallbacksOf(word);
	const spans: Span[] = [];
	let matched = 0;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		while (matched > 0 && word.charCodeAt(matched) !== code) matched = fallbacks[matched - 1] ?? 0;
		if (word.charCodeAt(matched) === code) matched += 1;
		if (matched < word.length) continue;
		const span = { start: index + 1 - word.length, end: index + 1 };
		if (isWholeWord(text, span)) spans.push(span);
		matched = fallbacks[matched - 1] ?? 0;
	}
	return spans;
}

/** For each beginning of the word: how long a shorter beginning its end repeats. */
function fallbacksOf(word: string): number[] {
	const fallbacks = [0];
	let matched = 0;
	for (let index = 1; index < word.length; index++) {
		const code = word.charCodeAt(index);
		while (matched > 0 && word.charCodeAt(matched) !== code) matched = fallbacks[matched - 1] ?? 0;
		if (word.charCodeAt(matched) === code) matched += 1;
		fallbacks.push(matched);
	}
	return fallbacks;
}

function isWholeWord(text: string, { start, end }: Span): boolean {
	return (
		!(isWordSign(text, start) && isWordSign(text, start - 1)) &&
		!(isWordSign(text, end - 1) && isWordSign(text, end))
	);
}

/** Whether a letter or digit stands there. */
function isWordSign(text: string, index: number): boolean {
	const code = text.charCodeAt(index);
	if (code < FIRST_NON_ASCII) return isAsciiLetterOrDigit(code);
	// Either half of a character may be meant; past an end of the text there is none.
	const isSecondHalf = code >= 0xdc00 && code < 0xe000;
	return LETTER_OR_DIGIT().test(text.slice(isSecondHalf ? index - 1 : index, index + 2));
}
