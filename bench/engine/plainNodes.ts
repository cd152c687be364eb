import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
	INodeTypeDescription,
	IN8nRequestOperations,
	PostReceiveAction,
} from 'n8n-workflow';

import { inParallel } from './raw';

/**
 * What the node is compared with: nodes as one writes them who relies on n8n, with none of this package's checks. They
 * use its credential, whose key needs no expression.
 */

/** Where the rows of an answer are: the envelope of customers stands in an array. */
const ROWS = { customers: '0.results', charges: 'results' };
const LISTS = ['customers', 'charges'] as const;

function nodeOf(name: string, properties: INodeProperties[]): INodeType {
	const description: INodeTypeDescription = {
		displayName: name,
		name,
		group: ['input'],
		version: 1,
		description: '',
		defaults: { name },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'paymentCollectionApi', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}' },
		properties,
	};
	return { description };
}

function listNode(name: string, pagination: IN8nRequestOperations['pagination']): INodeType {
	const options = LISTS.map((list): INodePropertyOptions => {
		const postReceive: PostReceiveAction[] = [
			{ type: 'rootProperty', properties: { property: ROWS[list] } },
		];
		return {
			name: list,
			value: list,
			routing: {
				// In the address, since the address of the next page has it there, too.
				request: { method: 'GET', url: `/v1/${list}?page_size=100` },
				send: { paginate: true },
				operations: { pagination },
				// A function takes the rows, and the count, of the whole answer.
				...(typeof pagination !== 'function' && { output: { postReceive } }),
			},
		};
	});
	return nodeOf(name, [
		{ displayName: 'List', name: 'list', type: 'options', default: 'customers', options },
	]);
}

interface Envelope {
	count: number;
	results: IDataObject[];
}

const WORKERS = 8;

/** An ordinary pagination function: page 1, then the others, eight at a time. */
async function readAllPages(
	this: IExecutePaginationFunctions,
	request: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const readPage = async (page: number): Promise<Envelope> => {
		const options = { ...request.options, qs: { ...request.options.qs, page } };
		const [item] = await this.makeRoutingRequest({ ...request, options });
		return item?.json as unknown as Envelope;
	};
	const first = await readPage(1);
	const pages = [first.results];
	await inParallel(2, Math.ceil(first.count / 100), WORKERS, async (page) => {
		pages[page - 1] = (await readPage(page)).results;
	});
	return pages.flat().map((json) => ({ json }));
}

export const plainFunctionNode = listNode('plainFunction', readAllPages);

/** The pagination that n8n brings for nodes without code: one page after the other, by the address of the next one. */
export const declarativeNode = listNode('declarative', {
	type: 'generic',
	properties: {
		continue: '={{ !!($response.body[0] ?? $response.body).next }}',
		request: { url: '={{ ($response.body?.[0] ?? $response.body)?.next ?? $request.url }}' },
	},
});

/** Gets one link for each item; n8n sends the requests of all items at once. */
export const getNode = nodeOf('declarativeGet', [
	{
		displayName: 'Payment Link ID',
		name: 'linkId',
		type: 'string',
		default: '',
		routing: { request: { method: 'GET', url: '=/v1/links/{{ $value }}' } },
	},
]);
