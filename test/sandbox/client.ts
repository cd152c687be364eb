import axios, { type AxiosResponse } from 'axios';
import { API_KEY_HEADER, ENDPOINTS, type EndpointName } from '../../contract/constants';
import { errorSchema } from '../../contract/schemas/error';
import { HANDLERS, type AnswerOf } from '../../sandbox/endpoints';
import { sandbox } from '../support/sandbox';

export interface Call {
	id?: string;
	query?: Record<string, string | number>;
	body?: unknown;
	/** The right one by default, none for null. */
	key?: string | null;
	signal?: AbortSignal;
}

/** Sends a request as any client would: real HTTP, key in the header, JSON body. */
export const send = async (
	name: EndpointName,
	{ id = '', query, body, key = sandbox.apiKey, signal }: Call = {},
): Promise<AxiosResponse<unknown>> =>
	await axios.request({
		method: ENDPOINTS[name].method,
		baseURL: sandbox.url,
		url: ENDPOINTS[name].path.replace('{id}', encodeURIComponent(id)),
		params: query,
		data: body,
		headers: { [API_KEY_HEADER]: key },
		maxRedirects: 0,
		validateStatus: null,
		proxy: false,
		...(signal && { signal }),
	});

/** Expects a success and checks the answer with the contract, unknown fields included. */
export async function ask<Name extends EndpointName>(
	name: Name,
	call?: Call,
): Promise<AnswerOf<Name>> {
	const { status, data } = await send(name, call);
	if (status >= 300) throw new Error(`${name} answered ${status}: ${JSON.stringify(data)}`);
	return HANDLERS[name].success.parse(data);
}

/** Expects an error and checks its body with the contract. */
export async function refusal(
	name: EndpointName,
	call?: Call,
): Promise<{ status: number; code: string; message: string }> {
	const { status, data } = await send(name, call);
	return { status, ...errorSchema.strict().parse(data).error };
}

/** Every id of the charge list in the order of its pages, following page numbers until `next` is null. */
export async function readAllChargeIds(query: Call['query'] = {}): Promise<string[]> {
	const ids: string[] = [];
	for (let page = 1; ; page += 1) {
		const { results, next } = await ask('chargeList', { query: { ...query, page } });
		ids.push(...results.map(({ id }) => id));
		if (next === null) return ids;
	}
}
