import type { Failure } from '../errors/failure';
import { isRecord } from '../isRecord';
import { redactText } from '../redaction/redactText';

/** Of a message of the service; a longer one is cut. */
const MAX_MESSAGE_LENGTH = 500;
const MAX_SEARCHED = 20_000;
/** Of a body that is no JSON; a longer one is a page or a dump. */
const MAX_PLAIN_LENGTH = 300;
const MAX_TEXTS = 20;
/** Levels of a body that are looked into. */
const MAX_DEPTH = 6;

/** Where services say what is wrong. */
const REASONS = [
	'error',
	'error_description',
	'message',
	'messages',
	'msg',
	'detail',
	'details',
	'errors',
	'non_field_errors',
] as const;
/** Records have them, too: they count where nothing else does, and no record is said to be. */
const HEADINGS = ['title', 'description'] as const;

const FIELD_NAME = /^\w[\w.-]{0,59}$/;

/**
 * What the service says of a failure, without secrets. docs/service.md, Errors shows one body shape, for one operation:
 * the places that other services use are read as well. Nothing else of a body is shown, since it may repeat a record.
 */
export function serviceError(
	body: unknown,
	apiKey: string,
): Pick<Failure, 'serviceMessage' | 'serviceCode'> {
	const message = typeof body === 'string' ? plainReason(body) : reasonIn(body);
	const code = codeIn(body);
	return {
		...(message === '' ? {} : { serviceMessage: beginningOf(message, apiKey) }),
		...(code === undefined ? {} : { serviceCode: beginningOf(code, apiKey) }),
	};
}

/** Without secrets. Nothing is shown of what is not searched. */
const beginningOf = (text: string, apiKey: string): string =>
	redactText(text.slice(0, MAX_SEARCHED), apiKey).slice(0, MAX_MESSAGE_LENGTH);

/** A body that is no JSON, if it is a sentence and neither a page nor JSON that breaks off. */
function plainReason(body: string): string {
	const text = body.trim();
	return text.length <= MAX_PLAIN_LENGTH && !/^["[{]|<[a-z!/?]/i.test(text) ? text : '';
}

function codeIn(body: unknown): string | undefined {
	const record: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	const error = isRecord(record) ? record['error'] : undefined;
	const code = isRecord(error) ? error['code'] : undefined;
	return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined;
}

function reasonIn(body: unknown): string {
	const found = new Set<string>();
	let length = 0;
	for (const text of reasons(body, '', 1)) {
		if (!found.has(text)) length += text.length;
		found.add(text);
		if (found.size === MAX_TEXTS || length > MAX_SEARCHED) break;
	}
	return [...found].join('; ');
}

/** The texts that say what is wrong, each with the name of its field where it has one. */
function* reasons(value: unknown, field: string, depth: number): Generator<string> {
	if (typeof value === 'string' && value.trim() !== '') {
		yield field === '' ? value.trim() : `${field}: ${value.trim()}`;
	}
	if (depth > MAX_DEPTH) return;
	if (Array.isArray(value)) {
		for (const entry of value as unknown[]) yield* reasons(entry, field, depth + 1);
	}
	if (!isRecord(value)) return;
	const named = fieldNamed(value) || field;
	yield* orElse(reasonsUnder(REASONS, value, named, depth), () =>
		orElse(fieldReasons(value, '', depth), () => headings(value, named, depth)),
	);
}

function* reasonsUnder(
	names: readonly string[],
	record: Record<string, unknown>,
	field: string,
	depth: number,
): Generator<string> {
	for (const name of names) yield* reasons(record[name], field, depth + 1);
}

function headings(record: Record<string, unknown>, field: string, depth: number): Iterable<string> {
	const isRecordOfService = record['id'] !== undefined;
	const texts = HEADINGS.filter((name) => typeof record[name] === 'string');
	return isRecordOfService ? [] : reasonsUnder(texts, record, field, depth);
}

function* orElse(texts: Iterable<string>, otherwise: () => Iterable<string>): Generator<string> {
	let isEmpty = true;
	for (const text of texts) {
		isEmpty = false;
		yield text;
	}
	if (isEmpty) yield* otherwise();
}

/** Lists of texts under the names of fields, as `{ "amount": ["A valid number is required."] }`: nothing else. */
function* fieldReasons(
	record: Record<string, unknown>,
	above: string,
	depth: number,
): Generator<string> {
	for (const [name, value] of Object.entries(record)) {
		if (depth > MAX_DEPTH || name === 'code' || !FIELD_NAME.test(name)) continue;
		const path = above === '' ? name : `${above}.${name}`;
		for (const entry of Array.isArray(value) ? (value as unknown[]) : [value]) {
			if (isRecord(entry)) yield* fieldReasons(entry, path, depth + 1);
			else if (Array.isArray(value)) yield* reasons(entry, path, MAX_DEPTH + 1);
		}
	}
}

/** The field that an entry of a list of errors is about: `field`, or the last step of `loc`. */
function fieldNamed({ field, loc }: Record<string, unknown>): string {
	const name: unknown = Array.isArray(loc) ? loc.at(-1) : field;
	return typeof name === 'string' && FIELD_NAME.test(name) ? name : '';
}
