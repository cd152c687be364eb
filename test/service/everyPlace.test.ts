import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createServer } from 'node:https';

import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

import { clock } from '../support/clock';
import { runCredentialTest, runListSearch } from '../support/engine';
import {
	OPERATIONS,
	credentialsFor,
	runExample,
	runOperation,
	triggerOn,
	uuid,
} from '../support/operations';
import {
	html,
	json,
	listening,
	redirect,
	scriptedServer,
	text,
	type Answer,
} from '../support/servers/http-server';

/** Errors in each of the four places that send requests. */

const messageOf = (error: unknown): string => (error as Error | undefined)?.message ?? '';

const PLACES: Record<string, (server: { url: string }) => Promise<string>> = {
	'the action node': async (server) => {
		const { error } = await runOperation(server, { resource: 'charge', operation: 'getAll' });
		return error === undefined ? '' : `${error.message}. ${String(error.description)}`;
	},
	'From List': async (server) =>
		await runListSearch({
			credentials: credentialsFor(server),
			method: 'searchCharges',
		}).then(() => '', messageOf),
	'the test of the credential': async (server) => {
		const { status, message } = await runCredentialTest({ credentials: credentialsFor(server) });
		return status === 'OK' ? '' : message;
	},
	'publishing the trigger': async (server) => messageOf((await triggerOn(server).activate()).error),
};

async function protectedFromSsrf<T>(act: () => Promise<T>): Promise<T> {
	const protection = Container.get(SsrfProtectionConfig);
	protection.enabled = true;
	return await act().finally(() => (protection.enabled = false));
}

/** A self-signed certificate for other.example, valid for a hundred years, and its key. Only the tests use them. */
const CERTIFICATE =
	'MIIBhjCCAS2gAwIBAgIUFZzwr0W+8NrTDnJsp+D/en3mZNswCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTAgFw0yNjExMjIwNjIzNDdaGA8yMTI2MTAyOTA2MjM0N1owGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBk+PgSPMwnV38XCXoduC233JA69nhAnIHm7WymQNcFn+mSlf8s/TEpsDlko/+nQYamKGQL9Fa3UYBWyoKH2O+CjUzBRMB0GA1UdDgQWBBRshUq15ir7PFAUC1NS2t9ewwmLyjAfBgNVHSMEGDAWgBRshUq15ir7PFAUC1NS2t9ewwmLyjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCICtFkF8Hkv5xUeMTnGgs7qYCeE1atxDOKowQBpgNqp4jAiAF7b7JHkDk0/QBY9gqqR+HRDmcS4ScI+Hy9MGG4szESQ==';
const KEY =
	'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/5cyrQucoFF7MbvEEoE2pYnJZnIZmo2CjcOAcOKjVgehRANCAAQZPj4EjzMJ1d/Fwl6Hbgtt9yQOvZ4QJyB5u1spkDXBZ/pkpX/LP0xKbA5ZKP/p0GGpihkC/RWt1GAVsqCh9jvg';

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');

const selfSigned = {
	cert: new X509Certificate(bytes(CERTIFICATE)).toString(),
	key: createPrivateKey({ key: bytes(KEY), format: 'der', type: 'pkcs8' }).export({
		format: 'pem',
		type: 'pkcs8',
	}),
};

beforeEach(() => clock.freeze());

describe.each(Object.entries(PLACES))('%s', (place, reportOf) => {
	const answered = async (answer: Answer): Promise<[words: string, requests: number]> => {
		const server = await scriptedServer(() => answer);
		return [await reportOf(server), server.requests.length];
	};

	it('says that a certificate is not accepted, and sends the request once', async () => {
		let connections = 0;
		const server = createServer(selfSigned).on('connection', () => void (connections += 1));
		const url = `https://${await listening(server)}`;
		expect(await reportOf({ url })).toMatch(
			/^The certificate of the server is not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\).* NODE_EXTRA_CA_CERTS/,
		);
		expect(connections).toBe(1);
		server.close();
	});

	it('says that n8n’s SSRF protection stopped the request, and how to allow it', async () => {
		const server = await scriptedServer(() => json({}));
		const words = await protectedFromSsrf(async () => await reportOf(server));
		expect(words).toMatch(
			/^n8n itself does not send .*N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES/,
		);
		expect(server.requests).toEqual([]);
	});

	it.each<[what: string, body: object]>([
		['a status', { status: 'error', message: 'Invalid API key' }],
		['an error', { error: { message: 'Invalid API key' } }],
		['a flag', [{ ok: 'false', detail: 'Invalid API key' }]],
		['a message alone', { message: 'Invalid API key' }],
	])('begins with the service’s own message after HTTP 200 with %s', async (_what, body) => {
		const [words, requests] = await answered(json(body));
		expect(words).toMatch(/^Invalid API key \(/);
		// The trigger also tries to read other pages.
		expect(requests).toBe(place === 'publishing the trigger' ? 3 : 1);
	});

	it.each<[string, Answer]>([
		['bot protection', html('<html><title>Just a moment...</title>', 403)],
		['a gateway', html('<html><h1>401 Authorization Required</h1>', 401)],
		['a host name that is not allowed', html('<h1>Bad Request (400)</h1>', 400)],
		['a page that is gone', text('\n<!DOCTYPE html><p>Gone', 410)],
	])('names what is in front of the service before a key or URL: %s', async (_what, answer) => {
		const [words] = await answered(answer);
		expect(words).toMatch(
			/^A web page was returned, probably by a firewall, bot protection or a proxy .*\. Let n8n through there\. If the service itself .*'API Key' and 'Base URL'/,
		);
		expect(words.slice(0, words.indexOf('Let n8n'))).not.toMatch(/key|URL/i);
	});

	it.each([
		[401, 'text/html'],
		[403, 'application/json'],
	])('says that a refused key may be wrong or lack a permission: %i', async (status, type) => {
		const [words] = await answered(text('{"detail":"Invalid API key."}', status, type));
		expect(words).toMatch(
			/^Invalid API key\. \(HTTP \d+\)\. .*might be wrong, or not have permission to/,
		);
	});

	it('names the path of a redirect that adds a slash, which no Base URL can do', async () => {
		const [words] = await answered(redirect('/v1/charges/?key=abc', 301));
		expect(words).toMatch(
			/redirect[a-z ]* to \/v1\/charges\/\W.* paths without a slash at the end/,
		);
		expect(words).not.toMatch(/abc|Enter the final/);
	});
});

it('a write that n8n’s SSRF protection stopped was NOT done', async () => {
	const server = await scriptedServer(() => json({ id: uuid(1) }, 201));
	const { error } = await protectedFromSsrf(
		async () => await runExample(server, OPERATIONS['link create']),
	);
	expect(error?.message).toMatch(/ – the link was NOT created by this request$/);
	expect(server.requests).toEqual([]);
});
