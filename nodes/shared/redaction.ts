import type { IDataObject } from 'n8n-workflow';

/**
 * Keeps card data, payment tokens and the API key from leaving the nodes (service-interface.md, section
 * "Charge": "Card data and tokens are sensitive").
 */

/** Never leaves, whatever the user chose: nobody may store it once a payment is authorised. */
const ALWAYS_REMOVED = new Set(['security_code']);
/** Leave only when the user asked for them. */
const SENSITIVE = new Set(['card_data', 'card_number', 'token']);
/** The merchant's own key-value pairs (section "Checkout session"): a key named token is not a payment token. */
const MERCHANT_DATA = 'metadata';
/** A shorter key is no real one; replacing it would mangle ordinary text. */
const SHORTEST_KEY_TO_REPLACE = 8;

export const REDACTED = '[redacted]';

export interface RedactionOptions {
	/** The credential's key: should the service echo it, it is replaced wherever it stands. */
	readonly apiKey: string;
	/** Whether card data and tokens stay, security codes excepted. */
	readonly includeSensitiveData?: boolean;
}

/** A copy of a record of the service without secrets, at every depth. */
export function redactRecord(record: IDataObject, options: RedactionOptions): IDataObject {
	return redactValue(record, options, false) as IDataObject;
}

function redactValue(value: unknown, options: RedactionOptions, inMerchantData: boolean): unknown {
	if (typeof value === 'string') return withoutKey(value, options.apiKey);
	if (Array.isArray(value))
		return value.map((entry) => redactValue(entry, options, inMerchantData));
	if (typeof value !== 'object' || value === null) return value;
	const copy: Record<string, unknown> = {};
	for (const [name, entry] of Object.entries(value)) {
		if (ALWAYS_REMOVED.has(name)) continue;
		if (SENSITIVE.has(name) && !inMerchantData && options.includeSensitiveData !== true) continue;
		// A record may hold a key named __proto__: as an own property it does no harm.
		Object.defineProperty(copy, name, {
			value: redactValue(entry, options, inMerchantData || name === MERCHANT_DATA),
			enumerable: true,
			writable: true,
			configurable: true,
		});
	}
	return copy;
}

/** Text of the service or of a failed request, for an error or a log line: without key, card numbers, codes, tokens. */
export function redactText(text: string, apiKey: string): string {
	return withoutKey(text, apiKey)
		.replace(
			/("?(?:security_code|token|cvv|cvc)"?\s*[:=]\s*)("[^"]*"|[^\s,;}]+)/gi,
			`$1${REDACTED}`,
		)
		.replace(/(?<![0-9a-f-])\d(?:[ -]?\d){12,18}(?![0-9a-f-])/gi, (digits) =>
			isCardNumber(digits) ? REDACTED : digits,
		);
}

function withoutKey(text: string, apiKey: string): string {
	const key = apiKey.trim();
	if (key.length < SHORTEST_KEY_TO_REPLACE) return text;
	return text.replaceAll(key, REDACTED).replaceAll(encodeURIComponent(key), REDACTED);
}

/** Luhn check, so that reference numbers of the same length stay readable. */
function isCardNumber(text: string): boolean {
	const digits = text.replace(/\D/g, '');
	let sum = 0;
	for (let place = 0; place < digits.length; place++) {
		const digit = Number(digits[digits.length - 1 - place]);
		const doubled = place % 2 === 1 ? digit * 2 : digit;
		sum += doubled > 9 ? doubled - 9 : doubled;
	}
	return sum % 10 === 0;
}
