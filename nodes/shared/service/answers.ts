import type { IDataObject } from 'n8n-workflow';
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

/** The body of an answer as one record. @throws {ServiceFailure} when it is anything else */
export function asRecord(body: unknown, request: ServiceRequest): IDataObject {
	if (typeof body !== 'object' || body === null || Array.isArray(body))
		throw malformed(request, kindOf(body));
	return body as IDataObject;
}
