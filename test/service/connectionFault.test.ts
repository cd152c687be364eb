import { ENDPOINTS } from '../../contract/endpoints';
import { attemptOnce } from '../../nodes/shared/service/attempt';
import { connectionFault } from '../../nodes/shared/service/connectionFault';

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
