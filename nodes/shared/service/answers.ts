import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../errors/failure';
import { ServiceFailure } from '../errors/reportedError';
import { plainText, isRecord } from '../values';
import { redactText } from '../redaction/redactText';
import type { ServiceRequest } from './request';

/** Of a message of the service; a longer one is cut. */
const MAX_MESSAGE_LENGTH = 500;
const MAX_SEARCHED = 20_000;
/** Of a body that is no JSON; a longer one is a page or a dump. */
const MAX_PLAIN_LENGTH = 300;
/** Levels of a body that are looked into. */
const MAX_DEPTH = 4;
/** Where services say what is wrong. */
const REASONS = ['error', 'message', 'msg', 'detail', 'errors'] as const;
const FIELD_NAME = /^\w[\w.-]{0,59}$/;

/**
 * A success whose body is not what the document shows.
 *
 * @param whatCame the body's kind and size only: what it holds may be anything, card data too
 */
export function malformed(request: ServiceRequest, whatCame: string): ServiceFailure {
	const isWrite = request.endpoint.method !== 'GET';
	return new ServiceFailure({
		kind: 'malformed',
		request: `${request.endpoint.method} ${request.endpoint.path}`,
		isWrite,
		detail: whatCame,
		attempts: 1,
		notExecuted: !isWrite,
	});
}

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

/** Whether an answer has no body. */
export const isBlank = (body: unknown): boolean =>
	body === undefined || body === null || (typeof body === 'string' && body.trim() === '');

/**
 * The envelope of a list (docs/service.md, Lists), which may stand in a one-element array.
 *
 * @throws {ServiceFailure} when the body is none
 */
export function envelopeOf(
	body: unknown,
	request: ServiceRequest,
): Record<string, unknown> & { readonly results: readonly unknown[] } {
	const envelope: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	if (!isRecord(envelope)) throw malformed(request, kindOf(body));
	const { results } = envelope;
	if (!Array.isArray(results)) throw malformed(request, 'an object without a results list');
	return { ...envelope, results };
}

/** The body of an answer as one record. @throws {ServiceFailure} when it is anything else */
export function asRecord(body: unknown, request: ServiceRequest): IDataObject {
	if (!isRecord(body)) throw malformed(request, kindOf(body));
	return body as IDataObject;
}

/**
 * Whether the body of a success says that it is none: by any `error`, or by `success: false`. No record of the service has
 * these fields.
 */
export function saysFailed(body: unknown): boolean {
	if (!isRecord(body)) return false;
	const { error, success } = body;
	return success === false || !(isBlank(error) || error === false);
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
	const code = isRecord(error) ? plainText(error['code']) : '';
	// Nothing is shown of what is not searched.
	const shown = (text: string): string =>
		cutBetweenWords(redactText(text.slice(0, MAX_SEARCHED), apiKey));
	return {
		...(texts.length === 0 ? {} : { serviceMessage: shown(texts.join('; ')) }),
		...(code === '' ? {} : { serviceCode: shown(code) }),
	};
}

/** Of half a token that a charge holds, nobody could tell any more that it is one. A language without spaces has none. */
function cutBetweenWords(text: string): string {
	if (text.length <= MAX_MESSAGE_LENGTH) return text;
	return text.slice(0, MAX_MESSAGE_LENGTH - 1).replace(/[!-~]*$/, '…');
}

/** A body that is no JSON, if it is a sentence and neither a page nor JSON that breaks off. */
function sentenceIn(body: string): string[] {
	const text = body.trim();
	return text.length <= MAX_PLAIN_LENGTH && /^[^"[{<]/.test(text) ? [text] : [];
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
