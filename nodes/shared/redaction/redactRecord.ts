import type { IDataObject } from 'n8n-workflow';
import { CARD_DATA, RECORD, type Meaning, type Place } from '../../../contract/places';
import { keyRemover, REDACTED, secretsFrom, withoutSecrets, type Secrets } from './secretTexts';

/** Never leaves, whatever the user chose: no one may store it once a payment is authorised. */
const SECURITY_CODE = /^(?:card_?)?(?:security_?code|cv[cvn]2?|csc)$/i;
/** Leave only when the user asked for them. */
const SENSITIVE = /^(?:card_?data|card_?number|token)$/i;
/** The contract shows no more than four levels. What is nested deeper than this is not searched, and does not leave. */
const MAX_DEPTH = 200;

export interface RedactionOptions {
	/** The credential's key: should the service echo it, it is replaced wherever it stands. */
	readonly apiKey: string;
	/** Whether card data and tokens stay, security codes excepted. */
	readonly includeSensitiveData?: boolean;
}

/**
 * The records of an answer without secrets (docs/sensitive-data.md): without the fields that hold them, and without what
 * they held in the texts of the same record. What the contract shows to be an identifier, a status, an amount or the like
 * is not searched (contract/places.ts). A record itself is never changed: what differs is a copy, in the same order. Takes
 * as many steps as the records are large.
 */
export function redactRecords(
	records: readonly IDataObject[],
	{ apiKey, includeSensitiveData = false }: RedactionOptions,
): IDataObject[] {
	const held = new Set<string>();
	const removal = { stays: withholding(held, includeSensitiveData), text: keyRemover(apiKey) };
	return records.map((record) => {
		held.clear();
		const left = copied(record, RECORD, removal) as IDataObject;
		return held.size === 0 ? left : withoutHeld(left, secretsFrom(held));
	});
}

const withoutHeld = (record: IDataObject, secrets: Secrets): IDataObject =>
	copied(record, RECORD, {
		stays: () => true,
		text: (text, known) => (known === 'fixed' ? text : withoutSecrets(text, secrets)),
	}) as IDataObject;

/** What the sensitive fields of some records hold: what the service says about them may repeat it. */
export function secretsOf(records: readonly IDataObject[]): Secrets {
	const held = new Set<string>();
	copied(records, RECORD, { stays: withholding(held, false), text: (text) => text });
	return secretsFrom(held);
}

/** What is known of a value's place: nothing, where the contract does not show it. */
type Known = Meaning | Place | undefined;

const fieldOf = (known: Known, name: string): Known => {
	if (typeof known === 'object') return known.get(name);
	return known === 'pairs' ? 'pair' : undefined;
};

interface Rules {
	/** Whether a field stays in its object. */
	readonly stays: (name: string, value: unknown, known: Known) => boolean;
	/** What stands in the place of a text, or of the name of a field that the contract does not show. */
	readonly text: (text: string, known: Known) => string;
}

/** A copy by these rules; the value itself where nothing changes in it. */
function copied(value: unknown, known: Known, rules: Rules, depth = 0): unknown {
	if (typeof value === 'string') return rules.text(value, known);
	if (typeof value === 'number' && known !== 'fixed') {
		const text = String(value);
		const left = rules.text(text, known);
		return left === text ? value : left;
	}
	if (typeof value !== 'object' || value === null) return value;
	if (depth > MAX_DEPTH) return REDACTED;
	if (!Array.isArray(value)) return copiedFields(value as Fields, known, rules, depth);
	const place = typeof known === 'object' ? known : undefined;
	const entries = value.map((entry) => copied(entry, place, rules, depth + 1));
	return entries.every((entry, index) => entry === value[index]) ? value : entries;
}

type Fields = Readonly<Record<string, unknown>>;

function copiedFields(fields: Fields, known: Known, rules: Rules, depth: number): Fields {
	let copy: Array<[string, unknown]> | undefined;
	for (const name in fields) {
		const value = fields[name];
		const place = fieldOf(known, name);
		const stays = rules.stays(name, value, place);
		const shown = place === undefined ? rules.text(name, undefined) : name;
		const entry = stays ? copied(value, place, rules, depth + 1) : undefined;
		if (copy === undefined && entry === value && shown === name) continue;
		copy ??= Object.entries(fields).slice(0, Object.keys(fields).indexOf(name));
		if (stays) copy.push([shown, entry]);
	}
	return copy === undefined ? fields : Object.fromEntries(copy);
}

/** The rule that takes sensitive fields out, also where the contract does not show them, and collects what they held. */
const withholding =
	(held: Set<string>, includeSensitiveData: boolean): Rules['stays'] =>
	(name, value, known) => {
		if (known === 'free' || known === 'fixed' || known === 'pairs') return true;
		if (typeof known === 'object' && known !== CARD_DATA) return true;
		const isAllowed = includeSensitiveData || known === 'pair';
		const isSensitive = known === 'secret' || SENSITIVE.test(name);
		if (!SECURITY_CODE.test(name) && (isAllowed || !isSensitive)) return true;
		collect(value, held);
		return false;
	};

/** All that a sensitive field holds. Of card data, dates and the holder's name stand elsewhere too. */
function collect(value: unknown, held: Set<string>): void {
	const values = [value];
	// The list grows while it is walked: what is nested deep would end the stack.
	for (const one of values) {
		if (typeof one === 'string' || typeof one === 'number') held.add(String(one).trim());
		if (typeof one !== 'object' || one === null) continue;
		for (const [name, inner] of Object.entries(one)) {
			if (typeof CARD_DATA.get(name) !== 'string' || CARD_DATA.get(name) === 'secret') {
				values.push(inner);
			}
		}
	}
}
