import type { IDataObject } from 'n8n-workflow';
import { RECORD } from '../../contract/places';
import {
	MERCHANT_DATA,
	entriesOf,
	fieldOf,
	isObject,
	secretsOf,
	sensitivity,
} from './recordSecrets';
import type { Known } from './recordSecrets';
import { keyRemover, withoutSecrets } from './secretTexts';

/**
 * Keeps card data, payment tokens and the API key from leaving the nodes (service-interface.md, section
 * "Charge": "Card data and tokens are sensitive").
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
	// First, since it makes sure that the record is not too deep for a function that calls itself.
	const secrets = secretsOf(record, includeSensitiveData);
	const withoutKey = keyRemover(apiKey);
	const clean = (text: string): string => withoutSecrets(withoutKey(text), secrets);

	const redact = (value: unknown, known: Known, isMerchants: boolean): unknown => {
		if (typeof value === 'string') return known === 'fixed' ? withoutKey(value) : clean(value);
		// A card number is a number as well: one where the contract shows none may be it.
		if (typeof value === 'number' && known !== 'fixed') {
			const text = clean(String(value));
			return text === String(value) ? value : text;
		}
		if (Array.isArray(value)) {
			return value.map((entry) => redact(entry, entriesOf(known), isMerchants));
		}
		if (!isObject(value)) return value;
		const copy: Record<string, unknown> = {};
		for (const [name, entry] of Object.entries(value)) {
			const field = fieldOf(known, name);
			const kind = sensitivity(name, field);
			if (kind === 'securityCode') continue;
			if (kind === 'sensitive' && !isMerchants && !includeSensitiveData) continue;
			const shownName = field === undefined ? clean(name) : name;
			setOwn(copy, shownName, redact(entry, field, isMerchants || name === MERCHANT_DATA));
		}
		return copy;
	};
	return redact(record, RECORD, false) as IDataObject;
}

/** A record may hold a field named __proto__: as an own property it does no harm. Others are set the faster way. */
function setOwn(record: Record<string, unknown>, name: string, value: unknown): void {
	if (name !== '__proto__') record[name] = value;
	else Object.defineProperty(record, name, { value, enumerable: true, writable: true });
}
