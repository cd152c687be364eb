import { CARD_DATA, RECORD } from '../../contract/places';
import type { Meaning, Place } from '../../contract/places';
import { CARD_NUMBER_DIGITS } from './cardNumbers';
import { digitsOf } from './digits';
import { ReportedError } from './failures';
import { spellingsOf } from './secretTexts';
import type { Secrets } from './secretTexts';
import { LEAST_WORD_LENGTH } from './secretWords';

/** What is known of a value's place: nothing, where the contract does not show it. */
export type Known = Meaning | Place | undefined;

/** The contract shows no more than four levels. A record that goes deeper than this can't be searched. */
const MAX_DEPTH = 200;

/** Never leaves, whatever the user chose: nobody may store it once a payment is authorised. */
const SECURITY_CODE = /^(?:security_?code|cv[cv]2?)$/i;
/** Leave only when the user asked for them. */
const SENSITIVE = /^(?:card_?data|card_?number|token)$/i;
const TOKEN = /^token$/i;
/** The merchant's own key-value pairs (section "Checkout session"): a key named token is not a payment token. */
export const MERCHANT_DATA = 'metadata';

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isPlace = (known: Known): known is Place => typeof known === 'object';

/** What is known of a field of an object. */
export const fieldOf = (known: Known, name: string): Known =>
	isPlace(known) ? known.get(name) : undefined;

/** What is known of the entries of a list: the contract shows no list of plain values. */
export const entriesOf = (known: Known): Known => (isPlace(known) ? known : undefined);

/** Whether a field is sensitive by its name, also where the contract does not show it. */
export function sensitivity(name: string, known: Known): 'none' | 'sensitive' | 'securityCode' {
	const isOrdinary = known === 'fixed' || known === 'free';
	if (isOrdinary || (isPlace(known) && known !== CARD_DATA)) return 'none';
	if (SECURITY_CODE.test(name)) return 'securityCode';
	return SENSITIVE.test(name) ? 'sensitive' : 'none';
}

/**
 * What must not stand in the free texts of a record: what the fields held that are removed from it, the merchant's own
 * data left out. Card numbers by their digits, anything else by its text, unless that is too short to be a secret, or
 * is the value of another field of the contract: a token such as "authorised" says nothing about anybody.
 *
 * @throws {ReportedError} for a record that is nested too deep
 */
export function secretsOf(record: unknown, includeSensitiveData: boolean): Secrets {
	const numbers = new Set<string>();
	const words = new Set<string>();
	const fixedValues = new Set<string>();

	const addSecret = (text: string, isToken: boolean): void => {
		const { text: digits, letters } = digitsOf(text);
		const { least, most } = CARD_NUMBER_DIGITS;
		const isNumber = letters === 0 && digits.length >= least && digits.length <= most;
		if (isNumber && !isToken) numbers.add(digits);
		else if (text.length >= LEAST_WORD_LENGTH) words.add(text);
	};

	/** Inside of a field that is removed. Of card data, dates and the holder's name stand elsewhere too. */
	const collectSecrets = (value: unknown, isToken: boolean, depth: number): void => {
		refuseTooDeep(depth);
		if (typeof value === 'string' || typeof value === 'number') {
			addSecret(String(value).trim(), isToken);
		} else if (Array.isArray(value)) {
			for (const entry of value) collectSecrets(entry, isToken, depth + 1);
		} else if (isObject(value)) {
			for (const [name, entry] of Object.entries(value)) {
				const known = CARD_DATA.get(name);
				if (known === 'fixed' || known === 'free') continue;
				collectSecrets(entry, isToken || TOKEN.test(name), depth + 1);
			}
		}
	};

	const collect = (value: unknown, known: Known, isMerchants: boolean, depth: number): void => {
		refuseTooDeep(depth);
		if (Array.isArray(value)) {
			for (const entry of value) collect(entry, entriesOf(known), isMerchants, depth + 1);
		} else if (isObject(value)) {
			for (const [name, entry] of Object.entries(value)) {
				const field = fieldOf(known, name);
				const kind = isMerchants ? 'none' : sensitivity(name, field);
				if (kind === 'none' || (kind === 'sensitive' && includeSensitiveData)) {
					collect(entry, field, isMerchants || name === MERCHANT_DATA, depth + 1);
				} else collectSecrets(entry, TOKEN.test(name), depth + 1);
			}
		} else if (known === 'fixed') fixedValues.add(String(value));
	};

	collect(record, RECORD, false, 0);
	return {
		numbers: [...numbers],
		words: [...words].filter((word) => !fixedValues.has(word)).flatMap(spellingsOf),
	};
}

/** Before the stack overflows, which would be an error about this code and not about the answer. */
function refuseTooDeep(depth: number): void {
	if (depth <= MAX_DEPTH) return;
	throw new ReportedError(
		`The answer is nested more than ${MAX_DEPTH} levels deep, so it can’t be searched for card data`,
		'Nothing of it is passed on: no record of the service is nested like that. Check that Base URL is the address of the service. A link that was created, changed or deleted stays so.',
	);
}
