import type { z } from 'zod';
import { API_KEY_HEADER, ENDPOINTS, type EndpointName } from '../../contract/constants';
import { errorSchema } from '../../contract/schemas/error';
import { ENDPOINT_SCHEMAS, type AnswerOf } from '../support/endpointSchemas';
import { sandbox } from '../support/sandbox';

export interface Call {
	id?: string;
	query?: Record<string, string | number>;
	body?: unknown;
	/** The right one by default, none for null. */
	key?: string | null;
	signal?: AbortSignal | undefined;
}

/** Sends a request as any client would: real HTTP, key in the header, JSON body. */
export async function send(
	name: EndpointName,
	{ id = '', query = {}, body, key = sandbox.apiKey, signal }: Call = {},
): Promise<Response> {
	const { method, path } = ENDPOINTS[name];
	const url = new URL(path.replace('{id}', encodeURIComponent(id)), sandbox.url);
	url.search = String(new URLSearchParams(query as Record<string, string>));
	return fetch(url, {
		method,
		redirect: 'manual',
		signal: signal ?? null,
		headers: {
			...(key === null ? {} : { [API_KEY_HEADER]: key }),
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
}

/** Expects a success and checks the answer with the contract, unknown fields included. */
export async function ask<Name extends EndpointName>(
	name: Name,
	call?: Call,
): Promise<AnswerOf<Name>> {
	const response = await send(name, call);
	const text = await response.text();
	if (!response.ok) throw new Error(`${name} answered ${response.status}: ${text}`);
	const schema: z.ZodTypeAny | undefined = ENDPOINT_SCHEMAS[name].answer;
	if (schema === undefined) {
		expect(text).toBe('');
		return undefined;
	}
	return schema.parse(JSON.parse(text)) as AnswerOf<Name>;
}

/** Expects an error and checks its body with the contract. */
export async function refusal(
	name: EndpointName,
	call?: Call,
): Promise<{ status: number; code: string; message: string }> {
	const response = await send(name, call);
	const { error } = errorSchema.strict().parse(await response.json());
	return { status: response.status, ...error };
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
