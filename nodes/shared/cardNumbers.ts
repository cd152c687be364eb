/**
 * Card numbers in texts, however they are spelled: with spaces, dashes, dots or other characters between the digits,
 * and whatever the digits look like, see digits.ts. Every function takes as many steps as the text is long, whatever
 * stands in it.
 */

import { ZERO, digitsOf, mayHoldDigits } from './digits';
import type { DigitAt, Digits, Span } from './digits';

/** Digits of a card number. */
export const CARD_NUMBER_DIGITS = { least: 12, most: 19 } as const;
/** A shorter one is too easily guessed where nothing says that it is one. */
const LEAST_DIGITS_TO_GUESS = 13;
/** Between two digits of one number: markup such as `</b>`, or a word. Other characters may stand there in any number. */
const MAX_LETTERS_BETWEEN = 8;
/** Between two groups of digits of a number that is guessed: the longest escape of one character. */
const MAX_SEPARATOR_LENGTH = 12;

/** Where the digits of these numbers stand, in any spelling. @param numbers each of 12 to 19 digits */
export function findNumbers(text: string, numbers: readonly string[]): Span[] {
	if (numbers.length === 0 || !mayHoldDigits(text, CARD_NUMBER_DIGITS.least)) return [];
	const digits = digitsOf(text);
	return numbers.flatMap((number) => {
		const spans: Span[] = [];
		let first = digits.text.indexOf(number);
		for (; first >= 0; first = digits.text.indexOf(number, first + 1)) {
			const found = digits.at.slice(first, first + number.length);
			if (standTogether(found)) spans.push(spanOf(found));
		}
		return spans;
	});
}

const standTogether = (digits: readonly DigitAt[]): boolean =>
	digits.every(
		({ lettersBefore }, index) =>
			lettersBefore - (digits[index - 1]?.lettersBefore ?? lettersBefore) <= MAX_LETTERS_BETWEEN,
	);

const spanOf = (digits: readonly DigitAt[]): Span => ({
	start: digits[0]?.start ?? 0,
	end: digits.at(-1)?.end ?? 0,
});

/** Digits that stand side by side, and what stands between them and the group before. */
interface Group {
	readonly digits: DigitAt[];
	readonly separator: string | undefined;
}

/**
 * Where a card number may stand in a text of which nothing is known: 13 to 19 digits with a right check digit, in one
 * piece or in groups with the same separator between each two.
 */
export function guessNumbers(text: string): Span[] {
	if (!mayHoldDigits(text, LEAST_DIGITS_TO_GUESS)) return [];
	const digits = digitsOf(text);
	const groups = groupsOf(text, digits);
	const spans: Span[] = [];
	let offset = 0;
	groups.forEach(({ digits: own }, first) => {
		let length = 0;
		for (let last = first; last < groups.length; last++) {
			const group = groups[last];
			if (group === undefined || (last > first && !mayJoin(group, groups[first + 1]))) break;
			length += group.digits.length;
			if (length > CARD_NUMBER_DIGITS.most) break;
			if (length >= LEAST_DIGITS_TO_GUESS && hasCheckDigit(digits.text, offset, length)) {
				spans.push(spanOf(digits.at.slice(offset, offset + length)));
			}
		}
		offset += own.length;
	});
	return spans;
}

const mayJoin = ({ separator }: Group, second: Group | undefined): boolean =>
	separator !== undefined && separator === second?.separator;

function groupsOf(text: string, { at }: Digits): Group[] {
	const groups: Group[] = [];
	at.forEach((digit, index) => {
		const before = at[index - 1];
		if (before?.end === digit.start) {
			groups.at(-1)?.digits.push(digit);
			return;
		}
		groups.push({ digits: [digit], separator: separatorBetween(text, before, digit) });
	});
	return groups;
}

/** Undefined where it could not stand inside of one number: where it is too long, or has letters in it. */
function separatorBetween(
	text: string,
	before: DigitAt | undefined,
	digit: DigitAt,
): string | undefined {
	if (before?.lettersBefore !== digit.lettersBefore) return undefined;
	const isShort = digit.start - before.end <= MAX_SEPARATOR_LENGTH;
	return isShort ? text.slice(before.end, digit.start) : undefined;
}

/** The check of Luhn, so that reference numbers of the same length stay readable. */
function hasCheckDigit(digits: string, start: number, length: number): boolean {
	let sum = 0;
	for (let place = 0; place < length; place++) {
		const digit = digits.charCodeAt(start + length - 1 - place) - ZERO;
		const doubled = place % 2 === 1 ? digit * 2 : digit;
		sum += doubled > 9 ? doubled - 9 : doubled;
	}
	return sum % 10 === 0;
}
