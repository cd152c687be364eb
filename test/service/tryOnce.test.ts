import { AxiosError, type AxiosResponse } from 'axios';
import type { INode, JsonObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../contract/constants';
import { tryOnce, connectionFault, type FullResponse } from '../../nodes/shared/service/tryOnce';
import { wasNotCarriedOut } from '../../nodes/shared/errors/failure';
import { N8N_LINES } from '../support/n8nLines';

const ACCOUNT = { apiKey: 'pk_live_1234', baseUrl: 'https://pay.example/api' };

const fault = (facts: object, cause?: unknown): Error =>
	Object.assign(new Error('fault', { cause }), facts);

const REFUSED = { code: 'ECONNREFUSED', syscall: 'connect' };
const errors = [fault(REFUSED), fault({ ...REFUSED, code: 'ENETUNREACH' })];
const half = [fault(REFUSED), fault({ code: 'ECONNRESET', syscall: 'read' })];
/** Wrapped like an error of the HTTP client and n8n. */
const wrapped = fault({}, fault({ code: 'ECONNREFUSED' }, fault(REFUSED)));

it.each<[string, unknown, boolean]>([
	['refused', wrapped, true],
	['whose host is not found', fault({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), true],
	['too slow to be made', fault({ code: 'ETIMEDOUT', syscall: 'connect' }), true],
	['refused on every address', fault({ code: 'ECONNREFUSED', errors }), true],
	['broken on one of the addresses', fault({ code: 'ECONNREFUSED', errors: half }), false],
	['refused, by its code alone', fault({ code: 'ECONNREFUSED' }), false],
	['unreachable while it was used', fault({ code: 'EHOSTUNREACH', syscall: 'write' }), false],
	['reset', fault({ code: 'ECONNRESET', syscall: 'read' }), false],
	['that failed in another system call', fault({ ...REFUSED, syscall: 'connectx' }), false],
	['too slow to answer', fault({ code: 'ECONNABORTED' }), false],
	['that failed without an error', 'text', false],
])('a write on a connection %s was certainly not made: %s', async (_what, error, isNever) => {
	const request = { endpoint: ENDPOINTS.linkCreate };
	const send = jest.fn<Promise<FullResponse>, []>().mockRejectedValue(error);
	const { failure } = await tryOnce(request, 1, send, ACCOUNT);
	expect(failure && wasNotCarriedOut(failure)).toBe(isNever);
});

it.each([
	['/api/v1/links/', '/api/v1/links/'],
	['/api/v1/links/?key=pk_live_1234#end', '/api/v1/links/'],
	['https://pay.example/en/v1/links', '/en/v1/links'],
	['/sign-in/pk_live_1234', '/sign-in/[redacted]'],
	// Another origin, or no usable location.
	['http://pay.example/api/v1/links', ''],
	['https://pay.example.test/api/v1/links', ''],
	['//other.example/api/v1/links', ''],
	['links/', ''],
	[undefined, ''],
])('shows of a redirect to %s the path %j', async (location, detail) => {
	const send = async () =>
		await Promise.resolve({ statusCode: 301, headers: { location }, body: '' });
	const { failure } = await tryOnce({ endpoint: ENDPOINTS.linkCreate }, 1, send, ACCOUNT);
	expect(failure).toMatchObject({ kind: 'redirect', detail });
});

it('finds the fault of an error that is its own cause', () => {
	const circular = fault(REFUSED);
	circular.cause = circular;
	expect(connectionFault(circular)).toMatchObject({ code: 'ECONNREFUSED' });
});

it.each([
	// unreadable.test.ts has other codes.
	['ERR_STRING_TOO_LONG', 'unreadable'],
	// The connection broke in the middle of the response.
	['HPE_INVALID_EOF_STATE', 'network'],
	['ERR_BAD_RESPONSE', 'network'],
])('a response that fails with %s is a %s failure in doubt', async (code, kind) => {
	const send = async () => await Promise.reject(Object.assign(new Error('x'), { code }));
	const { failure } = await tryOnce({ endpoint: ENDPOINTS.linkCreate }, 1, send, ACCOUNT);
	expect(failure).toMatchObject({ kind });
	expect(failure && wasNotCarriedOut(failure)).toBe(false);
});

describe.each(N8N_LINES)('an error of n8n %s', (_line, { NodeApiError }) => {
	const node = { name: 'Node' } as INode;
	/** Creates an error like those of n8n's HTTP helper. */
	const thrown = (message: string, code: string): Error => {
		const fromSystem = Object.assign(new Error(message), { code, syscall: message.split(' ')[0] });
		const fromClient = Object.assign(new Error(message, { cause: fromSystem }), { code });
		return new NodeApiError(node, fromClient as unknown as JsonObject);
	};

	it.each([
		['connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED', true],
		['getaddrinfo ENOTFOUND pay.example', 'ENOTFOUND', true],
		['read ECONNRESET', 'ECONNRESET', false],
		['timeout of 300ms exceeded', 'ECONNABORTED', false],
		['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', false],
		['certificate required', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', false],
	])('shows the fault: %s', (message, code, neverConnected) => {
		expect(connectionFault(thrown(message, code))).toMatchObject({ code, message, neverConnected });
	});

	it('shows that a response broke off, also after HTTP 200', () => {
		const fromClient = new AxiosError('aborted', 'ERR_BAD_RESPONSE', undefined, undefined, {
			status: 200,
		} as AxiosResponse);
		const error = new NodeApiError(node, fromClient as unknown as JsonObject);
		expect(connectionFault(error)).toMatchObject({ code: 'ERR_BAD_RESPONSE', message: 'aborted' });
	});

	it('shows n8n’s own text if n8n stopped the request, and leaves a write in doubt', async () => {
		const stopped = new NodeApiError(node, { message: 'Domain not allowed' });
		const send = async () => await Promise.reject(stopped);
		const { failure } = await tryOnce({ endpoint: ENDPOINTS.linkCreate }, 1, send, ACCOUNT);
		const detail = 'Domain not allowed';
		expect(failure).toMatchObject({ kind: 'network', detail });
		expect(failure && wasNotCarriedOut(failure)).toBe(false);
	});
});
