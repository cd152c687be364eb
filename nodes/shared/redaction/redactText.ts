import { plainText, trimmed } from '../values';
import { REDACTED, decoded, keyRemover, secretsFrom, withoutSecrets } from './secretTexts';

/** "token": "…", token=…, security code 917, Token … */
const NAMED_SECRET =
	/((?:security[\s_-]?code|cv[cvn]2?|csc|token(?:_?id)?)\b[\s\\"']*(?:(?:[:=]|(?:is|was)\b)[\s\\"']*)?)([^\s\\"',;{}<>]+)/gi;

/** Digits of a card number of which nothing else is known: a shorter one is too easily guessed. */
const LEAST_DIGITS = 13;
const MOST_DIGITS = 19;
/** Of all widths, none included, for a class of a pattern. */
const SPACES_AND_DASHES = String.raw`\s\p{Cf}\u2010-\u2015\u2212\-`;
/** An identifier, which may hold many digits; or digits in one piece or in groups. */
const DIGITS = new RegExp(
	String.raw`([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})|\d+(?:\.\d+)+|\d+(?:\+\d+)+|\d+(?:[${SPACES_AND_DASHES}]{1,3}\d+)*`,
	'giu',
);

/**
 * Text of which nothing is known, for an error, a log line, a hint or a label: of the service, of a failed request, or
 * a value that a user gave. Without the key, what looks like a card number, and what is named a token or a code. A text
 * in which a card number shows only once it is decoded is replaced whole.
 */
export function redactText(text: string, apiKey: string): string {
	const named = new Set<string>();
	const unnamed = keyRemover(apiKey)(text).replace(
		NAMED_SECRET,
		(found: string, name: string, value: string) => {
			// A word that merely follows is no secret unless it has a digit.
			if (!/[:=]/.test(name) && !/\d/.test(value)) return found;
			named.add(value);
			return name + REDACTED;
		},
	);
	// What was named once may stand elsewhere without its name.
	const left = withoutCardNumbers(withoutSecrets(unnamed, secretsFrom(named)));
	const plain = decoded(left);
	return plain === left || withoutCardNumbers(plain) === plain ? left : REDACTED;
}

const MAX_SEARCHED = 20_000;
const MAX_SHOWN = 500;
/** A longer row of letters is no word, and is cut. */
const LONGEST_WORD = 100;
/** Line breaks, control characters, and those that turn around the direction of the text after them. */
const OUT_OF_LINE = /[\s\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/**
 * What comes from the service as it is shown, in a message, a hint, a label or a warning: in one line, without secrets,
 * and cut. Empty where nothing is left to show.
 */
export function shownText(value: unknown, apiKey: string, most = MAX_SHOWN): string {
	const whole = plainText(value);
	const line = whole.slice(0, MAX_SEARCHED).replace(OUT_OF_LINE, ' ');
	const searched = redactText(line, apiKey);
	// Nothing is shown of what is not searched, and so of no secret that begins where the search ends.
	const text = trimmed(whole.length <= MAX_SEARCHED ? searched : searched.slice(0, -MAX_SHOWN));
	if (text.length <= most) return text;
	const cut = text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '');
	// Of half a token that a charge holds, nothing would show anymore that it is one.
	const [word = ''] = /[!-~]*$/.exec(cut) ?? [];
	return `${word.length > LONGEST_WORD ? cut : cut.slice(0, cut.length - word.length)}…`;
}

const withoutCardNumbers = (text: string): string =>
	text.replace(DIGITS, (digits: string, id: string | undefined) =>
		id === undefined && holdsCardNumber(digits.split(/\D+/)) ? REDACTED : digits,
	);

/** Whether some of the groups that follow each other make a card number: the check digit shows it. */
const holdsCardNumber = (groups: readonly string[]): boolean =>
	groups.some((_, first) => {
		let number = '';
		for (let index = first; index < groups.length && number.length <= MOST_DIGITS; index += 1) {
			number += groups[index] ?? '';
			const isLong = number.length >= LEAST_DIGITS && number.length <= MOST_DIGITS;
			if (isLong && hasCheckDigit(number)) return true;
		}
		return false;
	});

/** The check of Luhn, so that reference numbers of the same length stay readable. */
function hasCheckDigit(number: string): boolean {
	let sum = 0;
	for (let index = 0; index < number.length; index += 1) {
		const digit = Number(number[index]) * (1 + ((number.length - 1 - index) % 2));
		sum += digit > 9 ? digit - 9 : digit;
	}
	return sum % 10 === 0;
}
