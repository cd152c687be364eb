export const REDACTED = '[redacted]';

/** A shorter one is an ordinary word or number that may stand anywhere. */
const LEAST_SECRET_LENGTH = 12;
/** Of a longer one this beginning is looked for: the time for a text is in step with its length then. */
const LONGEST_SECRET_LENGTH = 250;
/** More than any record of the contract holds. Each costs a look at every text, so there must be an end to it. */
const MOST_SECRETS = 20;

/** What may stand between the digits of a card number: spaces, dashes, dots and the like. */
const SEPARATOR = String.raw`[\W_]`;
const SEPARATORS = new RegExp(`${SEPARATOR}+`, 'g');
const CARD_NUMBER = /^\d{12,19}$/;

/** What must not stand in a text. */
export interface Secrets {
	/** Card numbers: digits alone. */
	readonly numbers: readonly string[];
	/** Tokens and codes, the longest first: one may be a part of another. */
	readonly words: readonly string[];
}

/** @param held texts of fields that were removed */
export function secretsFrom(held: Iterable<string>): Secrets {
	const numbers: string[] = [];
	const words: string[] = [];
	for (const text of held) {
		const digits = text.replace(SEPARATORS, '');
		if (CARD_NUMBER.test(digits)) numbers.push(digits);
		else if (text.length >= LEAST_SECRET_LENGTH) words.push(text);
	}
	return { numbers, words: words.sort((one, other) => other.length - one.length) };
}

/**
 * The text without these secrets: replaced where they stand as they are, or with separators between the digits. A text
 * in which one shows only once it is decoded is replaced whole, and so is any text where there are too many of them.
 */
export function withoutSecrets(text: string, secrets: Secrets): string {
	const { numbers, words } = secrets;
	const count = numbers.length + words.length;
	if (count === 0 || text.length < LEAST_SECRET_LENGTH) return text;
	if (count > MOST_SECRETS) return REDACTED;
	if (!shows(text, secrets)) return text;
	let left = text;
	for (const word of words) {
		if (word.length <= LONGEST_SECRET_LENGTH) left = left.replaceAll(word, REDACTED);
	}
	for (const number of numbers) {
		left = left.replace(new RegExp(number.split('').join(`${SEPARATOR}*`), 'g'), REDACTED);
	}
	return shows(left, secrets) ? REDACTED : left;
}

/** As it is, or decoded. */
function shows(text: string, { numbers, words }: Secrets): boolean {
	if (holds(text, numbers, words)) return true;
	return MAY_BE_ENCODED.test(text) && holds(decoded(text), numbers, words.map(decoded));
}

function holds(text: string, numbers: readonly string[], words: readonly string[]): boolean {
	if (words.some((word) => text.includes(word.slice(0, LONGEST_SECRET_LENGTH)))) return true;
	if (numbers.length === 0) return false;
	const closed = text.replace(SEPARATORS, '');
	return numbers.some((number) => closed.includes(number));
}

const MAY_BE_ENCODED = /[%\\&\u0080-\uffff]/;
/** Of an address, JSON and a web page. */
const ESCAPE =
	/(?:%[\da-f]{2})+|\\(?:u[\da-f]{4}|["\\/bfnrt])|&(?:#\d{1,6}|#x[\da-f]{1,5}|[a-z]{2,6});/gi;
/** How often something that was escaped may have been escaped again. */
const MOST_DECODINGS = 3;
const NON_ASCII = /[^\0-\x7f]/gu;

/** The text as one who decodes it reads it, whichever way it is encoded, digits and letters in their plain form. */
export function decoded(text: string): string {
	let plain = text;
	for (let count = 0; count < MOST_DECODINGS && MAY_BE_ENCODED.test(plain); count += 1) {
		plain = plain.replace(ESCAPE, characterOf);
	}
	// Sign by sign: the time for a row of accents is the square of its length otherwise.
	return plain.replace(NON_ASCII, (sign) => sign.normalize('NFKC'));
}

/** By their names in HTML, as they stand in keys, tokens and numbers. */
const NAMED_SIGNS: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	plus: '+',
	sol: '/',
	equals: '=',
};

function characterOf(escape: string): string {
	const lower = escape.toLowerCase();
	if (lower.startsWith('%')) return Buffer.from(lower.replaceAll('%', ''), 'hex').toString();
	if (lower.startsWith('\\')) return JSON.parse(`"${lower}"`) as string;
	const name = lower.slice(1, -1);
	if (!name.startsWith('#')) return NAMED_SIGNS[name] ?? escape;
	return String.fromCodePoint(Number(name.slice(1).replace('x', '0x')));
}

/** A shorter key is no real one: replacing it would mangle ordinary text. */
export const LEAST_KEY_LENGTH = 8;

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
