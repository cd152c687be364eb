import type { IDataObject } from 'n8n-workflow';
import { RECORD_STATUSES } from '../../../contract/constants';
import type { Failure } from '../errors/failure';
import { asSeen, isRecord, plainText } from '../values';
import { shownText } from '../redaction/redactText';
import type { ServiceRequest } from './request';

/** A sentence, not a web page, a dump or cut-off JSON. */
const SENTENCE = /^[^"[{<].{0,299}$/s;
/** How deep to search a body for reasons: deeper ones have paths too long to show. */
const MAX_REASON_DEPTH = 10;
/** Fields in which services say what is wrong. */
const REASONS = 'error_description error message msg detail errors'.split(' ');
/** Names of fields that can contain reasons. Not `code`: it is shown after the message. */
const FIELD_NAME = /^(?!code$)[a-z\d][\w.-]{0,59}$/i;

function kindOf(body: unknown): string {
	if (typeof body !== 'string') {
		if (body === null || body === undefined) return 'nothing';
		return Array.isArray(body) ? `a list of ${body.length}` : `a ${typeof body}`;
	}
	if (isBlank(body)) return 'an empty body';
	return /^\s*</.test(body)
		? `an HTML page (${body.length} characters)`
		: `text that is not JSON (${body.length} characters)`;
}

const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Empty for an object or a list, whose conversion can fail. */
const asText = (value: unknown): string =>
	typeof value === 'boolean' ? String(value) : plainText(value);

const NO_CONTENT = 204;

/**
 * Checks what every success must contain, by endpoint (docs/service.md, What a success is).
 *
 * @returns the record, empty if no body is needed; a list always with `results`; or in words what arrived instead
 */
export function recordOrProblem(
	body: unknown,
	status: number,
	{ endpoint: { answers } }: ServiceRequest,
): IDataObject | string {
	const isEmpty = isBlank(body);
	if (isEmpty && answers === 'list' && status === NO_CONTENT) return { results: [] };
	if (isEmpty && (answers === 'change' || answers === 'deletion')) return {};
	if (!isRecord(body)) return kindOf(body);
	const { id, message, deleted, success, results, count } = body;
	if (answers === 'list' && !Array.isArray(results)) {
		const isEmptyList = results === null && asText(count) === '0';
		return isEmptyList ? { ...body, results: [] } : 'an object without a results list';
	}
	if (answers === 'record' && asSeen(plainText(id)) === '') return 'an object without an ID';
	const isConfirmed = typeof message === 'string' && shownText(message, '') !== '';
	if (answers === 'confirmation' && !isConfirmed) return 'no message that confirms the refund';
	// Without a true `deleted` or `success`, the body can be a link that still exists.
	if (answers === 'deletion' && asText(deleted ?? success) !== 'true') {
		return 'an object that does not say that it is deleted';
	}
	return body as IDataObject;
}

/** The list was checked by {@link recordOrProblem}. */
export const rowsOf = ({ results }: IDataObject): unknown[] =>
	Array.isArray(results) ? results : [];

/** A list (docs/service.md, Lists), or an error in its place, can be in a one-element array. */
export const unwrapped = (body: unknown, { endpoint }: ServiceRequest): unknown =>
	endpoint.answers === 'list' && Array.isArray(body) && body.length === 1 ? body[0] : body;

/** An HTTP error status, or one of these words. 0 is no failure: many services mean success by it. */
const FAILED =
	/^\s*(?:false|no|ko|nok|[45]\d\d)\s*$|(?:^|[^a-z])(?:(?:abort|cancel|declin|denie|err|exception|fail|forbid|invalid|refus|reject|timeout|unauthori|unsuccess|void)[a-z]*|not)(?:$|[^a-z])/i;

export const hasFailed = (status: unknown): boolean => FAILED.test(asText(status));

/**
 * True if the body of a success reports a failure: by `error` or `errors`, by a false `success` or `ok`, or by a failed
 * `status`, `state` or `result`. These three describe the requested record (same ID), so they are ignored there. A read ignores
 * a documented `status` even without the same ID, which the service can write differently.
 */
export function saysFailed(body: unknown, { endpoint, id: asked }: ServiceRequest): boolean {
	if (!isRecord(body)) return false;
	const { id, error, errors, success, ok, status, state, result } = body;
	if ([success, ok].some((one) => /^\s*(?:false|no|0)\s*$/i.test(asText(one)))) return true;
	// An `error` object with only blanks, one of them `message`, means no error.
	const isEmpty = isRecord(error) && Object.values(error).every(isBlank) && 'message' in error;
	if (!isBlank(error) && !/^(?:false|0)$/.test(asText(error)) && !isEmpty) return true;
	if (typeof errors === 'object' ? Object.keys(errors ?? {}).length > 0 : Boolean(errors))
		return true;
	const plain = (text: unknown): string => asSeen(plainText(text)).toLowerCase();
	const isRequested = endpoint.answers !== 'confirmation' && plain(id) === asked?.toLowerCase();
	const isDocumented = endpoint.method === 'GET' && RECORD_STATUSES.includes(plain(status));
	return !isRequested && [isDocumented ? '' : status, state, result].some(hasFailed);
}

/** Reads the reasons of an error (docs/service.md, Errors). A body with an `id` shows only REASONS: the rest can be a record. */
export function serviceError(
	body: unknown,
	apiKey: string,
): Pick<Failure, 'serviceMessage' | 'serviceCode'> {
	const isReadable = typeof body !== 'string' || SENTENCE.test(body.trim());
	const texts = new Set(isReadable ? reasonsIn(body) : []);
	const error = isRecord(body) ? body['error'] : undefined;
	const serviceMessage = shownText([...texts].join('; '), apiKey);
	const serviceCode = shownText(isRecord(error) ? error['code'] : '', apiKey);
	return { ...(serviceMessage && { serviceMessage }), ...(serviceCode && { serviceCode }) };
}

/** A success that is not as documented can be a record, so only the usual places are searched. */
export function usualReasons(body: unknown, apiKey: string): Pick<Failure, 'serviceMessage'> {
	if (!isRecord(body)) return {};
	return serviceError(Object.fromEntries(REASONS.map((name) => [name, body[name]])), apiKey);
}

/** Texts in REASONS. Without any, all texts with their path: { items: [{}, { name: ['required'] }] } is "items 2, name: required". */
function reasonsIn(value: unknown, path = '', depth = 0): string[] {
	if (typeof value === 'string')
		return isBlank(value) ? [] : [(path && `${path}: `) + value.trim()];
	const searched = (one: unknown, at = path): string[] =>
		depth < MAX_REASON_DEPTH ? reasonsIn(one, at, depth + 1) : [];
	if (Array.isArray(value)) {
		return value.flatMap((one: unknown, index) =>
			searched(one, path && isRecord(one) ? `${path} ${index + 1}` : path),
		);
	}
	if (!isRecord(value)) return [];
	const { id, title } = value;
	// A record's title is no reason.
	const isOfRecord = /^\S+$/.test(plainText(id));
	const titles = isOfRecord || typeof title !== 'string' ? [] : searched(title);
	const reasons = [...titles, ...REASONS.flatMap((name) => searched(value[name]))];
	if (reasons.length > 0 || isOfRecord) return reasons;
	const isField = (name: string): boolean => FIELD_NAME.test(name) && !REASONS.includes(name);
	const fields = Object.keys(value).filter(isField);
	return fields.flatMap((name) => {
		// Django REST Framework's name for errors of no single field.
		const own = name === 'non_field_errors' ? '' : name;
		return searched(value[name], [path, own].filter(Boolean).join(', '));
	});
}
