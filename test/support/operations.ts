import type { IDataObject, INodeParameters } from 'n8n-workflow';

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

function getOperation(resource: string, parameter: string, path: string): OperationCase {
	return {
		resource,
		operation: 'get',
		parameters: { [parameter]: KEY, ...WHOLE },
		sends: (key) => [request('GET', `${path}/${key}`)],
		answers: (key) => json(record(key)),
		gives: record,
	};
}

/** Gets a record from a list that is filtered by its ID. */
function findOperation(resource: string, parameter: string, path: string): OperationCase {
	return {
		resource,
		operation: 'get',
		parameters: { [parameter]: { __rl: true, mode: 'id', value: KEY }, ...WHOLE },
		sends: (key) => [request('GET', path, { query: { id: key } })],
		answers: (key) => json(envelope(record(key))),
		gives: record,
	};
}

function listOperation(resource: string, filter: string, path: string): OperationCase {
	return {
		resource,
		operation: 'getAll',
		parameters: { filters: { [filter]: KEY }, ...WHOLE },
		sends: (key) => [request('GET', path, { query: { id: key, page: '1', page_size: '50' } })],
		answers: (key) => json(envelope(record(key))),
		gives: record,
	};
}

const chargeOf = (id: string): IDataObject => ({
	id,
	currency: 'USD',
	total: '20.00',
	refund_total: '0.00',
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
	'link get': getOperation('link', 'linkId', '/v1/links'),
	'link update': {
		resource: 'link',
		operation: 'update',
		parameters: { linkId: KEY, updateFields: { status: 'disabled' }, ...WHOLE },
		sends: (key) => [request('PATCH', `/v1/links/${key}/edit`, { body: { status: 'disabled' } })],
		answers: (key) => json(record(key)),
		gives: record,
	},
	'invoice get': getOperation('invoice', 'invoiceId', '/v1/invoices'),
	'charge get': findOperation('charge', 'chargeId', '/v1/charges'),
	'charge getAll': listOperation('charge', 'chargeId', '/v1/charges'),
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
		}),
	},
	'checkoutSession get': getOperation('checkoutSession', 'checkoutSessionId', '/v1/checkout'),
	'customer get': findOperation('customer', 'customerId', '/v1/customers'),
	'customer getAll': listOperation('customer', 'customerId', '/v1/customers'),
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

/** The key of the input item that a request is about; that of a list which nothing narrows to an ID is its page. */
export function keyOf({ path, query, body }: SentRequest): string {
	const title: unknown =
		typeof body === 'object' && body !== null ? Reflect.get(body, 'title') : '';
	const candidates = [path, query['id'], query['customer_id'], title].map(String).join(' ');
	const [key] = /00000000-0000-4000-8000-\d{12}/.exec(candidates) ?? [];
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
