/**
 * The digits of a text, however they are written: in any script, raised or encircled, escaped for an address, a web
 * page or JSON. Takes as many steps as the text is long.
 */

/** A part of a text: from `start` up to `end`, which is not part of it. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** One digit of a text, with the number of letters in the text before it. */
export interface DigitAt extends Span {
	readonly lettersBefore: number;
}

export interface Digits {
	/** The digits alone, as 0 to 9. */
	readonly text: string;
	readonly at: readonly DigitAt[];
	/** Letters of the text. */
	readonly letters: number;
}

/** What stands for one character: an escape of an address (UTF-8), of JSON or of a web page, or a character itself. */
const SIGN =
	/%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3})|\\u[\da-f]{4}|&#(?:\d{1,7}|x[\da-f]{1,6});|&[a-z]{2,8};|[^]/iuy;
export const ZERO = 0x30;
const FIRST_NON_ASCII = 0x80;
const DIGIT = /^\p{Nd}$/u;
const LETTER = /^\p{L}$/u;
const A_LETTER = 'a';

/** Whether a text may hold so many digits: by far most can't, and need no closer look. */
export function mayHoldDigits(text: string, least: number): boolean {
	if (text.length < least) return false;
	let count = 0;
	for (let index = 0; index < text.length && count < least; index++) {
		const code = text.charCodeAt(index);
		if (code >= ZERO && code < ZERO + 10) count += 1;
		else if (mayBeginEscape(code)) return true;
	}
	return count >= least;
}

/** For %, & and the backslash, and for every character that is not of the first 128. */
const mayBeginEscape = (code: number): boolean =>
	code === 0x25 || code === 0x26 || code === 0x5c || code >= FIRST_NON_ASCII;

/** All digits of a text, in order. */
export function digitsOf(text: string): Digits {
	const digits: string[] = [];
	const at: DigitAt[] = [];
	let lettersBefore = 0;
	const signs = new Map<string, string>();
	for (let start = 0; start < text.length; ) {
		const code = text.charCodeAt(start);
		let end = start + 1;
		let digit = code >= ZERO && code < ZERO + 10 ? String(code - ZERO) : '';
		let isLetter = (code > 0x40 && code < 0x5b) || (code > 0x60 && code < 0x7b);
		if (mayBeginEscape(code)) {
			SIGN.lastIndex = start;
			const sign = SIGN.exec(text)?.[0] ?? text.charAt(start);
			end = start + sign.length;
			// Of a text in another script, the same few signs again and again.
			const read = signs.get(sign) ?? readSign(sign);
			signs.set(sign, read);
			isLetter = read === A_LETTER;
			digit = isLetter ? '' : read;
		}
		if (digit !== '') {
			digits.push(digit);
			at.push({ start, end, lettersBefore });
		} else if (isLetter) lettersBefore += 1;
		start = end;
	}
	return { text: digits.join(''), at, letters: lettersBefore };
}

/** The digit that a sign stands for, {@link A_LETTER}, or nothing for any other character. */
function readSign(sign: string): string {
	const character = characterOf(sign);
	return digitOf(character) || (LETTER.test(character) ? A_LETTER : '');
}

/** The character that a sign stands for; a named one of a web page such as `&nbsp;` is never a digit. */
function characterOf(sign: string): string {
	if (sign.startsWith('%') && sign.length > 1) {
		try {
			return decodeURIComponent(sign);
		} catch {
			return '';
		}
	}
	const [, hex, decimal] = /^(?:\\u|&#x)([\da-f]+);?$|^&#(\d+);$/i.exec(sign) ?? [];
	const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
	if (Number.isNaN(code)) return sign.startsWith('&') ? '' : sign;
	return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

/** 0 to 9 for a digit of any script, also a raised or encircled one; nothing for any other character. */
function digitOf(character: string): string {
	const plain = character.normalize('NFKC');
	if (/^\d$/.test(plain)) return plain;
	const code = plain.codePointAt(0);
	if (code === undefined || !DIGIT.test(plain)) return '';
	// Unicode keeps the ten digits of a script together and in order.
	let zero = code;
	while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
	return String((code - zero) % 10);
}
