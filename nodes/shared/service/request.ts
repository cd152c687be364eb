import type { IDataObject } from 'n8n-workflow';
import type { ENDPOINTS } from '../../../contract/endpoints';
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

/** What the user may set about how requests are sent: n8n's Request Options. */
export interface RequestSettings {
	/** Milliseconds. */
	readonly timeout?: number;
	readonly proxy?: string;
	readonly allowUnauthorizedCerts?: boolean;
}

export interface SendOptions {
	/** Called right before the request goes out, each time. */
	readonly beforeSend?: () => void;
	/** Called when it did not go out after all, since everything was stopped in that moment. */
	readonly keptBack?: () => void;
	/** Called each time before the request goes out again; what it throws ends the sending. */
	readonly beforeRetry?: (failure: Failure) => Promise<void>;
	/** When the last try must have ended, in milliseconds of the clock. */
	readonly deadlineMs?: number;
}
