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
	const clean: Rules['text'] = (text, sense) => {
		const isShort = text.length < LEAST_NAMED_CODE_LENGTH;
		if (sense === 'fixed' || isShort || !MAY_HAVE_DIGITS.test(text)) return withoutKey(text);
		if (sense === 'number') return cleaned(text, withoutKey);
		return cleaned(text, includeSensitiveData || sense === 'pair' ? withoutCodes : withoutNumbers);
	};
	return records.map((record) => {
		const { left, secrets } = withoutFields(record, clean, includeSensitiveData);
		if (secrets.length === 0) return left;
		return withTexts(left, (one, sense) =>
			sense === 'fixed' ? one : withoutSecrets(one, secrets),
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
	const isRemoved = (sense: Sense): boolean =>
		sense === 'code' || (!includeSensitiveData && (sense === 'secret' || sense === CARD_DATA));
	const text: Rules['text'] = (one, sense) => {
		if (isRemoved(sense)) held.push(one.trim());
		return clean(one, sense);
	};
	const left = copied(record, RECORD, { isRemoved, text }) as IDataObject;
	return { left, secrets: held.length === 0 ? [] : secretsFrom(withoutShown(held, record)) };
}

/** A value that an identifier or a status of the record shares is no secret. */
function withoutShown(held: readonly string[], record: IDataObject): string[] {
	const shown = new Set<string>();
	withTexts(record, (one, sense) => {
		if (sense === 'fixed') shown.add(one);
		return one;
	});
	return held.filter((one) => !shown.has(one));
}

/** The meaning of a value, or of the fields below it. */
type Sense = Meaning | Place | undefined;

function senseOf(parent: Sense, name: string, value: unknown): Sense {
	const documented = typeof parent === 'object' ? parent.get(name) : undefined;
	const shows = ([field]: (typeof BY_NAME)[number]) => field.test(`${name}=${plainText(value)}`);
	const own = documented ?? BY_NAME.find(shows)?.[1];
	if (own === 'code') return own;
	if (parent === 'pairs') return 'pair';
	return parent === 'secret' || parent === 'code' ? parent : own;
}

interface Rules {
	/** True to leave out a field. */
	readonly isRemoved: (sense: Sense) => boolean;
	/** Replaces a text, a number, or the name of an unknown field. */
	readonly text: (text: string, sense: Sense) => string;
}

/** Returns the value itself if nothing changes in it. No response is nested deep (tryOnce.ts). */
function copied(value: unknown, sense: Sense, rules: Rules): unknown {
	if (typeof value === 'string' || typeof value === 'number') {
		const text = String(value);
		const left = rules.text(text, sense);
		return left === text ? value : left;
	}
	if (typeof value !== 'object' || value === null) return value;
	if (!Array.isArray(value)) return copiedFields(value as Fields, sense, rules);
	const entries = value.map((entry) => copied(entry, sense, rules));
	return entries.every((entry, index) => entry === value[index]) ? value : entries;
}

type Fields = Readonly<Record<string, unknown>>;

function copiedFields(fields: Fields, parent: Sense, rules: Rules): Fields {
	let copy: Array<[string, unknown]> | undefined;
	for (const name in fields) {
		const value = fields[name];
		const sense = senseOf(parent, name, value);
		const isRemoved = rules.isRemoved(sense);
		const shown = sense === undefined ? rules.text(name, undefined) : name;
		const entry = copied(value, sense, rules);
		if (copy === undefined && entry === value && shown === name && !isRemoved) continue;
		// The fields before the first change stay as they are.
		copy ??= Object.entries(fields).slice(0, Object.keys(fields).indexOf(name));
		if (!isRemoved) copy.push([shown, entry]);
	}
	return copy === undefined ? fields : Object.fromEntries(copy);
}
