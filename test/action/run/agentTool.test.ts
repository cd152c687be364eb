import type { IDataObject, INodeParameters } from 'n8n-workflow';

import '../../support/clock';
import { runAsTool, runNode } from '../../support/engine';
import { hintsOf } from '../../support/lists';
import { json, reset, scriptedServer } from '../../support/servers/http-server';
import { envelope, nodeOn, uuid } from '../../support/operations';
import { TOOL_PATHS, olderPath } from '../../support/toolPaths';
import { lenientService } from '../../support/refunds';
import { PLANTED } from '../../support/secrets/secrets';

const [A, B] = [uuid(1), uuid(2)];

type Chosen = Parameters<typeof nodeOn>[1];

const fromAI = (key: string): string => `={{ $fromAI('${key}', '', 'string') }}`;

const refundTool = (options: INodeParameters = {}) => ({
	resource: 'charge',
	operation: 'refund',
	parameters: {
		chargeId: { __rl: true, mode: 'id', value: fromAI('charge') },
		amount: fromAI('amount'),
		options,
	},
});

const createTool = (amount: string = fromAI('amount'), options: INodeParameters = {}) => ({
	resource: 'link',
	operation: 'create',
	parameters: {
		currency: 'USD',
		items: { item: [{ name: 'Ticket', amount, quantity: 1 }] },
		output: 'raw',
		options,
	},
});

/** Calls a failing tool on each path. @returns its errors, which contain nothing else */
async function failuresOf(tool: ReturnType<typeof nodeOn>, call: IDataObject = {}) {
	const answers: IDataObject[][] = [];
	for (const [, path] of TOOL_PATHS) answers.push(await path(tool, call));
	for (const records of answers) {
		const [record = {}, ...others] = records;
		expect(others).toEqual([]);
		expect(['error', 'error details']).toContain(Object.keys(record).join(' '));
	}
	expect(Object.keys(answers[0]?.[0] ?? {})).toEqual(['error', 'details']);
	return answers.map(([record]) => record?.['error']);
}

/** faults.matrix.test.ts has the other outcomes of a tool's write. */
it.each([
	['with arguments', createTool(), { amount: '12.50' }],
	['without any arguments', createTool('12.50'), {}],
])('a call %s, with Retry On Fail, creates one link at most', async (_what, tool, call) => {
	const server = await scriptedServer(() => reset());
	const retried = { ...nodeOn(server, tool), retryOnFail: { maxTries: 5 } };
	const records = await olderPath(retried, call);
	expect(records.map((record) => Object.keys(record))).toEqual([['error', 'details']]);
	expect(records[0]?.['error']).toMatch(
		/^UNKNOWN whether the link was created: check before you retry\. The request was sent in an earlier attempt.* can create a second link; /,
	);
	expect(server.requests).toHaveLength(1);
});

it.each([
	['link', createTool(), 'the link was NOT created by this request'],
	['refund', refundTool(), 'NOT refunded'],
])('an unusable credential reports the %s as not carried out', async (_what, tool, not) => {
	const server = await scriptedServer(() => json({ id: A }));
	const call = { charge: A, amount: '12.50' };
	for (const message of await failuresOf(nodeOn({ url: server.url, apiKey: '' }, tool), call))
		expect(message).toMatch(new RegExp(`^API Key is empty – ${not}\\. \\S`));
	expect(server.requests).toEqual([]);
});

it('several calls of a tool in one execution refund one after another, up to the total of the charge', async () => {
	const service = await lenientService({ [A]: 1000, [B]: 1000 });
	const results = await runAsTool({
		...nodeOn(service, refundTool()),
		retryOnFail: { maxTries: 3 },
		calls: [
			{ charge: A, amount: '6.00' },
			{ charge: A, amount: '7.00' },
			{ charge: B, amount: '6.00' },
			{ charge: A, amount: '4.00' },
		],
	});
	expect(results.map(({ answer }) => answer)).toEqual([
		expect.stringContaining('"remaining":"4.00"'),
		expect.stringMatching(/more than the [04]\.00 USD left to refund.*NOT refunded/),
		expect.stringContaining('"remaining":"4.00"'),
		expect.stringContaining('"remaining":"0.00"'),
	]);
	expect(service.refunded(A)).toBe(1000);
	expect(service.maxInFlight()).toBe(1);
});

it.each<[charge: string, amount: string, reason: RegExp, maximum?: string]>([
	[A, '5,00', /must be a decimal number/],
	[A, '99.99', /more than the 'Maximum Amount' of 10\.00/],
	['../links', '5.00', /^'Charge' is .*: it must be a UUID/],
	// An empty limit from the model does not count as no limit.
	[A, '5.00', /Maximum Amount/, fromAI('maximum')],
])(
	'values from a model are checked like others: charge %s, amount %j',
	async (charge, amount, reason, maximumAmount = '10.00') => {
		const service = await lenientService({ [A]: 100_000 });
		const tool = nodeOn(service, refundTool({ maximumAmount }));
		for (const message of await failuresOf(tool, { charge, amount })) {
			expect(message).toMatch(reason);
			expect(message).toContain('NOT refunded');
		}
		expect(service.posts()).toEqual([]);
	},
);

it.each(['', ' \u200b', null])('an empty filter from a model is not sent: %j', async (search) => {
	const filters = {
		search: "={{ $fromai('search', '', 'string') }}",
		customerId: { __rl: true, mode: 'id', value: fromAI('customer') },
	};
	const chosen = { resource: 'charge', operation: 'getAll', parameters: { limit: 1, filters } };
	const server = await scriptedServer(() => json(envelope({ id: A })));
	const call = { search, customer: '' };
	const tool = nodeOn(server, chosen);
	expect(await olderPath(tool, call)).toMatchObject([{ id: A }]);
	const newer = await runNode({ ...tool, asAgentTool: true, items: [call] });
	expect(newer.json).toMatchObject([{ id: A }]);
	expect(hintsOf(newer)).toEqual([
		"'Customer' was not sent because it is empty",
		"'Search' was not sent because it is empty",
	]);
	expect(server.requests.map(({ query }) => query)).toEqual(
		[1, 2].map(() => ({ page: '1', page_size: '1' })),
	);
});

const SINCE = '2025-01-01T10:00:00Z';
const OF_CUSTOMER = { status: 'paid', customerId: { __rl: true, mode: 'id', value: A } };

it.each<[resource: string, operation: string, INodeParameters, says: string]>([
	[
		'customer',
		'getAll',
		{ filters: { email: 'nobody@example.com' } },
		"customers were found with 'Email' nobody@example.com.",
	],
	[
		'customer',
		'getAll',
		{ filters: { search: `4929 4205 7359 5709 ${PLANTED.apiKey}` } },
		"customers were found with 'Search' [redacted] [redacted].",
	],
	['customer', 'getAll', {}, 'customers were found.'],
	['customer', 'getAll', { options: { page: 9 } }, "customers were found with 'Page' 9."],
	[
		'charge',
		'getAll',
		{ filters: OF_CUSTOMER, returnAll: true },
		`charges were found with 'Customer' ${A}, 'Status' paid. The newest charges have the statuses authorised, pending.`,
	],
	[
		'charge',
		'getEvents',
		{ since: SINCE, events: ['charge.created', 'charge.refunded'] },
		`charge events were found with 'Since' ${SINCE}, 'Events' charge.created, charge.refunded.`,
	],
])(
	'a list of %s without rows shows a model the filters: %s %j',
	async (resource, operation, parameters, says) => {
		const server = await scriptedServer(({ query }) => {
			const isOther = query['customer_id'] === A && query['status'] === undefined;
			const rows = ['authorised', 'pending', 'authorised'].map((status) => ({ id: B, status }));
			return json(envelope(...(isOther ? rows : [])));
		});
		const tool = nodeOn(server, { resource, operation, parameters });
		for (const [, path] of TOOL_PATHS)
			expect(await path(tool)).toEqual([{ message: `No ${says}` }]);
		expect(hintsOf(await runNode({ ...tool, asAgentTool: true }))).toEqual([]);
		expect((await runNode(tool)).json).toEqual([]);
	},
);

describe('an error that a model reads', () => {
	it.each<[string, Chosen, string]>([
		[
			'an amount',
			createTool('ten'),
			'created by this request. Use digits and at most one decimal point',
		],
		[
			'no change',
			{ resource: 'link', operation: 'update', parameters: { linkId: A, updateFields: {} } },
			"updated by this request. Add 'Title' or 'Status'",
		],
	])('names what was NOT done and what to change after %s', async (_what, tool, says) => {
		const server = await scriptedServer(() => json({ id: A }));
		for (const message of await failuresOf(nodeOn(server, tool)))
			expect(message).toContain(` – the link was NOT ${says}`);
		expect(server.requests).toEqual([]);
	});
});
