export const REDACTED = '[redacted]';

/** Removes secrets. A text in which one shows only after decoding is replaced as a whole. */
export function cleaned(text: string, remove: (text: string) => string): string {
	const left = remove(text);
	if (!MAY_BE_ENCODED.test(left)) return left;
	const plain = decoded(left);
	return plain === left || remove(plain) === plain ? left : REDACTED;
}

/** A shorter secret is an ordinary word or number that can be part of any text. */
export const LEAST_SECRET_LENGTH = 12;
/** Only the beginning of a longer secret is searched for, so that the time grows linearly with the text. */
const LONGEST_SECRET_LENGTH = 250;
/** More than any record of the contract has. Each secret is searched for in every text. */
const MOST_SECRETS = 20;
/** A masked number, zeros, or words such as not_applicable. */
export const NO_SECRET =
	/[*•●]|([x#._])\1{3}|^[0\W_]+$|^(?:n\W?a|not?|none|null|empty|missing|un[a-z]+)(?:[\W_]+[a-z]+)*$/i;

/** Texts to remove: tokens and codes, and card numbers as digits alone. */
export type Secrets = readonly string[];

/** @param held texts of fields that were removed */
export function secretsFrom(held: readonly string[]): Secrets {
	const secrets = new Set<string>();
	for (const text of held) {
		const digits = text.replace(/[\W_]+/g, '');
		const secret = isNumber(digits) ? digits : text.slice(0, LONGEST_SECRET_LENGTH);
		const isSecret = secret.length >= LEAST_SECRET_LENGTH && !NO_SECRET.test(secret);
		if (isSecret) secrets.add(secret).add(decoded(secret));
	}
	// The longest come first: one can be part of another.
	return [...secrets].sort((one, other) => other.length - one.length);
}

/** Also finds a number with other characters between its digits. */
export function withoutSecrets(text: string, secrets: Secrets): string {
	if (secrets.length === 0 || text.length < LEAST_SECRET_LENGTH) return text;
	if (secrets.length > MOST_SECRETS) return REDACTED;
	return cleaned(text, (one) => secrets.reduce(withoutSecret, one));
}

function withoutSecret(text: string, secret: string): string {
	if (isNumber(secret)) {
		if (!MANY_DIGITS.test(text)) return text;
		return text.replace(new RegExp(secret.split('').join(String.raw`[\W_]*`), 'g'), REDACTED);
	}
	if (secret.length < LONGEST_SECRET_LENGTH) return text.replaceAll(secret, REDACTED);
	return text.includes(secret) ? REDACTED : text;
}

const isNumber = (text: string): boolean => /^\d{12,19}$/.test(text);
/** A text with fewer digits has no card number. */
export const MANY_DIGITS = /(?:\d[\W_]*){12}/;

const MAY_BE_ENCODED = /[%\\&\u0080-\uffff]/;
/** Escapes of URLs, JSON and HTML. Longer rows of them would exhaust the stack. */
const ESCAPES =
	/(?:%[\da-f]{2}){1,999}|(?:\\(?:u[\da-f]{4}|["\\/bfnrt])){1,999}|&(?:#\d{1,6}|#x[\da-f]{1,5}|[a-z]{2,8});/gi;
/** Number of times that a text can have been escaped. */
const MOST_DECODINGS = 3;
/** Longer rows of accents would take quadratic time. */
const NON_ASCII = /[^\0-\x7f]{1,32}/gu;

/** Removes escapes, and puts digits and letters into their plain form. */
function decoded(text: string): string {
	if (!MAY_BE_ENCODED.test(text)) return text;
	let plain = text;
	for (let count = 0; count < MOST_DECODINGS; count += 1) plain = plain.replace(ESCAPES, unescaped);
	return plain.replace(NON_ASCII, (characters) => characters.normalize('NFKC'));
}

/** Characters of keys and tokens, by their names in HTML. Any other name counts as a space, like nbsp. */
const HTML = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", plus: '+', sol: '/', equals: '=' };
const HTML_NAMES = new Map(Object.entries(HTML));

function unescaped(escape: string): string {
	const lower = escape.toLowerCase();
	if (lower.startsWith('%')) return Buffer.from(lower.replaceAll('%', ''), 'hex').toString();
	if (lower.startsWith('\\')) return JSON.parse(`"${lower}"`) as string;
	const name = lower.slice(1, -1);
	if (!name.startsWith('#')) return HTML_NAMES.get(name) ?? ' ';
	return String.fromCodePoint(Number(name.slice(1).replace('x', '0x')));
}

export const asPattern = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** A shorter key is not a real one: replacing it would garble ordinary text. */
export const LEAST_KEY_LENGTH = 8;

/** Removes the credential's key in any capitals. Encoded texts need {@link cleaned}, too. */
export function keyRemover(apiKey: string): (text: string) => string {
	const key = apiKey.trim();
	if (key.length < LEAST_KEY_LENGTH) return (text) => text;
	const every = new RegExp(asPattern(key), 'gi');
	const lower = key.toLowerCase();
	return (text) =>
		text.length >= key.length && text.toLowerCase().includes(lower)
			? text.replace(every, REDACTED)
			: text;
}
