import type { IDataObject } from 'n8n-workflow';
import { RECORD } from '../../../contract/places';
import { isRecord } from '../isRecord';
import { plainText } from '../plainText';
import { keyRemover } from './keyRemover';
import { surveyOf } from './recordSecrets';
import { areTooMany, spansOfNumbers, withoutSecrets, withoutWords } from './secretTexts';
import type { Secrets } from './secretTexts';
import { MERCHANT_DATA, entriesOf, fieldOf, recordIn, sensitivity } from './sensitiveFields';
import type { Known } from './sensitiveFields';

/**
 * Keeps card data, payment tokens and the API key from leaving the nodes (docs/service.md, Charges: both
 * are sensitive).
 */

export interface RedactionOptions {
	/** The credential's key: should the service echo it, it is replaced wherever it stands. */
	readonly apiKey: string;
	/** Whether card data and tokens stay, security codes excepted. */
	readonly includeSensitiveData?: boolean;
}

/**
 * A record of the service without secrets: without the fields that hold them, and without what they held in its free
 * texts. A text that the contract shows to be an identifier, a status, an amount or the like is never touched
 * (contract/places.ts); one that is not in the contract is free text. A record without secrets is given back as it is,
 * of any other a copy, field by field in the same order. Takes as many steps as the record is large.
 *
 * @throws {ReportedError} for a record that is nested too deep to be searched
 */
export function redactRecord(
	record: IDataObject,
	{ apiKey, includeSensitiveData = false }: RedactionOptions,
): IDataObject {
	const removeKey = keyRemover(apiKey);
	// First, since it makes sure that the record is not too deep for functions that call themselves.
	const survey = surveyOf(record, includeSensitiveData, removeKey.leastLength);
	const { secrets, hasSensitiveFields, hasRecordsInTexts, longTexts } = survey;
	const mayHoldKey = hasRecordsInTexts || removeKey.mayStandIn(longTexts);
	const holdsSecrets = secrets.numbers.length > 0 || secrets.words.length > 0;
	if (!mayHoldKey && !holdsSecrets && !hasSensitiveFields) return record;

	const withoutKey = mayHoldKey ? removeKey : (text: string) => text;
	const clean = (text: string): string => withoutSecrets(withoutKey(text), secrets);
	const freeTexts: FreeText[] = [];

	/**
	 * A copy without sensitive fields and the key; its free texts are noted, in their order, if there are secrets to be
	 * looked for in them.
	 *
	 * @param isInText whether it stands in a text, which is cleaned as a whole
	 */
	const copyOf = (
		value: unknown,
		known: Known,
		isMerchants: boolean,
		isInText: boolean,
		at: Place,
	): unknown => {
		if (typeof value === 'string') {
			if (known === 'fixed') return withoutKey(value);
			const inner = recordIn(value);
			const shown = inner === undefined ? value : withoutFields(value, inner, known);
			return isInText ? shown : note(withoutKey(shown), at);
		}
		// A card number is a number as well: one where the contract shows none may be it.
		if (typeof value === 'number' && known !== 'fixed' && !isInText) {
			const text = note(withoutKey(String(value)), at);
			return text === String(value) ? value : text;
		}
		if (Array.isArray(value)) {
			const holder: unknown[] = [];
			const place = entriesOf(known);
			for (let name = 0; name < value.length; name++) {
				holder.push(copyOf(value[name], place, false, isInText, { holder, name }));
			}
			return holder;
		}
		if (!isRecord(value)) return value;
		const holder: Record<string, unknown> = {};
		for (const name of Object.keys(value)) {
			const entry = value[name];
			const place = fieldOf(known, name);
			const kind = sensitivity(name, entry, place, isMerchants);
			if (kind === 'securityCode') continue;
			if (kind === 'sensitive' && !includeSensitiveData) continue;
			const at = { holder, name: place === undefined ? clean(name) : name };
			setOwn(at, copyOf(entry, place, name === MERCHANT_DATA, isInText, at));
		}
		return holder;
	};

	const note = (text: string, at: Place): string => {
		if (holdsSecrets) freeTexts.push({ ...at, text });
		return text;
	};

	/** A text that is a record, without the fields that hold secrets; as it was where there are none. */
	const withoutFields = (text: string, inner: unknown, known: Known): string => {
		const at = { holder: [], name: 0 };
		const left = JSON.stringify(copyOf(inner, entriesOf(known), false, true, at));
		return left === JSON.stringify(inner) ? text : left;
	};

	const copy = copyOf(record, RECORD, false, false, { holder: [], name: 0 });
	removeSecrets(freeTexts, secrets);
	return copy as IDataObject;
}

/** A field or entry of a copied record. */
interface Place {
	readonly holder: Record<string, unknown> | unknown[];
	readonly name: string | number;
}

/** A text of a copied record in which secrets may stand. */
interface FreeText extends Place {
	readonly text: string;
}

/** Numbers are looked for in all texts at once: one may be given in parts, each in a text of its own. */
function removeSecrets(freeTexts: readonly FreeText[], secrets: Secrets): void {
	const texts = freeTexts.map(({ text }) => text);
	const tooMany = areTooMany(secrets);
	const spans = tooMany ? [] : spansOfNumbers(texts, secrets.numbers);
	freeTexts.forEach((freeText, index) => {
		const { text } = freeText;
		const shown = tooMany
			? withoutSecrets(text, secrets)
			: withoutWords(text, secrets.words, spans[index]);
		// Where two names became the same, the later field stands there.
		if (shown !== text && plainText(valueAt(freeText)) === text) setOwn(freeText, shown);
	});
}

const valueAt = ({ holder, name }: Place): unknown =>
	(holder as Record<string | number, unknown>)[name];

/** A record may hold a field named __proto__: as an own property it does no harm. Others are set the faster way. */
function setOwn({ holder, name }: Place, value: unknown): void {
	if (name !== '__proto__') (holder as Record<string | number, unknown>)[name] = value;
	else Object.defineProperty(holder, name, { value, enumerable: true, writable: true });
}
