import { CARD_DATA, PAYMENT_SOURCE, RECORD } from '../../../contract/places';
import { guessNumbers, numberOf } from './cardNumbers';
import { ReportedError } from '../errors/failures';
import { isRecord } from '../isRecord';
import type { KeyRemover } from './keyRemover';
import type { Secrets } from './secretTexts';
import { LEAST_WORD_LENGTH } from './secretWords';
import {
	MERCHANT_DATA,
	entriesOf,
	fieldOf,
	isOrdinary,
	recordIn,
	sensitivity,
	type Known,
} from './sensitiveFields';

/** The contract shows no more than four levels. A record that goes deeper than this can't be searched. */
const MAX_DEPTH = 200;

const TOKEN = /^token$/i;
/** Of a text that is no record, what may hold a token. */
const BETWEEN_WORDS = /[\s"'=:,;(){}[\]]+/;
const FEW = 8;
/** A word of the service with digits in it may be a token. */
const DIGIT = /\d/;
/** Letters and digits in a row that change three times and more: `58ab3e0d`, unlike `import-2024-11` or `terminal0012`. */
const MADE_UP = /[a-z]\d+[a-z]+\d|\d[a-z]+\d+[a-z]/i;

/** What one look at a record shows of the secrets in it. */
export interface Survey {
	/** What must not stand in its free texts. */
	readonly secrets: Secrets;
	/** Whether it has fields that are to be removed, or texts that are records and may have some. */
	readonly hasSensitiveFields: boolean;
	/** Whether the key may stand in it: in a text, in a name that the contract does not show, or in the escapes of a text that is a record. */
	readonly mayHoldKey: boolean;
}

/**
 * What must not stand in the free texts of a record: what the fields held that are removed from it, the merchant's own
 * data left out. Card numbers by their digits, anything else by its text, unless that is too short to be a secret, or
 * is the value of another field of the contract, or a word without digits there: a token such as "authorised" says
 * nothing about anybody.
 *
 * @throws {ReportedError} for a record that is nested too deep
 */
export const secretsOf = (record: unknown, includeSensitiveData: boolean): Secrets =>
	surveyOf(record, includeSensitiveData).secrets;

/**
 * Looks once at all that a record holds.
 *
 * @param key what is looked for besides
 * @throws {ReportedError} for a record that is nested too deep
 */
export function surveyOf(record: unknown, includeSensitiveData: boolean, key?: KeyRemover): Survey {
	const surveyor = new Surveyor(includeSensitiveData, key);
	surveyor.look(record, RECORD, false, 0);
	return surveyor.survey();
}

class Surveyor {
	private readonly numbers = new Set<string>();

	private readonly words = new Set<string>();

	/** Long enough to be taken for a secret. */
	private readonly fixedValues: string[] = [];

	private hasSensitiveFields = false;

	private mayHoldKey = false;

	constructor(
		private readonly includeSensitiveData: boolean,
		private readonly key: KeyRemover | undefined,
	) {}

	survey(): Survey {
		const { numbers, words, fixedValues, hasSensitiveFields, mayHoldKey } = this;
		// Of a few words it is told sooner without a table of the values.
		const isFixed = words.size > FEW ? new Set(fixedValues) : undefined;
		for (const word of words) {
			if (isFixed?.has(word) ?? fixedValues.includes(word)) words.delete(word);
		}
		const secrets = { numbers: [...numbers], words: [...words] };
		return { secrets, hasSensitiveFields, mayHoldKey };
	}

	look(value: unknown, known: Known, isMerchants: boolean, depth: number): void {
		refuseTooDeep(depth);
		if (typeof value === 'string') this.lookAtText(value, known, depth);
		else if (Array.isArray(value)) {
			for (const entry of value) this.look(entry, entriesOf(known), false, depth + 1);
		} else if (isRecord(value)) {
			for (const name of Object.keys(value)) {
				this.lookAtField(name, value[name], fieldOf(known, name), isMerchants, depth + 1);
			}
		} else if (typeof value === 'number') {
			if (known === 'fixed') this.lookAtText(String(value), known, depth);
			else if (this.key?.mayStandInNumbers === true) this.lookForKey(String(value));
		}
	}

	private lookAtField(
		name: string,
		value: unknown,
		known: Known,
		isMerchants: boolean,
		depth: number,
	): void {
		// By far most fields are of the contract, and hold texts.
		if (typeof value === 'string' && isOrdinary(known)) {
			this.lookAtText(value, known, depth);
			return;
		}
		if (known === undefined) this.lookForKey(name);
		const kind = sensitivity(name, value, known, isMerchants);
		if (kind !== 'none') this.hasSensitiveFields = true;
		if (kind === 'none' || (kind === 'sensitive' && this.includeSensitiveData)) {
			this.look(value, known, name === MERCHANT_DATA, depth);
		} else this.collect(value, TOKEN.test(name), depth);
	}

	private lookForKey(text: string): void {
		if (!this.mayHoldKey && this.key?.mayStandIn(text) === true) this.mayHoldKey = true;
	}

	private lookAtText(text: string, known: Known, depth: number): void {
		this.lookForKey(text);
		if (text.length >= LEAST_WORD_LENGTH) {
			if (known === 'fixed' || (known === 'word' && !DIGIT.test(text))) this.fixedValues.push(text);
		}
		if (known === 'fixed') return;
		const inner = recordIn(text);
		if (inner !== undefined) {
			this.mayHoldKey = true;
			this.look(inner, entriesOf(known), false, depth + 1);
		}
		if (known === PAYMENT_SOURCE && !this.includeSensitiveData) this.collectSourceText(text);
	}

	/** Inside of a field that is removed. Of card data, dates and the holder's name stand elsewhere too. */
	private collect(value: unknown, isToken: boolean, depth: number): void {
		refuseTooDeep(depth);
		if (isPlain(value)) this.addSecret(String(value).trim(), isToken);
		else if (Array.isArray(value)) {
			for (const entry of value) this.collect(entry, isToken, depth + 1);
			// A number may be given in its groups.
			const number = numberOf(value.filter(isPlain).join(' '));
			if (number !== undefined) this.numbers.add(number);
		} else if (isRecord(value)) {
			for (const name of Object.keys(value)) {
				if (isOrdinary(CARD_DATA.get(name))) continue;
				this.collect(value[name], isToken || TOKEN.test(name), depth + 1);
			}
		}
	}

	/** A payment source that is one text: nothing says what of it is the token. */
	private collectSourceText(text: string): void {
		this.addGuessed(text);
		for (const word of text.split(BETWEEN_WORDS)) {
			if (word.length >= LEAST_WORD_LENGTH && MADE_UP.test(word)) this.words.add(word);
		}
	}

	private addSecret(text: string, isToken: boolean): void {
		const number = isToken ? undefined : numberOf(text);
		if (number !== undefined) this.numbers.add(number);
		else if (text.length >= LEAST_WORD_LENGTH) this.words.add(text);
		if (number === undefined && !isToken) this.addGuessed(text);
	}

	private addGuessed(text: string): void {
		for (const { number } of guessNumbers(text)) this.numbers.add(number);
	}
}

const isPlain = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';

/** Before the stack overflows, which would be an error about this code and not about the answer. */
function refuseTooDeep(depth: number): void {
	if (depth <= MAX_DEPTH) return;
	throw new ReportedError(
		`The answer is nested more than ${MAX_DEPTH} levels deep, so it can’t be searched for card data`,
		'Nothing of it is passed on: no record of the service is nested like that. Check that Base URL is the address of the service. A link that was created, changed or deleted stays so.',
	);
}
