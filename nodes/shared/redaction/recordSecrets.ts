import { CARD_DATA, PAYMENT_SOURCE, RECORD } from '../../../contract/places';
import { CARD_NUMBER_DIGITS, guessNumbers } from './cardNumbers';
import { digitsOf, mayHoldDigits } from './digits';
import { ReportedError } from '../errors/failures';
import { isRecord } from '../isRecord';
import { readingsOf } from './readings';
import type { Secrets } from './secretTexts';
import { LEAST_WORD_LENGTH } from './secretWords';
import { MERCHANT_DATA, entriesOf, fieldOf, recordIn, sensitivity } from './sensitiveFields';
import type { Known } from './sensitiveFields';

/** The contract shows no more than four levels. A record that goes deeper than this can't be searched. */
const MAX_DEPTH = 200;

const TOKEN = /^token$/i;
/** Of a text that is no record, what may hold a token. */
const BETWEEN_WORDS = /[\s"'=:,;(){}[\]]+/;
/** Letters and digits in a row that change three times and more: `58ab3e0d`, unlike `import-2024-11` or `terminal0012`. */
const MADE_UP = /[a-z]\d+[a-z]+\d|\d[a-z]+\d+[a-z]/i;
/** Each digit may be an escape of a dozen characters, with others between them. */
const LONGEST_NUMBER = 1_000;

/** What one look at a record shows of the secrets in it. */
export interface Survey {
	/** What must not stand in its free texts. */
	readonly secrets: Secrets;
	/** Whether it has fields that are to be removed, or texts that are records and may have some. */
	readonly hasSensitiveFields: boolean;
	/** Whether a text that is a record was read: it may hold in its escapes what {@link longTexts} don't show. */
	readonly hasRecordsInTexts: boolean;
	/** Its texts of the asked length, names that the contract does not show among them, one behind the other. */
	readonly longTexts: string;
}

/**
 * What must not stand in the free texts of a record: what the fields held that are removed from it, the merchant's own
 * data left out. Card numbers by their digits, anything else by its text, unless that is too short to be a secret, or
 * is the value of another field of the contract: a token such as "authorised" says nothing about anybody.
 *
 * @throws {ReportedError} for a record that is nested too deep
 */
export const secretsOf = (record: unknown, includeSensitiveData: boolean): Secrets =>
	surveyOf(record, includeSensitiveData, Number.POSITIVE_INFINITY).secrets;

/**
 * Looks once at all that a record holds.
 *
 * @param longLength from how many characters on a text is one of the long ones
 * @throws {ReportedError} for a record that is nested too deep
 */
export function surveyOf(
	record: unknown,
	includeSensitiveData: boolean,
	longLength: number,
): Survey {
	const numbers = new Set<string>();
	const words = new Set<string>();
	const fixedValues: Array<string | number> = [];
	let hasSensitiveFields = false;
	let hasRecordsInTexts = false;
	let longTexts = '';

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
			for (const name of Object.keys(value)) {
				const known = CARD_DATA.get(name);
				if (known === 'fixed' || known === 'free') continue;
				collectSecrets(value[name], isToken || TOKEN.test(name), depth + 1);
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

	const collectText = (text: string, known: Known, depth: number): void => {
		if (text.length >= longLength) longTexts += `${text}\n`;
		if (known === 'fixed') {
			// A shorter one is no word that could be taken for a secret.
			if (text.length >= LEAST_WORD_LENGTH) fixedValues.push(text);
			return;
		}
		const inner = recordIn(text);
		if (inner !== undefined) {
			hasRecordsInTexts = true;
			collect(inner, entriesOf(known), false, depth + 1);
		}
		if (known === PAYMENT_SOURCE && !includeSensitiveData) collectSourceText(text);
	};

	const collect = (value: unknown, known: Known, isMerchants: boolean, depth: number): void => {
		refuseTooDeep(depth);
		if (typeof value === 'string') collectText(value, known, depth);
		else if (Array.isArray(value)) {
			for (const entry of value) collect(entry, entriesOf(known), false, depth + 1);
		} else if (isRecord(value)) {
			for (const name of Object.keys(value)) {
				const entry = value[name];
				const place = fieldOf(known, name);
				if (place === undefined && name.length >= longLength) longTexts += `${name}\n`;
				const kind = sensitivity(name, entry, place, isMerchants);
				if (kind !== 'none') hasSensitiveFields = true;
				if (kind === 'none' || (kind === 'sensitive' && includeSensitiveData)) {
					collect(entry, place, name === MERCHANT_DATA, depth + 1);
				} else collectSecrets(entry, TOKEN.test(name), depth + 1);
			}
		} else if (typeof value === 'number') {
			if (known === 'fixed') fixedValues.push(value);
			else if (longLength !== Number.POSITIVE_INFINITY) longTexts += `${value}\n`;
		}
	};

	collect(record, RECORD, false, 0);
	if (words.size > 0) for (const value of fixedValues) words.delete(String(value));
	return {
		secrets: { numbers: [...numbers], words: [...words] },
		hasSensitiveFields,
		hasRecordsInTexts,
		longTexts,
	};
}

const isPlain = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';

/** The digits of a text that is a card number and nothing else, in whichever way it is read. */
function numberOf(text: string): string | undefined {
	const { least, most } = CARD_NUMBER_DIGITS;
	// A longer text is something else, however it is read.
	if (text.length > LONGEST_NUMBER || !mayHoldDigits(text, least)) return undefined;
	if (text.length <= most && /^\d+$/.test(text)) return text;
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
