import type { IDataObject } from 'n8n-workflow';
import { CURRENCY_CODE_LENGTH } from '../../../contract/constants';
import { InputError, notOfKind, quoted } from '../errors/reportedError';
import { asSeen, plainText, searchText, trimmed } from '../values';

export interface CheckContext {
	/** The body so far, from the fields above this one. */
	readonly body: Readonly<IDataObject>;
	/** IANA name of the workflow's time zone. */
	readonly timeZone: string;
}

/**
 * Checks a single value, given as a literal or an expression: n8n's own minimum, maximum and pattern only guide the editor.
 *
 * @param label the field's name in messages, in quotes @returns the value to send
 * @throws {InputError} naming field, limit and the value's size
 */
export type Check<Value> = (value: unknown, label: string, context: CheckContext) => Value;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** One path segment that needs no encoding (RFC 3986, pchar), so that no proxy reads it as several. Dots alone change the path. */
const SAFE_ID = /^(?!\.{1,2}$)[A-Za-z0-9._~:@!$&'()*+,;=-]{1,128}$/;

export const isNothing = (value: unknown): boolean =>
	value === undefined || value === null || value === '';

/** Counts code points, so that most emojis count once. A service that counts more refuses a longer text itself. */
export function checkText(value: unknown, label: string, maxLength = Infinity): string {
	const isText = typeof value === 'string' || typeof value === 'number';
	if (!isText) throw notOfKind(value, label, 'be text');
	const text = String(value);
	if (text.length <= maxLength) return text;
	const { length } = Array.from(text);
	if (length <= maxLength) return text;
	throw new InputError(`${label} is ${length} characters long: the limit is ${maxLength}`);
}

export function checkRequiredText(value: unknown, label: string): string {
	const text = isNothing(value) ? '' : checkText(value, label);
	if (trimmed(text) === '') throw new InputError(`${label} is empty`);
	return text;
}

/** Trims the text of a filter: a space at its end, as sheets have it, would find nothing. */
export const checkFilter = (value: unknown, label: string): string =>
	searchText(checkRequiredText(value, label));

/** Accepts an ID in a filter, which is documented as text of any form. */
export const checkIdText = (value: unknown, label: string): string =>
	asSeen(checkRequiredText(value, label));

export function checkInteger(value: unknown, label: string, least: number, most: number): number {
	const text = typeof value === 'string' ? asSeen(value) : '';
	// A sheet may write 2 as 2.0.
	const number = /^-?\d+(?:\.0+)?$/.test(text) ? Number(text) : value;
	const isWhole = typeof number === 'number' && Number.isInteger(number);
	if (isWhole && number >= least && number <= most) return number;
	throw notOfKind(value, label, `be a whole number from ${least} to ${most}`);
}

export function checkBoolean(value: unknown, label: string): boolean {
	if (typeof value === 'boolean') return value;
	const text = typeof value === 'string' ? asSeen(value).toLowerCase() : '';
	if (text === 'true' || text === 'false') return text === 'true';
	throw notOfKind(value, label, 'be true or false');
}

/** Returns three letters in capitals. The service decides about a code that ISO 4217 does not list. */
export function checkCurrency(value: unknown, label: string): string {
	const code = typeof value === 'string' ? asSeen(value).toUpperCase() : '';
	if (/^[A-Z]+$/.test(code) && code.length === CURRENCY_CODE_LENGTH) return code;
	if (isNothing(value)) throw new InputError(`${label} is empty: choose a currency`);
	throw new InputError(
		`${label} is ${quoted(value)}, length ${code.length}: it must be a ${CURRENCY_CODE_LENGTH}-letter ISO 4217 code such as USD`,
	);
}

export function checkOneOf<Value extends string>(
	value: unknown,
	label: string,
	allowed: readonly Value[],
): Value {
	const text = typeof value === 'string' ? asSeen(value).toLowerCase() : '';
	const found = allowed.find((one) => one.toLowerCase() === text);
	if (found !== undefined) return found;
	throw notOfKind(value, label, `be one of ${allowed.join(', ')}`);
}

/** @param advice where the user finds the ID */
const uuidCheck = (advice?: string) => (value: unknown, label: string) => {
	const id = typeof value === 'string' ? asSeen(value) : value;
	if (typeof id === 'string' && UUID.test(id)) return id;
	if (isNothing(id)) throw new InputError(`${label} is empty`);
	throw notOfKind(value, label, 'be a UUID such as 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b', advice);
};

export const checkUuid = uuidCheck();

export const checkChargeId = uuidCheck(
	"To find a charge by its reference, such as #1042, choose 'From List' and search for it. Nothing was sent.",
);

export const checkLinkId = uuidCheck(
	'Enter the id that the Create operation returned, not the reference or the URL of the payment page. Nothing was sent.',
);

/** Accepts an identifier whose form is not documented. */
export function checkId(value: unknown, label: string): string {
	const id = asSeen(plainText(value));
	if (SAFE_ID.test(id)) return id;
	if (isNothing(value)) throw new InputError(`${label} is empty`);
	const characters = "letters, digits or any of . _ ~ : @ ! $ & ' ( ) * + , ; = -";
	throw notOfKind(value, label, `have at most 128 characters: ${characters}`);
}

export function checkUrl(value: unknown, label: string): string {
	const text = typeof value === 'string' ? asSeen(value) : '';
	// Longer hosts don't exist, and some take seconds to parse.
	if (/^https?:\/\/[^\s/?#]{1,1000}(?:[/?#]|$)/i.test(text) && URL.canParse(text)) return text;
	throw notOfKind(value, label, 'be a URL that begins with http:// or https://');
}
