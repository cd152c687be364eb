import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../isRecord';
import { plainText } from '../plainText';
import { ServiceFailure } from '../errors/failures';
import type { ServiceRequest } from './request';

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
export function kindOf(body: unknown): string {
	if (typeof body !== 'string') {
		if (body === null || body === undefined) return 'nothing';
		return Array.isArray(body) ? `a list of ${body.length}` : `a ${typeof body}`;
	}
	if (body.trim() === '') return 'an empty body';
	return /^\s*</.test(body)
		? `an HTML page (${body.length} characters)`
		: `text that is not JSON (${body.length} characters)`;
}

/** How a service says that it has nothing there. */
export const NOT_FOUND = 404;

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

/** What a service may put beside a success that is none. The document shows none of these fields. */
const SUCCESS_FIELDS = ['success', 'ok', 'deleted'] as const;
const FAILED = /fail|error|reject|refus|declin|denied|invalid/i;

/** Whether the body of a success says that it is none: by a flag, by errors, or by its status. */
export function isTakenBack(body: Readonly<Record<string, unknown>>): boolean {
	const { errors, status } = body;
	const isDenied = SUCCESS_FIELDS.some((name) => body[name] === false || body[name] === 'false');
	const hasErrors = Boolean(errors) && Object.keys(Object(errors) as object).length > 0;
	return isDenied || hasErrors || FAILED.test(plainText(status));
}
