import type { IDataObject } from 'n8n-workflow';
import { RECORD } from '../../../contract/places';
import { ReportedError } from '../errors/failures';
import { isRecord } from '../isRecord';
import { isClean } from './cleanRecord';
import { fixedFields } from './fixedFields';
import { keyRemover } from './keyRemover';
import { surveyOf } from './recordSecrets';
import {
	areTooMany,
	mayHoldSecret,
	spansOfNumbers,
	withoutSecrets,
	withoutWords,
} from './secretTexts';
import {
	MERCHANT_DATA,
	entriesOf,
	fieldOf,
	recordIn,
	sensitivity,
	type Known,
} from './sensitiveFields';

/**
 * Keeps card data, payment tokens and the API key from leaving the nodes (docs/service.md, Charges: both
 * are sensitive).
 */

export interface RedactionOptions {
	/** The credential's key: should the service echo it, it is replaced wherever it stands. */
	readonly apiKey: string;
	/** Whether card data and tokens stay, security codes excepted. */
	readonly includeSensitiveData?: boolean;
	/** Called for each record that can't be searched, of which only {@link fixedFields} stay; absent where it is an error. */
	readonly onTooDeep?: () => void;
}

/** The records of an answer without secrets, see {@link redactRecord}. */
export function redactRecords(
	records: readonly IDataObject[],
	options: RedactionOptions,
): IDataObject[] {
	const removeKey = keyRemover(options.apiKey);
	return records.map((record) =>
		isClean(record, removeKey) ? record : redactOrReduce(record, options),
	);
}

function redactOrReduce(record: IDataObject, options: RedactionOptions): IDataObject {
	try {
		return redactRecord(record, options);
	} catch (error) {
		return reduced(record, options, error);
	}
}

function reduced(
	record: IDataObject,
	{ apiKey, onTooDeep }: RedactionOptions,
	error: unknown,
): IDataObject {
	if (onTooDeep === undefined || !(error instanceof ReportedError)) throw error;
	onTooDeep();
	return fixedFields(record, apiKey);
}

/**
 * A record of the service without secrets: without the fields that hold them, and without what they held in its free
 * texts and in words of the service. A text that the contract shows to be an identifier, a status, an amount or the like
 * is never touched (contract/places.ts); one that is not in the contract is free text. The record itself is never changed: what differs
 * is a copy, in the same order. Takes as many steps as the record is large.
 *
 * @throws {ReportedError} for a record that is nested too deep to be searched
 */
export function redactRecord(
	record: IDataObject,
	{ apiKey, includeSensitiveData = false }: RedactionOptions,
): IDataObject {
	const removeKey = keyRemover(apiKey);
	// First, since it makes sure that the record is not too deep for functions that call themselves.
	const survey = surveyOf(record, includeSensitiveData, removeKey);
	const { secrets, hasSensitiveFields, mayHoldKey } = survey;
	const holdsSecrets = secrets.numbers.length > 0 || secrets.words.length > 0;
	if (!mayHoldKey && !holdsSecrets && !hasSensitiveFields) return record;

	const withoutKey = mayHoldKey ? removeKey : (text: string) => text;
	const clean = (text: string): string => withoutSecrets(withoutKey(text), secrets);
	/** By itself, without its neighbours: two words may make a number that is none, such as `bin` and `last4`. */
	const cleanWord = (text: string): string =>
		mayHoldSecret(text) ? clean(text) : withoutKey(text);

	/**
	 * A value without its sensitive fields and the key, in which `toText` stands in for each of its free texts, in their
	 * order. What nothing changes in is not copied.
	 */
	const cleaned = (whole: unknown, place: Known, toText: (text: string) => string): unknown => {
		const valueOf = (value: unknown, known: Known, isMerchants: boolean): unknown => {
			if (typeof value === 'string') {
				if (known === 'fixed') return withoutKey(value);
				const inner = recordIn(value);
				const text = inner === undefined ? value : withoutFields(value, inner, known);
				return known === 'word' ? cleanWord(text) : toText(text);
			}
			// A card number is a number as well: one where the contract shows none may be it.
			if (typeof value === 'number' && known !== 'fixed') {
				const text = known === 'word' ? cleanWord(String(value)) : toText(String(value));
				return text === String(value) ? value : text;
			}
			if (Array.isArray(value)) return entriesIn(value, entriesOf(known));
			return isRecord(value) ? fieldsIn(value, known, isMerchants) : value;
		};
		const entriesIn = (list: unknown[], known: Known): unknown[] => {
			let copy: unknown[] | undefined;
			for (let index = 0; index < list.length; index++) {
				const entry = valueOf(list[index], known, false);
				if (entry !== list[index]) (copy ??= [...list])[index] = entry;
			}
			return copy ?? list;
		};
		const fieldsIn = (fields: Fields, known: Known, isMerchants: boolean): Fields => {
			const names = Object.keys(fields);
			let copy: Fields | undefined;
			let isAnew = false;
			names.forEach((name, index) => {
				const value = fields[name];
				const place = fieldOf(known, name);
				const kind = sensitivity(name, value, place, isMerchants);
				const stays = kind === 'none' || (kind === 'sensitive' && includeSensitiveData);
				const shown = place === undefined ? clean(name) : name;
				if (!isAnew && (!stays || shown !== name)) {
					copy = pick(copy ?? fields, names.slice(0, index));
					isAnew = true;
				}
				if (!stays) return;
				const entry = valueOf(value, place, name === MERCHANT_DATA);
				if (isAnew || entry !== value) setOwn((copy ??= { ...fields }), shown, entry);
			});
			return copy ?? fields;
		};
		return valueOf(whole, place, false);
	};

	/** A text that is a record, without the fields that hold secrets; as it was where there are none. */
	const withoutFields = (text: string, inner: unknown, known: Known): string => {
		const left = JSON.stringify(cleaned(inner, entriesOf(known), (one) => one));
		return left === JSON.stringify(inner) ? text : left;
	};

	if (!holdsSecrets) return cleaned(record, RECORD, withoutKey) as IDataObject;
	if (areTooMany(secrets)) return cleaned(record, RECORD, clean) as IDataObject;
	// Numbers are looked for in all texts at once: one may be given in parts, each in a text of its own.
	const texts: string[] = [];
	const first = cleaned(record, RECORD, (text) => {
		texts.push(withoutKey(text));
		return text;
	});
	const spans = spansOfNumbers(texts, secrets.numbers);
	const shown = texts.map((text, index) => withoutWords(text, secrets.words, spans[index]));
	if (!mayHoldKey && shown.every((text, index) => text === texts[index])) {
		return first as IDataObject;
	}
	let next = 0;
	return cleaned(record, RECORD, (text) => shown[next++] ?? text) as IDataObject;
}

type Fields = Record<string, unknown>;

function pick(fields: Fields, names: readonly string[]): Fields {
	const picked: Fields = {};
	for (const name of names) setOwn(picked, name, fields[name]);
	return picked;
}

/** A record may hold a field named __proto__: as an own property it does no harm. Others are set the faster way. */
function setOwn(fields: Fields, name: string, value: unknown): void {
	if (name !== '__proto__') fields[name] = value;
	else Object.defineProperty(fields, name, { value, enumerable: true, writable: true });
}
