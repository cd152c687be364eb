/**
 * The digits of a text, in whatever script or sign they are written. Takes as many steps as the text is long.
 */

import { lazyPattern } from '../lazyPattern';
import { endOf, startOf, type Reading } from './readings';

/** A part of a text: from `start` up to `end`, which is not part of it. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** The digits of a reading. The lists hold one entry for each of them. */
export interface Digits {
	/** The digits alone, as 0 to 9. */
	readonly text: string;
	/** Where each begins in the reading, in UTF-16 units, and where it ends. */
	readonly from: readonly number[];
	readonly to: readonly number[];
	/** Letters of the reading before each. */
	readonly lettersBefore: readonly number[];
	/** Letters of the whole reading. */
	readonly letters: number;
}

export const ZERO = 0x30;
const FIRST_NON_ASCII = 0x80;
const DECIMAL_DIGIT = lazyPattern(String.raw`^\p{Nd}$`, 'u');
const OTHER_NUMBER = lazyPattern(String.raw`^[\p{No}\p{Nl}]$`, 'u');
const LETTER = lazyPattern(String.raw`^\p{L}$`, 'u');
const NEITHER_LETTER_NOR_NUMBER = lazyPattern(String.raw`[^\p{L}\p{N}]`, 'gu');
/** Unicode puts these numerals among the letters. */
const HAN_DIGITS = ['〇一二三四五六七八九', '零壹貳參肆伍陸柒捌玖', '零壹贰叁肆伍陆柒捌玖'];
/** Tags, of which some emoji are made, repeat the first 128 characters invisibly. */
const TAG_ZERO = 0xe0030;
/** What belongs to the character before it, or can't be seen. */
const ADDITION = lazyPattern(String.raw`^[\p{M}\p{Cf}]$`, 'u');
const A_LETTER = 'a';
const AN_ADDITION = '+';
const AN_ASCII_DIGIT = /^[0-9]$/;

/** Whether a text may hold so many digits: by far most can't, and need no closer look. */
export function mayHoldDigits(text: string, least: number): boolean {
	if (text.length < least) return false;
	let count = 0;
	for (let index = 0; index < text.length && count < least; index++) {
		const code = text.charCodeAt(index);
		if (isAsciiDigit(code)) count += 1;
		else if ((code >= FIRST_NON_ASCII && !isLatinLetter(code)) || mayBeginEscape(code)) return true;
	}
	return count >= least;
}

/** The digits of a text that has no others than 0 to 9 and no escapes; undefined where it may have. */
export const plainDigitsOf = (text: string): string | undefined =>
	MAY_HOLD_OTHER_DIGITS.test(text) ? undefined : text.replace(/\D+/g, '');

/** À to ɏ: no digits among them, × and ÷ neither. */
const isLatinLetter = (code: number): boolean => code >= 0xc0 && code < 0x250;
const MAY_HOLD_OTHER_DIGITS = /[%&\\=<\u0080-\u00bf\u0250-\uffff]/;

const isAsciiDigit = (code: number): boolean => code >= ZERO && code < ZERO + 10;
/** %, & and the backslash. An escape with = has digits of its own. */
const mayBeginEscape = (code: number): boolean => code === 0x25 || code === 0x26 || code === 0x5c;

/** All digits of a text, in order. */
export function digitsOf({ text }: Pick<Reading, 'text'>): Digits {
	const digits: string[] = [];
	const from: number[] = [];
	const to: number[] = [];
	const lettersBefore: number[] = [];
	let letters = 0;
	const signs = new Map<number, string>();
	for (let start = 0; start < text.length; ) {
		const code = text.charCodeAt(start);
		let end = start + 1;
		let digit = '';
		if (code < FIRST_NON_ASCII) {
			if (isAsciiDigit(code)) digit = text.charAt(start);
			else if ((code > 0x40 && code < 0x5b) || (code > 0x60 && code < 0x7b)) letters += 1;
		} else {
			const point = text.codePointAt(start) ?? code;
			end += point > 0xffff ? 1 : 0;
			// Of a text in another script, the same few characters again and again.
			let read = signs.get(point);
			if (read === undefined) signs.set(point, (read = readCharacter(point)));
			if (read === A_LETTER) letters += 1;
			else if (read !== AN_ADDITION) digit = read;
			else if (to.at(-1) === start) to[to.length - 1] = end;
		}
		if (digit !== '') {
			digits.push(digit);
			from.push(start);
			to.push(end);
			lettersBefore.push(letters);
		}
		start = end;
	}
	return { text: digits.join(''), from, to, lettersBefore, letters };
}

/** Where the digits from `first` on stand in the text that the reading was decoded from. */
export const spanOf = (
	reading: Reading,
	{ from, to }: Digits,
	first: number,
	count: number,
): Span => ({
	start: startOf(reading, from[first] ?? 0),
	end: endOf(reading, (to[first + count - 1] ?? 1) - 1),
});

/** The digit that a character stands for, {@link A_LETTER}, {@link AN_ADDITION}, or nothing for any other character. */
function readCharacter(point: number): string {
	if (point >= TAG_ZERO && point < TAG_ZERO + 10) return String(point - TAG_ZERO);
	const character = String.fromCodePoint(point);
	if (ADDITION().test(character)) return AN_ADDITION;
	return digitOf(character) || (LETTER().test(character) ? A_LETTER : '');
}

/** Digits of the same value are the same letter to whoever sorts, whatever they look like: ❹, ፬ and 4. */
let collator: Intl.Collator | undefined;
const ASCII_DIGITS = '0123456789'.split('');

/** 0 to 9 for a digit of any script, also a raised, encircled or bracketed one; nothing for any other character. */
function digitOf(character: string): string {
	const plain = character.normalize('NFKC').replace(NEITHER_LETTER_NOR_NUMBER(), '');
	if (AN_ASCII_DIGIT.test(plain)) return plain;
	const han = HAN_DIGITS.map((digits) => digits.indexOf(plain)).find((value) => value >= 0);
	if (plain !== '' && han !== undefined) return String(han);
	if (OTHER_NUMBER().test(plain)) {
		// Making one takes longer than all else that is done when the package is loaded.
		const { compare } = (collator ??= new Intl.Collator('en', { sensitivity: 'base' }));
		return ASCII_DIGITS.find((digit) => compare(plain, digit) === 0) ?? '';
	}
	const code = plain.codePointAt(0);
	if (code === undefined || !DECIMAL_DIGIT().test(plain)) return '';
	// Unicode keeps the ten digits of a script together and in order.
	let zero = code;
	while (DECIMAL_DIGIT().test(String.fromCodePoint(zero - 1))) zero -= 1;
	return String((code - zero) % 10);
}
