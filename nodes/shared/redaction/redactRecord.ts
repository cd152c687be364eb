import type { IDataObject } from 'n8n-workflow';
import { RECORD, type Place } from '../../../contract/records.generated';
import type { Meaning } from '../../../contract/schemas/primitives';
import { BY_NAME, CARD_DATA } from '../../../contract/sensitiveNames';
import { plainText } from '../values';
import { withoutCardNumbers } from './cardNumbers';
import { withoutNamedCodes } from './redactText';
import { cleaned, keyRemover, secretsFrom, withoutSecrets, type Secrets } from './secretTexts';

/** No name with its security code is shorter: "cvv 123". */
const LEAST_NAMED_CODE_LENGTH = 7;
/** Digits, or characters that can be digits once decoded. */
const MAY_HAVE_DIGITS = /[\d%\\&\u0080-\uffff]/;

export interface RedactionOptions {
	/** Removed wherever the service repeats it. */
	readonly apiKey: string;
	/** Keeps card data and tokens, but never security codes. */
	readonly includeSensitiveData?: boolean;
}

/** Removes sensitive fields (docs/sensitive-data.md), and their content from the record's other texts, in a copy. */
export function redactRecords(
	records: readonly IDataObject[],
	{ apiKey, includeSensitiveData = false }: RedactionOptions,
): IDataObject[] {
	const withoutKey = keyRemover(apiKey);
	const withoutCodes = (text: string): string => withoutNamedCodes(withoutKey(text));
	const withoutNumbers = (text: string): string => withoutCardNumbers(withoutCodes(text));
	const clean: Rules['text'] = (text, known) => {
		const isShort = text.length < LEAST_NAMED_CODE_LENGTH;
		if (known === 'fixed' || isShort || !MAY_HAVE_DIGITS.test(text)) return withoutKey(text);
		if (known === 'number') return cleaned(text, withoutKey);
		return cleaned(text, includeSensitiveData || known === 'pair' ? withoutCodes : withoutNumbers);
	};
	return records.map((record) => {
		const { left, secrets } = withoutFields(record, clean, includeSensitiveData);
		if (secrets.length === 0) return left;
		return withTexts(left, (one, known) =>
			known === 'fixed' ? one : withoutSecrets(one, secrets),
		);
	});
}

const withTexts = (record: IDataObject, text: Rules['text']): IDataObject =>
	copied(record, RECORD, { isRemoved: () => false, text }) as IDataObject;

/** The content of sensitive fields: the service's words about the record can repeat it. */
export const secretsOf = (record: IDataObject): Secrets =>
	withoutFields(record, (text) => text).secrets;

function withoutFields(record: IDataObject, clean: Rules['text'], includeSensitiveData = false) {
	const held: string[] = [];
	const isRemoved = (known: Known): boolean =>
		known === 'code' || (!includeSensitiveData && (known === 'secret' || known === CARD_DATA));
	const text: Rules['text'] = (one, known) => {
		if (isRemoved(known)) held.push(one.trim());
		return clean(one, known);
	};
	const left = copied(record, RECORD, { isRemoved, text }) as IDataObject;
	return { left, secrets: held.length === 0 ? [] : secretsFrom(withoutShown(held, record)) };
}

/** A value that an identifier or a status of the record shares is no secret. */
function withoutShown(held: readonly string[], record: IDataObject): string[] {
	const shown = new Set<string>();
	withTexts(record, (one, known) => {
		if (known === 'fixed') shown.add(one);
		return one;
	});
	return held.filter((one) => !shown.has(one));
}

/** The meaning of a value, by its place or name. */
type Known = Meaning | Place | undefined;

function fieldOf(known: Known, name: string, value: unknown): Known {
	const place = typeof known === 'object' ? known.get(name) : undefined;
	const shows = ([field]: (typeof BY_NAME)[number]) => field.test(`${name}=${plainText(value)}`);
	const meaning = place ?? BY_NAME.find(shows)?.[1];
	if (meaning === 'code') return meaning;
	if (known === 'pairs') return 'pair';
	return known === 'secret' || known === 'code' ? known : meaning;
}

interface Rules {
	/** True to leave out a field. */
	readonly isRemoved: (known: Known) => boolean;
	/** Replaces a text, a number, or the name of an unknown field. */
	readonly text: (text: string, known: Known) => string;
}

/** Returns the value itself if nothing changes in it. No response is nested deep (attempt.ts). */
function copied(value: unknown, known: Known, rules: Rules): unknown {
	if (typeof value === 'string' || typeof value === 'number') {
		const text = String(value);
		const left = rules.text(text, known);
		return left === text ? value : left;
	}
	if (typeof value !== 'object' || value === null) return value;
	if (!Array.isArray(value)) return copiedFields(value as Fields, known, rules);
	const entries = value.map((entry) => copied(entry, known, rules));
	return entries.every((entry, index) => entry === value[index]) ? value : entries;
}

type Fields = Readonly<Record<string, unknown>>;

function copiedFields(fields: Fields, known: Known, rules: Rules): Fields {
	let copy: Array<[string, unknown]> | undefined;
	for (const name in fields) {
		const value = fields[name];
		const place = fieldOf(known, name, value);
		const isRemoved = rules.isRemoved(place);
		const shown = place === undefined ? rules.text(name, undefined) : name;
		const entry = copied(value, place, rules);
		if (copy === undefined && entry === value && shown === name && !isRemoved) continue;
		copy ??= Object.entries(fields).slice(0, Object.keys(fields).indexOf(name));
		if (!isRemoved) copy.push([shown, entry]);
	}
	return copy === undefined ? fields : Object.fromEntries(copy);
}
