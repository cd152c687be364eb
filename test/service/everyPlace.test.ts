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
import { selfSigned } from '../support/servers/selfSigned';

/** Errors in each of the four places in which the package sends requests. */

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

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

beforeEach(() => clock.freeze());

describe.each(Object.entries(PLACES))('%s', (place, said) => {
	const answered = async (answer: Answer): Promise<[said: string, requests: number]> => {
		const server = await scriptedServer(() => answer);
		return [await said(server), server.requests.length];
	};

	it('says that a certificate is not accepted, and asks once', async () => {
		let connections = 0;
		const server = createServer(selfSigned);
		server.on('connection', () => void (connections += 1));
		const url = `https://${await listening(server)}`;
		expect(await said({ url })).toMatch(
			/^The certificate of the server is not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\).* NODE_EXTRA_CA_CERTS/,
		);
		expect(connections).toBe(1);
		server.close();
	});

	it('says that n8n’s SSRF protection keeps the request back, and how to allow it', async () => {
		const server = await scriptedServer(() => json({}));
		const words = await protectedFromSsrf(async () => await said(server));
		expect(words).toMatch(
			/^n8n itself does not send .*N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES/,
		);
		expect(server.requests).toEqual([]);
	});

	it.each<[string, object]>([
		['a status', { status: 'error', message: 'Invalid API key' }],
		['an error', { error: { message: 'Invalid API key' } }],
		['a flag', [{ ok: 'false', detail: 'Invalid API key' }]],
		['words alone', { message: 'Invalid API key' }],
	])('begins with the service’s own words under a success: with %s', async (_how, body) => {
		const [words, requests] = await answered(json(body));
		expect(words).toMatch(/^Invalid API key \(/);
		// The trigger also tries to read other pages.
		expect(requests).toBe(place === 'publishing the trigger' ? 3 : 1);
	});

	it.each<[string, Answer]>([
		['bot protection', html('<html><title>Just a moment...</title>', 403)],
		['a gateway', html('<html><h1>401 Authorization Required</h1>', 401)],
		['a name of a host that is not allowed', html('<h1>Bad Request (400)</h1>', 400)],
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

	it('can’t read what is nested deeper than any record', async () => {
		const [words] = await answered(text(`{"results":${deep(100_000)}}`, 200, 'application/json'));
		expect(words).toMatch(/response can’t be read \(nested too deeply\)/);
	});

	it('takes a list that is null with a count of 0 for an empty one', async () => {
		const [words] = await answered(json({ count: 0, next: null, previous: null, results: null }));
		expect(words).toBe('');
	});
});

it('a write that n8n’s SSRF protection keeps back was NOT done', async () => {
	const server = await scriptedServer(() => json({ id: uuid(1) }, 201));
	const { error } = await protectedFromSsrf(
		async () => await runExample(server, OPERATIONS['link create']),
	);
	expect(error?.message).toMatch(/ – the link was NOT created by this request$/);
	expect(server.requests).toEqual([]);
});
