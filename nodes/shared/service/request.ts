import type { IDataObject } from 'n8n-workflow';
import type { ENDPOINTS } from '../../../contract/constants';

export type Endpoint = (typeof ENDPOINTS)[keyof typeof ENDPOINTS];

/** Contains only checked values. */
export interface ServiceRequest {
	readonly endpoint: Endpoint;
	/** Replaces `{id}` in the path. It is encoded, but must have been checked: `..` survives encoding. */
	readonly id?: string | undefined;
	readonly qs?: Readonly<Record<string, string | number>>;
	readonly body?: IDataObject | undefined;
}

export const factsOf = ({ endpoint: { method, path }, id, qs }: ServiceRequest) => ({
	request: `${method} ${path}`,
	isWrite: method !== 'GET',
	isForId: (id ?? qs?.['id']) !== undefined,
});
