import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../errors/failure';
import { asSeen, isRecord, plainText } from '../values';
import { shownText } from '../redaction/redactText';
import type { ServiceRequest } from './request';

/** Of a body that is no JSON; a longer one is a page or a dump. */
const MAX_PLAIN_LENGTH = 300;
/** Levels of a body that are looked into. */
const MAX_DEPTH = 4;
/** Where services say what is wrong. */
const REASONS = ['error', 'message', 'msg', 'detail', 'errors'] as const;
const FIELD_NAME = /^\w[\w.-]{0,59}$/;

/** What an unexpected body is, in words. */
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

const NO_CONTENT = 204;

/**
 * What every success must hold, by what its endpoint answers (docs/service.md, What a success is).
 *
 * @returns the record, empty where there was no body and none is needed; a list as its envelope, with `results`
 *   in any case; or in words what came instead
 */
export function successOf(
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
		const isOfNone = results === null && String(count) === '0';
		return isOfNone ? { ...body, results: [] } : 'an object without a results list';
	}
	if (answers === 'record' && asSeen(plainText(id)) === '') return 'an object without an ID';
	if (
		answers === 'confirmation' &&
		(typeof message !== 'string' || shownText(message, '') === '')
	) {
		return 'no message that confirms the refund';
	}
	// A link that is still there may be answered as well as one that is gone.
	if (answers === 'deletion' && String(deleted ?? success) !== 'true') {
		return 'an object that does not say that it is deleted';
	}
	return body as IDataObject;
}

/** The rows of a list, which {@link successOf} has seen to be one. */
export const rowsOf = ({ results }: IDataObject): unknown[] =>
	Array.isArray(results) ? results : [];

/** A list (docs/service.md, Lists), and whatever else comes in its place, may stand in a one-element array. */
export const unwrapped = (body: unknown, { endpoint }: ServiceRequest): unknown =>
	endpoint.answers === 'list' && Array.isArray(body) && body.length === 1 ? body[0] : body;

/** By an HTTP status, or by one of these words in it. 0 is no failure: many services mean success by it. */
const FAILED =
	/^\s*(?:false|no|ko|nok|[45]\d\d)\s*$|(?:^|[^a-z])(?:(?:abort|cancel|declin|denie|err|exception|fail|forbid|invalid|refus|reject|timeout|unauthori|unsuccess|void)[a-z]*|not)(?:$|[^a-z])/i;

/** Whether a `status` says that nothing was done. */
export const hasFailed = (status: unknown): boolean => FAILED.test(String(status));

/**
 * Whether the body of a success says that it is none: by any `error`, by `errors`, by `success` or `ok` that are false,
 * or by a `status`, `state` or `result` in a body that is not the record that was asked for. No record of the service has
 * the first four. A refund and a new link have no record that was asked for.
 */
export function saysFailed(body: unknown, { endpoint, id: asked }: ServiceRequest): boolean {
	if (!isRecord(body)) return false;
	const { id, error, errors, success, ok, status, state, result } = body;
	if ([success, ok].some((one) => /^\s*(?:false|no|0)\s*$/i.test(String(one)))) return true;
	// With a message, and nothing but blanks, it is the form of no error.
	const isEmpty = isRecord(error) && Object.values(error).every(isBlank) && 'message' in error;
	if (!isBlank(error) && !/^(?:false|0)$/.test(String(error)) && !isEmpty) return true;
	if (typeof errors === 'object' ? Object.keys(errors ?? {}).length > 0 : Boolean(errors))
		return true;
	const own = asSeen(plainText(id)).toLowerCase();
	const isRecordItself = endpoint.answers !== 'confirmation' && own === asked?.toLowerCase();
	return !isRecordItself && [status, state, result].some(hasFailed);
}

/**
 * What the service says of a failure, without secrets. docs/service.md, Errors shows one body shape, for one operation;
 * the most usual places of other services are read as well. Nothing else of a body is shown, since it may repeat a record.
 */
export function serviceError(
	body: unknown,
	apiKey: string,
): Pick<Failure, 'serviceMessage' | 'serviceCode'> {
	const texts = typeof body === 'string' ? sentenceIn(body) : [...new Set(reasonsIn(body))];
	const error = isRecord(body) ? body['error'] : undefined;
	const serviceMessage = shownText(texts.join('; '), apiKey);
	const serviceCode = shownText(isRecord(error) ? error['code'] : '', apiKey);
	return {
		...(serviceMessage === '' ? {} : { serviceMessage }),
		...(serviceCode === '' ? {} : { serviceCode }),
	};
}

/** A body that is no JSON, if it is a sentence and neither a page nor JSON that breaks off. */
function sentenceIn(body: string): string[] {
	const text = body.trim();
	return text.length <= MAX_PLAIN_LENGTH && /^[^"[{<]/.test(text) ? [text] : [];
}

/** Of a success that is not as documented, and may be a record: what stands where services say what is wrong. */
export function wordsIn(body: unknown, apiKey: string): Pick<Failure, 'serviceMessage'> {
	if (!isRecord(body)) return {};
	return serviceError(Object.fromEntries(REASONS.map((name) => [name, body[name]])), apiKey);
}

/** The texts where a service says what is wrong; where there are none, lists of texts under the names of fields. */
function reasonsIn(value: unknown, depth = 1): string[] {
	if (typeof value === 'string') return isBlank(value) ? [] : [value.trim()];
	if (depth > MAX_DEPTH) return [];
	if (Array.isArray(value)) return value.flatMap((entry) => reasonsIn(entry, depth + 1));
	if (!isRecord(value)) return [];
	const reasons = REASONS.flatMap((name) => reasonsIn(value[name], depth + 1));
	return reasons.length > 0 ? reasons : fieldReasonsIn(value);
}

/** Of `{ "amount": ["A valid number is required."] }`. */
function fieldReasonsIn(record: Record<string, unknown>): string[] {
	return Object.entries(record)
		.filter(([name]) => FIELD_NAME.test(name))
		.flatMap(([name, value]) => {
			const texts = Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
			return texts.map((text) => `${name}: ${text.trim()}`);
		});
}
