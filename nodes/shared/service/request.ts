import type { IDataObject } from 'n8n-workflow';
import type { ENDPOINTS } from '../../../contract/constants';

export type Endpoint = (typeof ENDPOINTS)[keyof typeof ENDPOINTS];

/** One request of the service, checked already. */
export interface ServiceRequest {
	readonly endpoint: Endpoint;
	/** What stands for `{id}` in the path: it is encoded, but must have been checked (`..` survives encoding). */
	readonly id?: string | undefined;
	readonly qs?: Readonly<Record<string, string | number>>;
	readonly body?: IDataObject | undefined;
}

/** What a failure says of its request. */
export const factsOf = ({ endpoint: { method, path }, id, qs }: ServiceRequest) => ({
	request: `${method} ${path}`,
	isWrite: method !== 'GET',
	isForId: (id ?? qs?.['id']) !== undefined,
});
