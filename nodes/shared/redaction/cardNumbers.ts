/**
 * Card numbers in texts, however they are spelled: with spaces, dashes, dots or other characters between the digits,
 * escaped, and whatever the digits look like, see readings.ts and digits.ts. Every function takes as many steps as the
 * text is long, whatever stands in it.
 */

import { lazyPattern } from '../lazyPattern';
import {
	ZERO,
	digitsOf,
	mayHoldDigits,
	plainDigitsOf,
	spanOf,
	type Digits,
	type Span,
} from './digits';
import { decodedReadingsOf, readingsOf, type Reading } from './readings';

/** Digits of a card number. */
const CARD_NUMBER_DIGITS = { least: 12, most: 19 } as const;
/** Each digit may be an escape of a dozen characters, with others between them. */
const LONGEST_NUMBER = 1_000;
/** A shorter one is too easily guessed where nothing says that it is one. */
const LEAST_DIGITS_TO_GUESS = 13;
/** Between two digits of one number: markup such as `</b>`, or a word. Other characters may stand there in any number. */
const MAX_LETTERS_BETWEEN = 8;
/** Between two groups of digits of a number that is guessed. */
const MAX_SEPARATOR_LENGTH = 40;

/** Where the digits of these numbers stand, in any spelling. @param numbers each of 12 to 19 digits */
export function findNumbers(text: string, numbers: readonly string[]): Span[] {
	if (numbers.length === 0 || !mayHoldDigits(text, CARD_NUMBER_DIGITS.least)) return [];
	// Many texts hold a dozen digits, and by far most of them others than these.
	const plain = plainDigitsOf(text);
	if (plain !== undefined && !numbers.some((number) => plain.includes(number))) return [];
	return readingsOf(text).flatMap((reading) => {
		const digits = digitsOf(reading);
		const runs = runsOf(digits);
		return numbers.flatMap((number) =>
			partsWith(number, digits, runs).map(({ start, end }) =>
				spanOf(reading, digits, start, end - start),
			),
		);
	});
}

/** For each digit: the first one from which on no two have more between them than may stand inside of a number. */
function runsOf({ lettersBefore }: Digits): Int32Array {
	const runs = new Int32Array(lettersBefore.length);
	for (let index = 1; index < runs.length; index++) {
		const between = (lettersBefore[index] ?? 0) - (lettersBefore[index - 1] ?? 0);
		runs[index] = between > MAX_LETTERS_BETWEEN ? index : (runs[index - 1] ?? 0);
	}
	return runs;
}

/** Which of the digits belong to a number. Where it stands over itself, that is one part. */
function partsWith(number: string, { text }: Digits, runs: Int32Array): Span[] {
	const parts: Array<{ start: number; end: number }> = [];
	let start = text.indexOf(number);
	for (; start >= 0; start = text.indexOf(number, start + 1)) {
		const end = start + number.length;
		if ((runs[end - 1] ?? 0) > start) continue;
		const last = parts.at(-1);
		if (last !== undefined && start <= last.end) last.end = end;
		else parts.push({ start, end });
	}
	return parts;
}

/** The digits of a text that is a card number and nothing else, in whichever way it is read. */
export function numberOf(text: string): string | undefined {
	const { least, most } = CARD_NUMBER_DIGITS;
	// A longer text is something else, however it is read.
	if (text.length > LONGEST_NUMBER || !mayHoldDigits(text, least)) return undefined;
	if (text.length <= most && /^\d+$/.test(text)) return text;
	return readingsOf(text)
		.map(digitsOf)
		.find(({ letters, text: { length } }) => letters === 0 && length >= least && length <= most)
		?.text;
}

/** Digits that stand side by side, and what stands between them and the group before. */
interface Group {
	/** Index of its first digit, and how many it has. */
	readonly first: number;
	count: number;
	/** Undefined where it could not stand inside of one number. */
	readonly separator: string | undefined;
}

/** A card number that was guessed: its digits, and where they stand. */
export interface GuessedNumber extends Span {
	readonly number: string;
}

/**
 * Where a card number may stand in a text of which nothing is known: 13 to 19 digits with a right check digit, in one
 * piece or in groups with the same kind of separator between each two.
 */
export function guessNumbers(text: string): GuessedNumber[] {
	if (!mayHoldDigits(text, LEAST_DIGITS_TO_GUESS)) return [];
	// Escapes have digits of their own, which are none of the text's.
	return decodedReadingsOf(text).flatMap(guessIn);
}

function guessIn(reading: Reading): GuessedNumber[] {
	const digits = digitsOf(reading);
	const groups = groupsOf(reading.text, digits);
	const isRight = checkDigitsOf(digits.text);
	const found: GuessedNumber[] = [];
	groups.forEach(({ first }, index) => {
		let count = 0;
		const joint = groups[index + 1]?.separator;
		for (let last = index; last < groups.length; last++) {
			const group = groups[last];
			const isJoined = last === index || (joint !== undefined && group?.separator === joint);
			if (group === undefined || !isJoined) break;
			count += group.count;
			if (count > CARD_NUMBER_DIGITS.most) break;
			if (count >= LEAST_DIGITS_TO_GUESS && isRight(first, count)) {
				const number = digits.text.slice(first, first + count);
				found.push({ number, ...spanOf(reading, digits, first, count) });
			}
		}
	});
	return found;
}

function groupsOf(text: string, { from, to }: Digits): Group[] {
	const groups: Group[] = [];
	from.forEach((start, index) => {
		const end = to[index - 1];
		const last = groups.at(-1);
		if (end === start && last !== undefined) last.count += 1;
		else groups.push({ first: index, count: 1, separator: separatorOf(text, end, start) });
	});
	return groups;
}

const A_LETTER = lazyPattern(String.raw`\p{L}`, 'u');
/** Spaces, dashes and what can't be seen: whoever writes a number mixes them. */
const SPACES_AND_DASHES = lazyPattern(String.raw`^[\s\p{Z}\p{Pd}\p{Cf}\u2212\u00b7]*$`, 'u');

/**
 * What stands between two groups. Undefined where it could not stand inside of one number: where it is
 * too long, or has letters in it.
 */
function separatorOf(text: string, end: number | undefined, start: number): string | undefined {
	if (end === undefined || start - end > MAX_SEPARATOR_LENGTH) return undefined;
	const between = text.slice(end, start);
	if (SPACES_AND_DASHES().test(between)) return ' ';
	return A_LETTER().test(between) ? undefined : between;
}

/**
 * The check of Luhn, so that reference numbers of the same length stay readable, for any part of some digits at once:
 * every second digit counts double, seen from the last one, so that there are two sums.
 */
function checkDigitsOf(digits: string): (first: number, count: number) => boolean {
	const sums = [0, 1].map((parity) => {
		const upTo = new Int32Array(digits.length + 1);
		for (let index = 0; index < digits.length; index++) {
			const digit = digits.charCodeAt(index) - ZERO;
			const doubled = index % 2 === parity ? digit : digit * 2;
			upTo[index + 1] = (upTo[index] ?? 0) + (doubled > 9 ? doubled - 9 : doubled);
		}
		return upTo;
	});
	return (first, count) => {
		const sum = sums[(first + count - 1) % 2];
		return ((sum?.[first + count] ?? 0) - (sum?.[first] ?? 0)) % 10 === 0;
	};
}
