import type { IDataObject } from 'n8n-workflow';
import { RECORD } from '../../../contract/places';
import { isRecord } from '../isRecord';
import {
	MERCHANT_DATA,
	entriesOf,
	fieldOf,
	recordIn,
	secretsOf,
	sensitivity,
} from './recordSecrets';
import type { Known } from './recordSecrets';
import {
	areTooMany,
	keyRemover,
	spansOfNumbers,
	withoutSecrets,
	withoutWords,
} from './secretTexts';

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
 * A copy of a record of the service without secrets: without the fields that hold them, and without what they held in
 * its free texts. A text that the contract shows to be an identifier, a status, an amount or the like is never
 * touched (contract/places.ts); one that is not in the contract is free text. Without secrets in it, the copy is the
 * record, field by field in the same order. Takes as many steps as the record is large.
 *
 * @throws {ReportedError} for a record that is nested too deep to be searched
 */
export function redactRecord(
	record: IDataObject,
	{ apiKey, includeSensitiveData = false }: RedactionOptions,
): IDataObject {
	// First, since it makes sure that the record is not too deep for functions that call themselves.
	const secrets = secretsOf(record, includeSensitiveData);
	const withoutKey = keyRemover(apiKey);
	const clean = (text: string): string => withoutSecrets(withoutKey(text), secrets);

	/** A copy of the record in which `toText` stands in for each of its free texts, in their order. */
	const copyOf = (whole: unknown, place: Known, toText: (text: string) => string): unknown => {
		const copy = (value: unknown, known: Known, isMerchants: boolean): unknown => {
			if (typeof value === 'string') {
				if (known === 'fixed') return withoutKey(value);
				const inner = recordIn(value);
				return toText(inner === undefined ? value : withoutFields(value, inner, known));
			}
			// A card number is a number as well: one where the contract shows none may be it.
			if (typeof value === 'number' && known !== 'fixed') {
				const text = toText(String(value));
				return text === String(value) ? value : text;
			}
			if (Array.isArray(value)) return value.map((entry) => copy(entry, entriesOf(known), false));
			if (!isRecord(value)) return value;
			const fields: Record<string, unknown> = {};
			for (const [name, entry] of Object.entries(value)) {
				const field = { name, value: entry, known: fieldOf(known, name), isMerchants };
				const kind = sensitivity(field);
				if (kind === 'securityCode') continue;
				if (kind === 'sensitive' && !includeSensitiveData) continue;
				const shownName = field.known === undefined ? clean(name) : name;
				setOwn(fields, shownName, copy(entry, field.known, name === MERCHANT_DATA));
			}
			return fields;
		};
		return copy(whole, place, false);
	};

	/** A text that is a record, without the fields that hold secrets; as it was where there are none. */
	const withoutFields = (text: string, inner: unknown, known: Known): string => {
		const left = JSON.stringify(copyOf(inner, entriesOf(known), (one) => one));
		return left === JSON.stringify(inner) ? text : left;
	};

	if (areTooMany(secrets)) return copyOf(record, RECORD, clean) as IDataObject;
	// Numbers are looked for in all texts at once: one may be given in parts, each in a text of its own.
	const texts: string[] = [];
	if (secrets.numbers.length > 0) {
		copyOf(record, RECORD, (text) => {
			texts.push(withoutKey(text));
			return text;
		});
	}
	const spans = spansOfNumbers(texts, secrets.numbers);
	let index = 0;
	return copyOf(record, RECORD, (text) => {
		const shown = texts[index] ?? withoutKey(text);
		return withoutWords(shown, secrets.words, spans[index++]);
	}) as IDataObject;
}

/** A record may hold a field named __proto__: as an own property it does no harm. Others are set the faster way. */
function setOwn(record: Record<string, unknown>, name: string, value: unknown): void {
	if (name !== '__proto__') record[name] = value;
	else Object.defineProperty(record, name, { value, enumerable: true, writable: true });
}
