import type { IDataObject } from 'n8n-workflow';
import type { ENDPOINTS } from '../../../contract/constants';

export type Endpoint = (typeof ENDPOINTS)[keyof typeof ENDPOINTS];
export type ReadEndpoint = Extract<Endpoint, { method: 'GET' }>;

/** Contains only checked values. */
export interface ServiceRequest<To extends Endpoint = Endpoint> {
	readonly endpoint: To;
	/** Replaces `{id}` in the path. It is encoded, but must have been checked: `..` survives encoding. */
	readonly id?: string | undefined;
	readonly qs?: Readonly<Record<string, string | number>>;
	readonly body?: IDataObject | undefined;
}

export const aboutRequest = ({ endpoint: { method, path }, id, qs }: ServiceRequest) => ({
	request: `${method} ${path}`,
	isWrite: method !== 'GET',
	isForId: (id ?? qs?.['id']) !== undefined,
});
