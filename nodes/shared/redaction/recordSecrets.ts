import { CARD_DATA, PAYMENT_SOURCE, RECORD } from '../../../contract/places';
import type { Meaning, Place } from '../../../contract/places';
import { CARD_NUMBER_DIGITS, guessNumbers } from './cardNumbers';
import { digitsOf } from './digits';
import { ReportedError } from '../errors/failures';
import { isRecord } from '../isRecord';
import { plainText } from '../plainText';
import { readingsOf } from './readings';
import type { Secrets } from './secretTexts';
import { LEAST_WORD_LENGTH } from './secretWords';

/** What is known of a value's place: nothing, where the contract does not show it. */
export type Known = Meaning | Place | undefined;

/** The contract shows no more than four levels. A record that goes deeper than this can't be searched. */
const MAX_DEPTH = 200;

/** Never leaves, whatever the user chose: nobody may store it once a payment is authorised. */
const SECURITY_CODE = /^(?:card_?)?(?:security_?code|cv[cvn]2?|csc)$/i;
/** Leave only when the user asked for them. */
const SENSITIVE = /^(?:card_?data|card_?number|token)$/i;
const TOKEN = /^token$/i;
/** Whether a text that may be JSON may have such a field. */
const SENSITIVE_NAME = /"(?:card_?)?(?:security_?code|cv[cvn]2?|csc|data|number|token)"\s*:/i;
/** Of a text that is no record, what may hold a token. */
const BETWEEN_WORDS = /[\s"'=:,;(){}[\]]+/;
/** Letters and digits in a row that change three times and more: `58ab3e0d`, unlike `import-2024-11` or `terminal0012`. */
const MADE_UP = /[a-z]\d+[a-z]+\d|\d[a-z]+\d+[a-z]/i;
/** Each digit may be an escape of a dozen characters, with others between them. */
const LONGEST_NUMBER = 1_000;
/** The merchant's own key-value pairs (docs/service.md, Checkout sessions): a key named token is not a payment token. */
export const MERCHANT_DATA = 'metadata';

const isPlace = (known: Known): known is Place => typeof known === 'object';

/** What is known of a field of an object. */
export const fieldOf = (known: Known, name: string): Known =>
	isPlace(known) ? known.get(name) : undefined;

/** What is known of the entries of a list: the contract shows no list of plain values. */
export const entriesOf = (known: Known): Known => (isPlace(known) ? known : undefined);

/** One field of a record. */
export interface RecordField {
	readonly name: string;
	readonly value: unknown;
	/** What is known of its place. */
	readonly known: Known;
	/** Whether it is one of the merchant's own pairs, which hold texts: an object among them is none. */
	readonly isMerchants: boolean;
}

/** Whether a field is sensitive by its name, also where the contract does not show it. */
export function sensitivity({
	name,
	value,
	known,
	isMerchants,
}: RecordField): 'none' | 'sensitive' | 'securityCode' {
	const isOrdinary = known === 'fixed' || known === 'free';
	if (isOrdinary || (isPlace(known) && known !== CARD_DATA)) return 'none';
	if (SECURITY_CODE.test(name)) return 'securityCode';
	if (!SENSITIVE.test(name)) return 'none';
	const isPair = isMerchants && typeof value !== 'object';
	return isPair && guessNumbers(plainText(value)).length === 0 ? 'none' : 'sensitive';
}

/** A text may be a record by itself, written as JSON: what it holds, where fields of it may be sensitive. */
export function recordIn(text: string): unknown {
	if (!/^\s*[[{]/.test(text) || !SENSITIVE_NAME.test(text)) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		return undefined;
	}
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

	const addGuessed = (text: string): void => {
		for (const { number } of guessNumbers(text)) numbers.add(number);
	};

	const addSecret = (text: string, isToken: boolean): void => {
		const number = isToken ? undefined : numberOf(text);
		if (number !== undefined) numbers.add(number);
		else if (text.length >= LEAST_WORD_LENGTH) words.add(text);
		if (number === undefined && !isToken) addGuessed(text);
	};

	/** Inside of a field that is removed. Of card data, dates and the holder's name stand elsewhere too. */
	const collectSecrets = (value: unknown, isToken: boolean, depth: number): void => {
		refuseTooDeep(depth);
		if (isPlain(value)) addSecret(String(value).trim(), isToken);
		else if (Array.isArray(value)) {
			for (const entry of value) collectSecrets(entry, isToken, depth + 1);
			// A number may be given in its groups.
			const number = numberOf(value.filter(isPlain).join(' '));
			if (number !== undefined) numbers.add(number);
		} else if (isRecord(value)) {
			for (const [name, entry] of Object.entries(value)) {
				const known = CARD_DATA.get(name);
				if (known === 'fixed' || known === 'free') continue;
				collectSecrets(entry, isToken || TOKEN.test(name), depth + 1);
			}
		}
	};

	/** A payment source that is one text: nothing says what of it is the token. */
	const collectSourceText = (text: string): void => {
		addGuessed(text);
		for (const word of text.split(BETWEEN_WORDS)) {
			if (word.length >= LEAST_WORD_LENGTH && MADE_UP.test(word)) words.add(word);
		}
	};

	const collect = (value: unknown, known: Known, isMerchants: boolean, depth: number): void => {
		refuseTooDeep(depth);
		if (Array.isArray(value)) {
			for (const entry of value) collect(entry, entriesOf(known), false, depth + 1);
		} else if (isRecord(value)) {
			for (const [name, entry] of Object.entries(value)) {
				const field = { name, value: entry, known: fieldOf(known, name), isMerchants };
				const kind = sensitivity(field);
				if (kind === 'none' || (kind === 'sensitive' && includeSensitiveData)) {
					collect(entry, field.known, name === MERCHANT_DATA, depth + 1);
				} else collectSecrets(entry, TOKEN.test(name), depth + 1);
			}
		} else if (known === 'fixed') fixedValues.add(String(value));
		else if (typeof value === 'string') {
			const inner = recordIn(value);
			if (inner !== undefined) collect(inner, entriesOf(known), false, depth + 1);
			if (known === PAYMENT_SOURCE && !includeSensitiveData) collectSourceText(value);
		}
	};

	collect(record, RECORD, false, 0);
	return {
		numbers: [...numbers],
		words: [...words].filter((word) => !fixedValues.has(word)),
	};
}

const isPlain = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';

/** The digits of a text that is a card number and nothing else, in whichever way it is read. */
function numberOf(text: string): string | undefined {
	// A longer text is something else, however it is read.
	if (text.length > LONGEST_NUMBER) return undefined;
	const { least, most } = CARD_NUMBER_DIGITS;
	return readingsOf(text)
		.map(digitsOf)
		.find(({ letters, text: { length } }) => letters === 0 && length >= least && length <= most)
		?.text;
}

/** Before the stack overflows, which would be an error about this code and not about the answer. */
function refuseTooDeep(depth: number): void {
	if (depth <= MAX_DEPTH) return;
	throw new ReportedError(
		`The answer is nested more than ${MAX_DEPTH} levels deep, so it can’t be searched for card data`,
		'Nothing of it is passed on: no record of the service is nested like that. Check that Base URL is the address of the service. A link that was created, changed or deleted stays so.',
	);
}
