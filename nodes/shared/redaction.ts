import type { IDataObject } from 'n8n-workflow';

/**
 * Keeps card data, payment tokens and the API key from leaving the nodes (service-interface.md, section
 * "Charge": "Card data and tokens are sensitive").
 */

/** Never leaves, whatever the user chose: nobody may store it once a payment is authorised. */
const ALWAYS_REMOVED = /^(?:security_?code|cv[cv]2?)$/i;
/** Leave only when the user asked for them. */
const SENSITIVE = /^(?:card_?data|card_?number|token)$/i;
/** The merchant's own key-value pairs (section "Checkout session"): a key named token is not a payment token. */
const MERCHANT_DATA = 'metadata';
/** A shorter secret is no real one, or a mere three digits; replacing it would mangle ordinary text. */
const SHORTEST_TO_REPLACE = 8;

export const REDACTED = '[redacted]';

export interface RedactionOptions {
	/** The credential's key: should the service echo it, it is replaced wherever it stands. */
	readonly apiKey: string;
	/** Whether card data and tokens stay, security codes excepted. */
	readonly includeSensitiveData?: boolean;
}

/** A copy of a record of the service without secrets, at every depth; also where another field repeats them. */
export function redactRecord(
	record: IDataObject,
	{ apiKey, includeSensitiveData = false }: RedactionOptions,
): IDataObject {
	const secrets = [apiKey.trim(), ...(includeSensitiveData ? [] : sensitiveTexts(record))];
	const spellings = [...new Set(secrets)].filter(isLongEnough).flatMap(spellingsOf);

	const redact = (value: unknown, inMerchantData: boolean): unknown => {
		if (typeof value === 'string') return without(value, spellings);
		if (Array.isArray(value)) return value.map((entry) => redact(entry, inMerchantData));
		if (typeof value !== 'object' || value === null) return value;
		const copy: Record<string, unknown> = {};
		for (const [name, entry] of Object.entries(value)) {
			if (ALWAYS_REMOVED.test(name)) continue;
			if (SENSITIVE.test(name) && !inMerchantData && !includeSensitiveData) continue;
			setOwn(
				copy,
				without(name, spellings),
				redact(entry, inMerchantData || name === MERCHANT_DATA),
			);
		}
		return copy;
	};
	return redact(record, false) as IDataObject;
}

/** A record may hold a field named __proto__: as an own property it does no harm. Others are set the faster way. */
function setOwn(record: Record<string, unknown>, name: string, value: unknown): void {
	if (name !== '__proto__') record[name] = value;
	else Object.defineProperty(record, name, { value, enumerable: true, writable: true });
}

/** The texts of the fields that are removed for being sensitive, the merchant's own data left out. */
function sensitiveTexts(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(sensitiveTexts);
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, entry]) => {
		if (name === MERCHANT_DATA) return [];
		const isSecret =
			typeof entry === 'string' && (SENSITIVE.test(name) || ALWAYS_REMOVED.test(name));
		return isSecret ? [entry.trim()] : sensitiveTexts(entry);
	});
}

const isLongEnough = (secret: string): boolean => secret.length >= SHORTEST_TO_REPLACE;

const spellingsOf = (secret: string): string[] => [
	...new Set([secret, encodeURIComponent(secret)]),
];

const without = (text: string, spellings: readonly string[]): string =>
	spellings.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);

/** "token": "…", token=…, security code 917; a word that merely follows is no secret unless it has a digit. */
const NAMED_SECRET =
	/((?:security[\s_-]?code|cv[cv]2?|token(?:_?id)?)\b[\\"']*\s*(?:[:=]|\bis\b)?\s*)(\\?"[^"]*"|'[^']*'|[^\s"'\\,;{}<>]+)/gi;

/** A UUID, which is left alone though it may hold many digits, or else the digits of what may be a card number. */
const UUID_OR_CARD_NUMBER =
	/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/gi;

/** Text of the service or of a failed request, for an error or a log line: without key, card numbers, codes, tokens. */
export function redactText(text: string, apiKey: string): string {
	const key = apiKey.trim();
	const named: string[] = [];
	const unnamed = without(text, isLongEnough(key) ? spellingsOf(key) : []).replace(
		NAMED_SECRET,
		(found, name: string, value: string) => {
			if (!/[:=]/.test(name) && !/\d/.test(value)) return found;
			named.push(value.replace(/[\\"']/g, ''));
			return name + REDACTED;
		},
	);
	// What was named once may stand elsewhere without its name.
	return without(unnamed, named.filter(isLongEnough)).replace(UUID_OR_CARD_NUMBER, (found) =>
		isCardNumber(found) ? REDACTED : found,
	);
}

/** Luhn check, so that reference numbers of the same length stay readable. */
function isCardNumber(text: string): boolean {
	if (/[a-f]/i.test(text)) return false;
	const digits = text.replace(/\D/g, '');
	if (digits.length > 19) return false;
	let sum = 0;
	for (let place = 0; place < digits.length; place++) {
		const digit = Number(digits[digits.length - 1 - place]);
		const doubled = place % 2 === 1 ? digit * 2 : digit;
		sum += doubled > 9 ? doubled - 9 : doubled;
	}
	return sum % 10 === 0;
}
