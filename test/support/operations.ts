import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ENDPOINTS, type EndpointName } from '../../contract/constants';
import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import {
	createPoller,
	runNode,
	type CredentialData,
	type Poller,
	type PollerOptions,
	type RunOptions,
	type RunResult,
} from './engine';
import {
	empty,
	json,
	type Answer,
	type Handler,
	type RecordedRequest,
} from './servers/http-server';
import { PLANTED } from './secrets/secrets';

/** A UUID for each number, so that a failing test shows which one it was about. */
export const uuid = (number: number): string =>
	`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A service, with a key of its own or the planted one. */
export interface Account {
	url: string;
	apiKey?: string;
}

export const credentialsFor = ({ url, apiKey = PLANTED.apiKey }: Account): CredentialData => ({
	baseUrl: url,
	apiKey,
});

interface Chosen {
	resource: string;
	operation: string;
}

export type OperationOptions = Omit<RunOptions, 'nodeType'> & Chosen;

export const nodeOn = (
	server: Account,
	{ resource, operation, parameters }: Pick<OperationOptions, 'parameters'> & Chosen,
) => ({
	nodeType: new PaymentCollection(),
	credentials: credentialsFor(server),
	parameters: { resource, operation, ...parameters },
});

/** The trigger, before it is published. */
export const triggerOn = (server: Account, options: Partial<PollerOptions> = {}): Poller =>
	createPoller({
		nodeType: new PaymentCollectionTrigger(),
		credentials: credentialsFor(server),
		...options,
	});

export async function runOperation(
	server: Account,
	{ resource, operation, parameters, ...options }: OperationOptions,
): Promise<RunResult> {
	return await runNode({ ...nodeOn(server, { resource, operation, parameters }), ...options });
}

export type SentRequest = Pick<RecordedRequest, 'method' | 'path' | 'query' | 'body'>;

export const sent = ({ requests }: { requests: RecordedRequest[] }): SentRequest[] =>
	requests.map(({ method, path, query, body }) => ({ method, path, query, body }));

export const request = (
	method: string,
	path: string,
	{ query = {}, body }: { query?: Record<string, string>; body?: unknown } = {},
): SentRequest => ({ method, path, query, body });

/** The least that an operation needs. */
export interface OperationCase {
	resource: string;
	operation: string;
	/** Each input item has a UUID in `$json.key`. */
	parameters: INodeParameters;
	/** All requests for a key, in this order. */
	sends: (key: string) => SentRequest[];
	/** Answers of a friendly service for a key. */
	answers: (key: string, request: SentRequest) => Answer;
	gives: (key: string) => IDataObject;
}

const KEY = '={{ $json.key }}';

export const envelope = (...results: IDataObject[]): IDataObject => ({
	count: results.length,
	next: null,
	previous: null,
	results,
});

const record = (key: string): IDataObject => ({ id: key, reference_id: `of ${key}` });

/** Whole records, in a workflow and as a tool. */
const WHOLE = { simplify: false, output: 'raw' };

const requestTo = (
	name: EndpointName,
	key: string,
	content?: { query?: Record<string, string>; body?: IDataObject },
): SentRequest => {
	const { method, path } = ENDPOINTS[name];
	return request(method, path.replace('{id}', key), content);
};

/** Gets or writes a record by its ID, and the service returns the record. */
function onRecord(
	resource: string,
	operation: string,
	parameter: string,
	endpoint: EndpointName,
	{ fields, body }: { fields?: INodeParameters; body?: IDataObject } = {},
): OperationCase {
	return {
		resource,
		operation,
		parameters: { [parameter]: KEY, ...fields, ...WHOLE },
		sends: (key) => [requestTo(endpoint, key, { body })],
		answers: (key) => json(record(key)),
		gives: record,
	};
}

/** Gets a record from a list that is filtered by its ID. */
function findOperation(resource: string, parameter: string, endpoint: EndpointName): OperationCase {
	return {
		resource,
		operation: 'get',
		parameters: { [parameter]: { __rl: true, mode: 'id', value: KEY }, ...WHOLE },
		sends: (key) => [requestTo(endpoint, key, { query: { id: key } })],
		answers: (key) => json(envelope(record(key))),
		gives: record,
	};
}

/**
 * Lists the records that a filter finds.
 *
 * @param filter takes any text; without one, the key names a page
 */
function listOperation(
	resource: string,
	endpoint: EndpointName,
	filter?: { parameter: string; sentAs: string },
): OperationCase {
	const page = '={{ Number($json.key.slice(-12)) }}';
	const chosen = filter ? { filters: { [filter.parameter]: KEY } } : { options: { page } };
	const queryOf = (key: string) =>
		filter
			? { [filter.sentAs]: key, page: '1', page_size: '50' }
			: { page: String(Number(key.slice(-12))), page_size: '100' };
	return {
		resource,
		operation: 'getAll',
		parameters: { ...chosen, ...WHOLE },
		sends: (key) => [requestTo(endpoint, key, { query: queryOf(key) })],
		answers: (key) => json(envelope(record(key))),
		gives: record,
	};
}

const chargeOf = (id: string): IDataObject => ({
	id,
	currency: 'USD',
	total: '20.00',
	refund_total: '0.00',
	reference_id: 1042,
	source: { card_holder_name: 'Ann Lee' },
});

const CREATED = '2025-01-01T12:00:00Z';

/** Every operation of the action node. */
export const OPERATIONS = {
	'link create': {
		resource: 'link',
		operation: 'create',
		parameters: {
			currency: 'USD',
			items: { item: [{ name: 'Ticket', amount: '12.50', quantity: 1 }] },
			additionalFields: { title: KEY },
			...WHOLE,
		},
		sends: (key) => [
			request('POST', '/v1/links', {
				body: {
					currency: 'USD',
					items: [{ name: 'Ticket', amount: '12.50', quantity: 1 }],
					title: key,
				},
			}),
		],
		answers: (key) => json(record(key), 201),
		gives: record,
	},
	'link delete': {
		resource: 'link',
		operation: 'delete',
		parameters: { linkId: KEY },
		sends: (key) => [request('DELETE', `/v1/links/${key}/delete`)],
		answers: () => empty(204),
		gives: (key) => ({ id: key, deleted: true }),
	},
	'link get': onRecord('link', 'get', 'linkId', 'linkGet'),
	'link update': onRecord('link', 'update', 'linkId', 'linkEdit', {
		fields: { updateFields: { status: 'disabled' } },
		body: { status: 'disabled' },
	}),
	'invoice get': onRecord('invoice', 'get', 'invoiceId', 'invoiceGet'),
	'charge get': findOperation('charge', 'chargeId', 'chargeList'),
	'charge getAll': listOperation('charge', 'chargeList', { parameter: 'chargeId', sentAs: 'id' }),
	'charge getEvents': {
		resource: 'charge',
		operation: 'getEvents',
		parameters: {
			since: CREATED,
			filters: { customerId: { __rl: true, mode: 'id', value: KEY } },
			...WHOLE,
		},
		sends: (key) => [
			request('GET', '/v1/charges', {
				query: { customer_id: key, page: '1', page_size: '100' },
			}),
		],
		answers: (key) => json(envelope({ ...record(key), created: CREATED })),
		gives: (key) => ({
			event: 'charge.created',
			event_id: `charge.created:${key}`,
			...record(key),
			created: CREATED,
		}),
	},
	'charge refund': {
		resource: 'charge',
		operation: 'refund',
		parameters: { chargeId: { __rl: true, mode: 'id', value: KEY }, amount: '5.00' },
		sends: (key) => [
			request('GET', '/v1/charges', { query: { id: key } }),
			request('POST', `/v1/charges/${key}/refund`, { body: { amount: '5.00' } }),
		],
		answers: (key, { method }) =>
			method === 'GET' ? json(envelope(chargeOf(key))) : json({ message: `Refunded ${key}` }),
		gives: (key) => ({
			charge_id: key,
			amount: '5.00',
			currency: 'USD',
			message: `Refunded ${key}`,
			refund_total: '5.00',
			remaining: '15.00',
			reference_id: 1042,
			payer_name: 'Ann Lee',
		}),
	},
	'checkoutSession get': onRecord('checkoutSession', 'get', 'checkoutSessionId', 'checkoutGet'),
	'customer get': findOperation('customer', 'customerId', 'customerList'),
	'customer getAll': listOperation('customer', 'customerList', {
		parameter: 'customerId',
		sentAs: 'id',
	}),
} as const satisfies Record<string, OperationCase>;

export type OperationName = keyof typeof OPERATIONS;

export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

/** Runs the example of an operation, for one item and with its own parameters unless others are named. */
export async function runExample(
	server: Account,
	{ resource, operation, parameters }: OperationCase,
	{ parameters: others, ...options }: Partial<OperationOptions> = {},
): Promise<RunResult> {
	return await runOperation(server, {
		resource,
		operation,
		parameters: { ...parameters, ...others },
		items: [{ key: uuid(1) }],
		...options,
	});
}

/** Key of the input item that a request is about: the first key in it, or the page of a list without one. */
export function keyOf({ path, query, body }: SentRequest): string {
	const [key] = /00000000-0000-4000-8000-\d{12}/.exec(JSON.stringify([path, query, body])) ?? [];
	return key ?? uuid(Number(query['page'] ?? 0));
}

/** Answers as a friendly service does, but for the keys that `except` has an answer for. */
export function friendly(
	{ answers }: OperationCase,
	except: (key: string, request: RecordedRequest) => Answer | undefined = () => undefined,
): Handler {
	return (arrived) => {
		const key = keyOf(arrived);
		return except(key, arrived) ?? answers(key, arrived);
	};
}
