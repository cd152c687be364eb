import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { clock, useFakeClock } from '../support/clock';

import { runCredentialTest, runNode } from '../support/engine';
import {
	NOBODY,
	empty,
	failure,
	hang,
	html,
	json,
	redirect,
	reset,
	scriptedServer,
	type Answer,
	type ScriptedServer,
} from '../support/servers/http-server';
import { envelope } from '../support/operations';
import { nodeOf } from '../support/probe';
import { PLANTED, findSecrets } from '../support/secrets/secrets';

const NAME = 'paymentCollectionApi';
const { apiKey } = PLANTED;

let own: ScriptedServer;
let other: ScriptedServer;
beforeEach(async () => {
	other = await scriptedServer(() => json({ from: 'other' }));
	own = await scriptedServer(({ path }) =>
		path === '/leave' ? redirect(`${other.url}/stolen`, 307) : json({ from: 'own' }),
	);
});

type OlderForm = (this: IExecuteFunctions, name: string, options: IDataObject) => Promise<unknown>;

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
		'requestWithAuthentication (the older form)',
		async function (url) {
			const options = { uri: url, followRedirect: true, followAllRedirects: true, json: true };
			const send = Reflect.get(this.helpers, 'requestWithAuthentication') as OlderForm;
			return await send.call(this, NAME, options);
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

	it('the key is sent to the service', async () => {
		expect((await requestTo(`${own.url}/v1/links`)).status).toBe('success');
		expect(own.requests[0]?.headers['x-api-key']).toBe(apiKey);
	});

	it('no key is sent to another origin', async () => {
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
	// Only tests of the 15 s limit let time pass.
	beforeEach(() => clock.freeze());

	const testAgainst = async (answer: Answer) => {
		const server = await scriptedServer(() => answer);
		const credentials = { baseUrl: server.url, apiKey };
		return { verdict: await runCredentialTest({ credentials }), server };
	};

	it.each<[string, Answer]>([
		['a list of charges', json(envelope({ id: 'a' }))],
		['an empty list', json(envelope())],
		['no content', empty(204)],
		['a list in a one-element array', json([envelope({ id: 'a' })])],
	])('passes with %s', async (_what, answer) => {
		const { verdict, server } = await testAgainst(answer);
		expect(verdict).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(server.requests).toMatchObject([
			{ method: 'GET', path: '/v1/charges', query: { page_size: '1' }, body: undefined },
		]);
		expect(server.requests[0]?.headers['x-api-key']).toBe(apiKey);
	});

	it.each<[string, Answer, RegExp]>([
		['401', failure(401, 'no'), /^no \(code error, HTTP 401\)\. The service does not accept this/],
		['a web page', html(), /but not with a list of charges: an HTML page/],
		['nothing', empty(200), /but not with a list of charges: nothing/],
		['another object', json({}), /but not with a list of charges: an object without a re/],
		['a cut line', reset(), /^There is no connection to the service \(connection interrupted\)/],
	])('fails with its own text for %s', async (_what, answer, message) => {
		const { verdict, server } = await testAgainst(answer);
		expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) as string });
		expect(server.requests).toHaveLength(1);
	});

	it('follows no redirect with the key', async () => {
		const { verdict } = await testAgainst(redirect(`${other.url}/stolen`, 308));
		expect(verdict.message).toMatch(/^The Base URL redirects/);
		expect(other.requests).toEqual([]);
	});

	const testOf = async (baseUrl: string) =>
		await runCredentialTest({ credentials: { baseUrl, apiKey } });

	it('fails with its own texts if there is no such host or service', async () => {
		const refused =
			/^There is no connection to the service \(connection refused\)\. Check the host and port of Base URL/;
		expect((await testOf(NOBODY.url)).message).toMatch(refused);
		const { message } = await testOf('http://no-such-host.invalid');
		expect(message).toMatch(
			/^There is no connection to the service \(host name .*\)\. Check the host and port of Base URL/,
		);
	});

	it('fails with its own text if no response comes for 15 s', async () => {
		const { sleeps } = useFakeClock();
		const { verdict } = await testAgainst(hang());
		expect(verdict.message).toMatch(/^The service did not answer within 15 s/);
		expect(sleeps).toEqual([15_000]);
	});
});
