import type { IAllExecuteFunctions, IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { ENDPOINTS } from '../../contract/endpoints';
import { openTransport } from '../../nodes/shared/service/transport';
import { useFakeClock } from '../support/clock';

/** What the transport hands to n8n's HTTP helper. */

const request = { endpoint: ENDPOINTS.chargeList };

/** A context of which n8n's helper notes what it is asked for, and answers as it is told. */
function contextOf(answer: (tries: number) => IDataObject): {
	context: IAllExecuteFunctions;
	asked: IHttpRequestOptions[];
} {
	const asked: IHttpRequestOptions[] = [];
	const context = {
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://api.example.com', apiKey: 'key' }),
		helpers: {
			httpRequestWithAuthentication: async (_name: string, options: IHttpRequestOptions) => {
				asked.push(options);
				return await Promise.resolve({ headers: {}, ...answer(asked.length) });
			},
		},
	} as unknown as IAllExecuteFunctions;
	return { context, asked };
}

it.each([
	['http://proxy.example.com', 80],
	['https://proxy.example.com', 443],
	['https://proxy.example.com:3128', 3128],
])('a proxy at %s is asked at port %i', async (proxy, port) => {
	const { context, asked } = contextOf(() => ({ statusCode: 200, body: {} }));
	await (await openTransport(context, { settings: { proxy } })).send(request);
	expect(asked).toMatchObject([{ proxy: { host: 'proxy.example.com', port } }]);
});

it('a deadline shortens the wait for an answer, and ends the tries', async () => {
	const clock = useFakeClock();
	const { context, asked } = contextOf((tries) => ({ statusCode: tries === 1 ? 200 : 503 }));
	const transport = await openTransport(context);
	await transport.send(request, { deadlineMs: clock.now() + 5_000 });
	await expect(transport.send(request, { deadlineMs: clock.now() + 100 })).rejects.toThrow('503');
	expect(asked.map(({ timeout }) => timeout)).toEqual([5_000, 100]);
});

it('says right before each try that the request goes out', async () => {
	useFakeClock();
	const order: string[] = [];
	const { context } = contextOf((tries) => {
		order.push(`try ${tries}`);
		return tries === 1 ? { statusCode: 429 } : { statusCode: 200, body: {} };
	});
	const transport = await openTransport(context);
	await transport.send(request, { beforeSend: () => order.push('before') });
	expect(order).toEqual(['before', 'try 1', 'before', 'try 2']);
});
