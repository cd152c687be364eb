import { CARD_DATA, type Meaning, type Place } from '../../../contract/places';
import { plainText } from '../plainText';
import { guessNumbers } from './cardNumbers';

/** What is known of a value's place: nothing, where the contract does not show it. */
export type Known = Meaning | Place | undefined;

/** Never leaves, whatever the user chose: nobody may store it once a payment is authorised. */
const SECURITY_CODE = /^(?:card_?)?(?:security_?code|cv[cvn]2?|csc)$/i;
/** Leave only when the user asked for them. */
const SENSITIVE = /^(?:card_?data|card_?number|token)$/i;
const LONGEST_SENSITIVE_NAME = 'card_security_code'.length;
/**
 * Whether a text that may be JSON may have such a field, in a text of its own that is JSON too: its signs are escaped
 * then, once for each of the texts that it stands in. Any sign may be escaped by its number as well.
 */
const SENSITIVE_NAME =
	/"(?:card_?)?(?:security_?code|cv[cvn]2?|csc|data|number|token)\\*"(?:\s|\\+[nrt])*:|\\u00[2-7]/i;
/** The merchant's own key-value pairs (docs/service.md, Checkout sessions): a key named token is not a payment token. */
export const MERCHANT_DATA = 'metadata';

const isPlace = (known: Known): known is Place => typeof known === 'object';

/** What is known of a field of an object. */
export const fieldOf = (known: Known, name: string): Known =>
	isPlace(known) ? known.get(name) : undefined;

/** What is known of the entries of a list: the contract shows no list of plain values. */
export const entriesOf = (known: Known): Known => (isPlace(known) ? known : undefined);

/** Whether the contract shows a field that is not sensitive and holds no others. */
export const isOrdinary = (known: Known): boolean =>
	known === 'fixed' || known === 'word' || known === 'free';

/**
 * Whether a field is sensitive by its name, also where the contract does not show it.
 *
 * @param known what is known of its place
 * @param isMerchants whether it is one of the merchant's own pairs, which hold texts: an object among them is none
 */
export function sensitivity(
	name: string,
	value: unknown,
	known: Known,
	isMerchants: boolean,
): 'none' | 'sensitive' | 'securityCode' {
	if (isOrdinary(known)) return 'none';
	if (isPlace(known) && known !== CARD_DATA) return 'none';
	if (name.length > LONGEST_SENSITIVE_NAME) return 'none';
	if (SECURITY_CODE.test(name)) return 'securityCode';
	if (!SENSITIVE.test(name)) return 'none';
	const isPair = isMerchants && typeof value !== 'object';
	return isPair && guessNumbers(plainText(value)).length === 0 ? 'none' : 'sensitive';
}

/**
 * Of by far most texts the first sign tells that they are no JSON: visible ASCII but for ", [ and {. So does NaN, which
 * stands for that of an empty one.
 */
const isPlainBeginning = (code: number): boolean => !(code < 0x23 || code === 0x5b || code > 0x7a);

const BEGINS_AS_JSON = /^\s*["[{]/;

/** Whether a text may be a record by itself, of which fields may be sensitive. */
export const mayBeRecord = (text: string): boolean =>
	!isPlainBeginning(text.charCodeAt(0)) && BEGINS_AS_JSON.test(text) && SENSITIVE_NAME.test(text);

/**
 * A text may be a record by itself, written as JSON: what it holds, where fields of it may be sensitive. Each text in
 * a text doubles the signs that escape, so there are no more of them than a record's length has binary digits.
 */
export function recordIn(text: string): unknown {
	if (!mayBeRecord(text)) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		return undefined;
	}
}
