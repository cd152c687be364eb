import { AxiosError } from 'axios';
import type { AxiosResponse } from 'axios';
import type { JsonObject } from 'n8n-workflow';

import { ENDPOINTS } from '../../contract/endpoints';
import { attemptOnce } from '../../nodes/shared/service/attempt';
import { connectionFault } from '../../nodes/shared/service/connectionFault';
import { N8N_LINES } from '../support/n8nLines';

const fault = (facts: object, cause?: unknown): Error =>
	Object.assign(new Error('fault', { cause }), facts);

const REFUSED = { code: 'ECONNREFUSED', syscall: 'connect' };

describe('a connection that was never made', () => {
	it.each<[string, unknown, boolean]>([
		['refused', fault(REFUSED), true],
		[
			'refused, as the HTTP client and n8n wrap it',
			fault({}, fault({ code: 'ECONNREFUSED' }, fault(REFUSED))),
			true,
		],
		['not found', fault({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), true],
		['too slow to be made', fault({ code: 'ETIMEDOUT', syscall: 'connect' }), true],
		[
			'refused on every address',
			fault({
				code: 'ECONNREFUSED',
				errors: [fault(REFUSED), fault({ ...REFUSED, code: 'ENETUNREACH' })],
			}),
			true,
		],
		[
			'broken on one of the addresses',
			fault({
				code: 'ECONNREFUSED',
				errors: [fault(REFUSED), fault({ code: 'ECONNRESET', syscall: 'read' })],
			}),
			false,
		],
		['refused, by its code alone', fault({ code: 'ECONNREFUSED' }), false],
		['unreachable while it was used', fault({ code: 'EHOSTUNREACH', syscall: 'write' }), false],
		['reset', fault({ code: 'ECONNRESET', syscall: 'read' }), false],
		['reset in the handshake', fault({ code: 'ECONNRESET' }), false],
		['broken off', fault({ code: 'EPIPE', syscall: 'write' }), false],
		[
			'failed in a call of another name',
			fault({ code: 'ECONNREFUSED', syscall: 'connectx' }),
			false,
		],
		['too slow to answer', fault({ code: 'ECONNABORTED' }), false],
		['of no kind', fault({}), false],
		['no error at all', 'text', false],
	])('%s', (_what, error, isNever) => {
		expect(connectionFault(error).neverConnected).toBe(isNever);
	});

	it('is read of an error that causes itself, and of a text', () => {
		const circular = fault(REFUSED);
		circular.cause = circular;
		expect(connectionFault(circular)).toMatchObject({ code: 'ECONNREFUSED' });
		expect(connectionFault('boom')).toEqual({ message: 'boom', neverConnected: false });
	});
});

describe.each(N8N_LINES)('an error of n8n %s', (_line, { NodeApiError }) => {
	const node = {
		id: 'node',
		name: 'Node',
		type: 'node',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: {},
	};
	/** As n8n's HTTP helper throws it. */
	const thrown = (message: string, code: string): Error => {
		const fromSystem = Object.assign(new Error(message), { code, syscall: message.split(' ')[0] });
		const fromClient = Object.assign(new Error(message, { cause: fromSystem }), { code });
		return new NodeApiError(node, fromClient as unknown as JsonObject);
	};

	it.each([
		['connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED', true],
		['connect ETIMEDOUT 10.0.0.1:443', 'ETIMEDOUT', true],
		['getaddrinfo ENOTFOUND pay.example', 'ENOTFOUND', true],
		['read ECONNRESET', 'ECONNRESET', false],
		['write EPIPE', 'EPIPE', false],
		['socket hang up', 'ECONNRESET', false],
		['timeout of 300ms exceeded', 'ECONNABORTED', false],
		['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', false],
	])('tells what broke: %s', (message, code, neverConnected) => {
		expect(connectionFault(thrown(message, code))).toEqual({ code, message, neverConnected });
	});

	it('tells that an answer broke off, for all that its status says', () => {
		const fromClient = new AxiosError('aborted', 'ERR_BAD_RESPONSE', undefined, undefined, {
			status: 200,
		} as AxiosResponse);
		const error = new NodeApiError(node, fromClient as unknown as JsonObject);
		expect(connectionFault(error)).toMatchObject({ code: 'ERR_BAD_RESPONSE', message: 'aborted' });
	});

	it('has no code where n8n itself stopped the request', () => {
		const { code } = connectionFault(new NodeApiError(node, { message: 'Domain not allowed' }));
		expect(code).toBeUndefined();
	});
});

describe('a request that n8n itself stopped', () => {
	const stop = async () => await Promise.reject(new Error('Domain not allowed'));

	it('is a failure in doubt when it writes', async () => {
		const request = { endpoint: ENDPOINTS.linkCreate };
		const { failure } = await attemptOnce(request, 1, stop, 'key');
		expect(failure).toMatchObject({
			kind: 'stopped',
			detail: 'Domain not allowed',
			notExecuted: false,
		});
	});

	it('is told as it is when it reads', async () => {
		await expect(attemptOnce({ endpoint: ENDPOINTS.linkGet }, 1, stop, 'key')).rejects.toThrow(
			'Domain not allowed',
		);
	});
});
