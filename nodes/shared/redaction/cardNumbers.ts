import { MANY_DIGITS, REDACTED } from './secretTexts';

/** Prefixes of the networks, by the lengths of their numbers. */
const OF_NETWORK = new RegExp(
	`^(?:${[
		'4(?:.{12}|.{15}|.{18})$', // Visa
		'(?=.{16}$)(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)', // Mastercard
		'(?=.{15}$)(?:3[47]|2131|1800)', // American Express, older cards of JCB
		'(?=.{14,19}$)3(?:0[0-59]|[689])', // Diners Club
		'(?=.{12,19}$)(?:5018|5020|5038|5893|6304|6759|676[1-3])', // Maestro
		// Discover, UnionPay, JCB, Maestro, Mir, RuPay, Elo, Verve, Troy
		'(?=.{16,19}$)(?:6[02-57]|5[0678]|35(?:2[89]|[3-8])|220[0-4]|8[12]|9792)',
	].join('|')})`,
);

/** The digits of an IBAN can look like a card number. */
const IBAN = String.raw`(?<![A-Za-z\d])[A-Z]{2}\d\d(?:[ -]?[A-Z\d]{4}){2,7}(?:[ -]?[A-Z\d]{1,3})?(?![A-Za-z\d])`;
/** Digits that are not part of a word, an e-mail address, or a phone number with a country code. */
const GROUP = String.raw`(?<![A-Za-z\d]|(?<![A-Za-z\d])\+(?=\d{12,15}(?!\d)))\d+(?![A-Za-z\d]|[\w.+-]{0,30}@)`;
const IBAN_OR_GROUPS = new RegExp(String.raw`(${IBAN})|${GROUP}(?:[\W_]+${GROUP}){0,999}`, 'g');
/** Sizes of a card number's groups, with a semicolon before another separator: "4111-1111 1111-1111" is 4,4;4,4. */
const GROUPING = /^(?:4,4[,;]4[,;]4|4,4,4,[1-4](?:,[1-3])?|4,6,[45]|1(?:,1){11,})$/;

export const withoutCardNumbers = (text: string): string =>
	MANY_DIGITS.test(text)
		? text.replace(IBAN_OR_GROUPS, (found: string, iban?: string) => iban ?? withoutCards(found))
		: text;

function withoutCards(groups: string): string {
	// Digits at even indexes, separators at odd ones.
	const parts = groups.split(/([\W_]+)/);
	for (let first = 0; first < parts.length; first += 2) {
		const last = endOfCard(parts, first);
		if (last !== undefined) parts.fill('', first, last + 1)[first] = REDACTED;
	}
	return parts.join('');
}

/**
 * Index in `parts` of the card number's last group: 6 in "4111 1111 1111 1111 22", since separators are parts, too. Decimals, and
 * some groups of a longer number, are no card numbers.
 */
function endOfCard(parts: readonly string[], first: number): number | undefined {
	// True if another group of the same size and separator follows (step 1) or precedes (step -1).
	const continues = (end: number, step: number): boolean =>
		parts[end + step] === parts[end - step] && parts[end + 2 * step]?.length === parts[end]?.length;
	let digits = parts[first] ?? '';
	if (isCardNumber(digits)) return parts[first - 1] === '.' ? undefined : first;
	if (continues(first, -1)) return undefined;
	let sizes = String(digits.length);
	for (let last = first + 2; last < parts.length && digits.length < 19; last += 2) {
		const group = parts[last] ?? '';
		digits += group;
		sizes += (parts[last - 1] === parts[first + 1] ? ',' : ';') + String(group.length);
		if (isCardNumber(digits) && GROUPING.test(sizes) && !continues(last, 1)) return last;
	}
	return undefined;
}

/** True for a network's prefix and length with a valid Luhn checksum. */
function isCardNumber(digits: string): boolean {
	if (digits.length < 12 || !OF_NETWORK.test(digits)) return false;
	let sum = 0;
	for (let index = 0; index < digits.length; index += 1) {
		const digit = Number(digits[index]) * (1 + ((digits.length - 1 - index) % 2));
		sum += digit > 9 ? digit - 9 : digit;
	}
	return sum % 10 === 0;
}
