import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { runCredentialTest, runNode } from '../support/engine';
import {
	empty,
	failure,
	hang,
	html,
	json,
	redirect,
	scriptedServer,
	text,
	type Answer,
	type ScriptedServer,
} from '../support/http-server';
import { envelope } from '../support/operations';
import { nodeOf } from '../support/probe';
import { PLANTED, findSecrets } from '../support/secrets';

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
	const requestTo = async (url: string) =>
		await runNode({
			nodeType,
			credentials: { baseUrl: own.url, apiKey },
			parameters: { path: url },
		});

	it('the key goes to the service', async () => {
		expect((await requestTo(`${own.url}/v1/links`)).status).toBe('success');
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

describe('the credential test', () => {
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

	it.each(['/', '//', ' ', '/ ', '\n'])('passes with %j after the base URL', async (suffix) => {
		const { verdict, server } = await testAgainst(json(envelope()), suffix);
		expect(verdict.status).toBe('OK');
		expect(server.calls()).toEqual(['GET /v1/charges']);
	});

	it('asks below the path of a base URL', async () => {
		const { verdict, server } = await testAgainst(json(envelope()), '/pay//in/');
		expect(verdict.status).toBe('OK');
		expect(server.calls()).toEqual(['GET /pay/in/v1/charges']);
	});

	const NO_LIST = /^The Base URL answers, but not with a list of charges/;

	it.each<[string, Answer, RegExp]>([
		['401', failure(401, 'no'), /^The service does not accept this API Key/],
		[
			'403',
			failure(403, 'no'),
			/^The service knows this API Key, but does not let it list charges/,
		],
		['404', failure(404, 'no'), /^There is no payment collection service at this Base URL/],
		['a web page for 404', html('x', 404), /^There is no payment collection service/],
		['a redirect', redirect('http://127.0.0.1:1/'), /^The Base URL redirects/],
		['a permanent redirect', redirect('http://127.0.0.1:1/', 308), /^The Base URL redirects/],
		['500', failure(500, 'no'), /Internal Server Error|500/],
		['a web page', html(), NO_LIST],
		['plain text', text('pong'), NO_LIST],
		['nothing', empty(204), NO_LIST],
		['an empty 200', empty(200), NO_LIST],
		['another object', json({ ok: true }), NO_LIST],
		['an empty array', json([]), NO_LIST],
	])('fails with a text of its own for %s', async (_what, answer, message) => {
		const { verdict, server } = await testAgainst(answer);
		expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) as string });
		expect(server.requests.length).toBeGreaterThan(0);
		expect(findSecrets(verdict)).toEqual([]);
	});

	it('follows no redirect with the key', async () => {
		await testAgainst(redirect(`${other.url}/stolen`));
		expect(other.requests).toEqual([]);
	});

	it('fails when nobody answers', async () => {
		const server = await scriptedServer(() => hang());
		await server.close();
		const verdict = await runCredentialTest({ credentials: { baseUrl: server.url, apiKey } });
		expect(verdict).toEqual({ status: 'Error', message: 'ECONNREFUSED' });
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
