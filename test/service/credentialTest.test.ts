import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { PaymentCollectionApi } from '../../credentials/PaymentCollectionApi.credentials';
import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { useFakeClock } from '../support/clock';

import { runCredentialTest, runListSearch, runNode } from '../support/engine';
import {
	empty,
	failure,
	hang,
	html,
	json,
	redirect,
	reset,
	scriptedServer,
	text,
	type Answer,
	type ScriptedServer,
} from '../support/servers/http-server';
import {
	OPERATIONS,
	OPERATION_NAMES,
	envelope,
	friendly,
	uuid,
	type OperationCase,
} from '../support/operations';
import { nodeOf } from '../support/probe';
import { PLANTED, findSecrets } from '../support/secrets/secrets';
import { selfSigned } from '../support/servers/selfSigned';

const NAME = 'paymentCollectionApi';
const { apiKey } = PLANTED;

let own: ScriptedServer;
let other: ScriptedServer;
beforeAll(async () => {
	other = await scriptedServer(() => json({ from: 'other' }));
	own = await scriptedServer(({ path }) =>
		path === '/leave' ? redirect(`${other.url}/stolen`, 307) : json({ from: 'own' }),
	);
});
beforeEach(() => {
	own.forget();
	other.forget();
});

/** n8n's two ways for a node to send a request with a credential; the HTTP Request node uses the older one. */
const FORMS: Array<[string, (this: IExecuteFunctions, url: string) => Promise<unknown>]> = [
	[
		'httpRequestWithAuthentication',
		async function (url) {
			const { helpers } = this;
			return (await helpers.httpRequestWithAuthentication.call(this, NAME, { url })) as unknown;
		},
	],
	[
		'httpRequestWithAuthentication with a base URL',
		async function (url) {
			const { origin, pathname } = new URL(url);
			const options = { baseURL: origin, url: pathname };
			const { helpers } = this;
			return (await helpers.httpRequestWithAuthentication.call(this, NAME, options)) as unknown;
		},
	],
	[
		'requestWithAuthentication (the older form)',
		async function (url) {
			const options = { uri: url, followRedirect: true, followAllRedirects: true, json: true };
			// eslint-disable-next-line @typescript-eslint/no-deprecated -- what the HTTP Request node does
			return (await this.helpers.requestWithAuthentication.call(this, NAME, options)) as unknown;
		},
	],
];

describe.each(FORMS)('with %s', (_name, send) => {
	const nodeType = nodeOf(async function () {
		const url = this.getNodeParameter('path', 0) as string;
		return [[{ json: { answer: await send.call(this, url) } as IDataObject }]];
	});
	nodeType.description.credentials = [{ name: NAME, required: true }];
	const requestTo = async (url: string, baseUrl = own.url) =>
		await runNode({
			nodeType,
			credentials: { baseUrl, apiKey },
			parameters: { path: url },
		});

	it('the key goes to the service', async () => {
		expect((await requestTo(`${own.url}/v1/links`)).status).toBe('success');
		expect(own.requests[0]?.headers['x-api-key']).toBe(apiKey);
	});

	it('the key goes to the service by a base URL that ends in /v1, too', async () => {
		await requestTo(`${own.url}/v1/links`, `${own.url}/v1/`);
		expect(own.calls()).toEqual(['GET /v1/links']);
		expect(own.requests[0]?.headers['x-api-key']).toBe(apiKey);
	});

	it('no key goes to another origin', async () => {
		expect((await requestTo(`${other.url}/v1/links`)).status).toBe('success');
		expect(other.requests).toHaveLength(1);
		expect(findSecrets(other.requests)).toEqual([]);
	});

	it('no redirect takes the key elsewhere', async () => {
		const result = await requestTo(`${own.url}/leave`);
		expect(result.status).toBe('error');
		expect(own.requests).toHaveLength(1);
		expect(other.requests).toEqual([]);
	});
});

describe('a base URL that ends in /v1', () => {
	it.each(OPERATION_NAMES)('is taken without it: %s', async (name) => {
		const server = await scriptedServer(friendly(OPERATIONS[name]));
		const { resource, operation, parameters }: OperationCase = OPERATIONS[name];
		const { error } = await runNode({
			nodeType: new PaymentCollection(),
			credentials: { baseUrl: `${server.url}/v1`, apiKey },
			parameters: { resource, operation, ...parameters },
			items: [{ key: uuid(1) }],
		});
		expect(error).toBeUndefined();
		expect(server.requests).not.toHaveLength(0);
		for (const { path } of server.requests) expect(path).toMatch(/^\/v1\/(?!v1)/);
	});

	it('is taken without it by the list searches', async () => {
		const server = await scriptedServer(() => json(envelope()));
		await runListSearch({
			nodeType: new PaymentCollection(),
			credentials: { baseUrl: `${server.url}/v1/`, apiKey },
			method: 'searchCharges',
		});
		expect(server.calls()).toEqual(['GET /v1/charges']);
	});
});

describe('the credential test', () => {
	// The limit of 15 s never ends but where a test wants it to.
	beforeEach(() => useFakeClock().freeze());

	const testAgainst = async (answer: Answer, suffix = '') => {
		const server = await scriptedServer(() => answer);
		const credentials = { baseUrl: server.url + suffix, apiKey };
		const verdict = await runCredentialTest({ credentials });
		await server.close();
		return { verdict, server };
	};

	it.each<[string, Answer]>([
		['a list of charges', json(envelope({ id: 'a' }))],
		['an empty list', json(envelope())],
		['a list in a one-element array', json([envelope({ id: 'a' })])],
	])('passes with %s', async (_what, answer) => {
		const { verdict, server } = await testAgainst(answer);
		expect(verdict).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(server.requests).toMatchObject([
			{ method: 'GET', path: '/v1/charges', query: { page_size: '1' }, body: undefined },
		]);
		expect(server.requests[0]?.headers['x-api-key']).toBe(apiKey);
	});

	it.each(['/', '//', ' ', '/ ', '\n', '/v1', '/v1/', '/v1/ '])(
		'passes with %j after the base URL',
		async (suffix) => {
			const { verdict, server } = await testAgainst(json(envelope()), suffix);
			expect(verdict.status).toBe('OK');
			expect(server.calls()).toEqual(['GET /v1/charges']);
		},
	);

	it('asks below the path of a base URL', async () => {
		const { verdict, server } = await testAgainst(json(envelope()), '/pay//in/');
		expect(verdict.status).toBe('OK');
		expect(server.calls()).toEqual(['GET /pay/in/v1/charges']);
	});

	const NO_LIST = /^The Base URL answers, but not with a list of charges: /;

	it.each<[string, Answer, RegExp]>([
		['401', failure(401, 'no'), /^The service does not accept this API Key\. Copy it again/],
		[
			'403',
			failure(403, 'no'),
			/^The service knows this API Key, but does not let it list charges/,
		],
		['404', failure(404, 'no'), /^There is no payment collection service at this Base URL/],
		['a web page for 404', html('x', 404), /^There is no payment collection service/],
		['a redirect', redirect('http://127.0.0.1:1/'), /^The Base URL redirects/],
		['a permanent redirect', redirect('http://127.0.0.1:1/', 308), /^The Base URL redirects/],
		['407', failure(407, 'no'), /^n8n’s proxy does not let the request through \(HTTP 407\)/],
		['500', failure(500, 'no'), /^The service could not list charges: no \(HTTP 500\)/],
		['429 without a word', empty(429), /charges: it gives no reason \(HTTP 429\)\. Check Base URL/],
		['an error with a success', json({ error: 'no' }), /^The service could not list charges: no/],
		['a web page', html(), /^The Base URL answers with a web page, not with a list of charges/],
		['plain text', text('pong'), NO_LIST],
		['nothing', empty(204), NO_LIST],
		['an empty 200', empty(200), NO_LIST],
		['another object', json({ ok: true }), NO_LIST],
		['an empty array', json([]), NO_LIST],
		['a cut line', reset(), /^There is no connection to the service \(connection broken off\)/],
	])('fails with a text of its own for %s', async (_what, answer, message) => {
		const { verdict, server } = await testAgainst(answer);
		expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) as string });
		expect(server.requests).toHaveLength(1);
		expect(findSecrets(verdict)).toEqual([]);
	});

	it('shows no key that the service repeats', async () => {
		const { verdict } = await testAgainst(failure(500, `bad key ${apiKey}`));
		expect(verdict.message).toMatch(/^The service could not list charges: bad key /);
		expect(findSecrets(verdict)).toEqual([]);
	});

	it('follows no redirect with the key', async () => {
		await testAgainst(redirect(`${other.url}/stolen`));
		expect(other.requests).toEqual([]);
	});

	const testOf = async (baseUrl: string) =>
		await runCredentialTest({ credentials: { baseUrl, apiKey } });

	it('fails with a text of its own when the connection is refused', async () => {
		const server = await scriptedServer(() => hang());
		await server.close();
		const { message } = await testOf(server.url);
		expect(message).toMatch(/^The connection was refused: .*host and port of Base URL/);
	});

	it('fails with a text of its own when the host is not found', async () => {
		const { message } = await testOf('http://no-such-host.invalid');
		expect(message).toMatch(/^The host name in Base URL was not found/);
	});

	it('fails with a text of its own when no answer comes for 15 s', async () => {
		const { sleeps } = useFakeClock();
		const { verdict } = await testAgainst(hang());
		expect(verdict.message).toMatch(/^The service did not answer within 15 s/);
		expect(sleeps).toEqual([15_000]);
	});

	it('fails with a text of its own when the certificate is not accepted, or there is none', async () => {
		const server = createServer(selfSigned, (_request, response) => response.end('{}'));
		await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
		const { port } = server.address() as AddressInfo;
		const { message } = await testOf(`https://127.0.0.1:${port}`);
		expect(message).toMatch(/^The certificate of the server is not accepted \(\w*CERT\w*\)/);
		await new Promise((closed) => server.close(closed));

		const { message: noTls } = await testOf(own.url.replace('http:', 'https:'));
		expect(noTls).toMatch(/^The server at Base URL does not speak HTTPS/);
	});

	describe('with a proxy in n8n’s environment', () => {
		const setProxy = (url: string): void => {
			process.env['http_proxy'] = url;
			process.env['https_proxy'] = url;
		};
		afterEach(() => {
			for (const name of ['http_proxy', 'https_proxy']) Reflect.deleteProperty(process.env, name);
		});
		const PROXY =
			/^n8n’s proxy does not let the request through \(connection refused\)\. Check HTTP_PROXY/;

		it.each(['http', 'https'])('says so when it can’t be reached for %s', async (protocol) => {
			const server = await scriptedServer(() => hang());
			await server.close();
			setProxy(server.url);
			expect((await testOf(`${protocol}://api.example.com`)).message).toMatch(PROXY);
		});

		it('says so when the proxy’s name is not found', async () => {
			setProxy('http://no-such-proxy.invalid:3128');
			const { message } = await testOf('http://api.example.com');
			expect(message).toMatch(/^n8n’s proxy .*\(host name not found\)/);
		});

		it('passes by way of it', async () => {
			const proxy = await scriptedServer(() => json(envelope()));
			setProxy(proxy.url);
			expect((await testOf('http://api.example.com')).status).toBe('OK');
		});
	});

	it('is brought by both nodes, and not by the credential type, which n8n would prefer', () => {
		expect(new PaymentCollectionApi()).not.toHaveProperty('test');
		for (const { description, methods } of [
			new PaymentCollection(),
			new PaymentCollectionTrigger(),
		]) {
			const { testedBy } = description.credentials?.[0] ?? {};
			expect(methods.credentialTest).toHaveProperty(testedBy as string);
		}
	});

	it.each([
		[{ baseUrl: '' }, 'Base URL is empty'],
		[{ baseUrl: 'api.example' }, 'Base URL must begin with http:// or https:// and a host name'],
		[
			{ baseUrl: 'ftp://api.example' },
			'Base URL must begin with http:// or https:// and a host name',
		],
		[{ baseUrl: 'https://u:p@api.example' }, 'Base URL must not contain a user name or password'],
		[{ baseUrl: 'https://api.example/?a=b' }, 'Base URL must not contain ? or #'],
		[{ apiKey: ' ' }, 'API Key is empty'],
		[
			{ apiKey: `${apiKey}\nX: 1` },
			'API Key must not contain spaces, line breaks or non-ASCII characters',
		],
	])('says what is wrong with %j', async (fields, message) => {
		const credentials = { baseUrl: own.url, apiKey, ...fields };
		expect(await runCredentialTest({ credentials })).toEqual({ status: 'Error', message });
		expect(own.requests).toEqual([]);
	});
});
