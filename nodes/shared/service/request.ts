import type { IDataObject } from 'n8n-workflow';
import type { ENDPOINTS } from '../../../contract/constants';
import type { Failure } from '../errors/failure';

export type Endpoint = (typeof ENDPOINTS)[keyof typeof ENDPOINTS];

/** One request of the service, checked already. */
export interface ServiceRequest {
	readonly endpoint: Endpoint;
	/** What stands for `{id}` in the path: it is encoded, but must have been checked (`..` survives encoding). */
	readonly id?: string;
	readonly qs?: Readonly<Record<string, string | number>>;
	readonly body?: IDataObject;
}

export interface SendOptions {
	/** Called right before the request goes out, each time. */
	readonly beforeSend?: () => void;
	/** Called each time before the request goes out again; what it throws ends the sending. */
	readonly beforeRetry?: (failure: Failure) => Promise<void>;
	/** Called with the HTTP status of a success. */
	readonly onSuccess?: (status: number) => void;
	/** When the last try must have ended, by the clock's elapsed milliseconds. */
	readonly deadlineMs?: number;
}
