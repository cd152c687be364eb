import type { FastifyError } from 'fastify';
import { ZodError } from 'zod';
import type { ErrorBody } from '../contract/schemas/error';

/**
 * docs/service.md, Errors: `{ error: { message, code } }`. Statuses and codes are not documented; assumed here:
 * 400 invalid_request, 401 authentication_failed, 403 forbidden, 404 not_found, 409 nothing_left_to_refund and
 * charge_not_refundable, 422 amount_exceeds_remaining and partial_refund_not_allowed.
 */
export class ServiceError extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
	) {
		super(message);
	}
}

export const invalid = (message: string) => new ServiceError(400, 'invalid_request', message);

/** @param what such as "checkoutSession", which the message separates into words */
export function notFound(what: string, id: string | number): ServiceError {
	const words = what.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	return new ServiceError(404, 'not_found', `No ${words} with id ${id}`);
}

export const errorBody = (code: string, message: string): ErrorBody => ({
	error: { message, code },
});

/** Turns whatever a handler threw into a status and a body in the service's shape. */
export function toAnswer(error: unknown): { status: number; body: ErrorBody } {
	if (error instanceof ServiceError) {
		return { status: error.status, body: errorBody(error.code, error.message) };
	}
	if (error instanceof ZodError) {
		return { status: 400, body: errorBody('invalid_request', describe(error)) };
	}
	const { statusCode = 500, code, message } = error as Partial<FastifyError>;
	if (statusCode < 500 && code !== undefined) {
		const name = statusCode === 400 ? 'invalid_request' : code.toLowerCase();
		return { status: statusCode, body: errorBody(name, String(message)) };
	}
	return { status: 500, body: errorBody('internal_error', `Fault of the sandbox: ${message}`) };
}

/** Every issue as "field: what is wrong", so that the message names the field. */
function describe(error: ZodError): string {
	return error.issues
		.map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
		.join('; ');
}
