import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RecordKind } from '../../../contract/records.generated';
import { chargeSchema } from '../../../contract/schemas/charge';
import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { shownFor } from '../../support/descriptions';
import { runNode, runRouting } from '../../support/engine';
import {
	OPERATIONS,
	OPERATION_NAMES,
	credentialsFor,
	envelope,
	friendly,
	runOperation,
	uuid,
	type OperationCase,
} from '../../support/operations';
import { sandbox, useSandbox } from '../../support/sandbox';
import { PLANTED, findSecrets } from '../../support/secrets/secrets';
import { TOOL_PATHS } from '../../support/toolPaths';
import { json as answer, scriptedServer } from '../../support/servers/http-server';

const node = new PaymentCollection();

/** Workflows depend on these names, and tables on their order. */
const SIMPLE = {
	charge: 'id total currency status payer_name created reference_id refund_total net note',
	checkoutSession:
		'id status amount currency reference_id created_at url customer_name customer_email metadata',
	customer:
		'id created first_name last_name business_name email phone_number city country job_title',
	invoice: 'id invoice_number status amount currency due_date title url reference_id created',
	link: 'id url status amount currency title reference_id payment_expiry_limit expiry_date note',
} as const satisfies Record<RecordKind, string>;

const SIMPLE_CHARGE = SIMPLE.charge.split(' ');
const WHOLE_CHARGE = Object.keys(chargeSchema.shape);

/** Operations that return records of the service. */
const OF_RECORDS = OPERATION_NAMES.filter((name) =>
	node.description.properties
		.filter((field) => field.name === 'simplify')
		.flatMap(shownFor)
		.includes(name),
);

it.each(OF_RECORDS)('%s returns every simplified field, null if it is missing', async (name) => {
	const testCase: OperationCase = OPERATIONS[name];
	const { simplify, ...parameters } = testCase.parameters;
	const key = uuid(1);
	const server = await scriptedServer(friendly(testCase));
	const result = await runOperation(server, { ...testCase, parameters, items: [{ key }] });
	expect(result.error).toBeUndefined();
	const whole = testCase.gives(key);
	const simple = SIMPLE[testCase.resource as RecordKind].split(' ');
	const names = name === 'charge getEvents' ? ['event', ...simple, 'event_id'] : simple;
	const wanted = names.map((field) => [field, whole[field] ?? null]);
	expect(Object.entries(result.json[0] ?? {})).toEqual(wanted);
});

const ADA = { first_name: 'Ada', last_name: 'Lovelace', business_name: 'Engines', email: 'a@b.c' };
const NOBODY = { customer_name: null, customer_email: null };

it.each<[resource: 'charge' | 'checkoutSession', record: IDataObject, made: IDataObject]>([
	['charge', { source: { card_holder_name: ' Ada Lovelace' } }, { payer_name: 'Ada Lovelace' }],
	['charge', { source: { card_holder_name: '' }, user: ADA }, { payer_name: null }],
	['charge', { source: 'card', payer_name: 'x' }, { payer_name: null }],
	[
		'checkoutSession',
		{ customer: ADA },
		{ customer_name: 'Ada Lovelace', customer_email: 'a@b.c' },
	],
	[
		'checkoutSession',
		{ customer: { last_name: ' ', business_name: 'Engines' } },
		{ customer_name: 'Engines' },
	],
	['checkoutSession', { customer: ['Ada'] }, NOBODY],
	['charge', { net: 12.5, currency: 'USD' }, { net: '12.50' }],
	['charge', { net: -0.1, currency: 'KWD' }, { net: '-0.100' }],
	['charge', { net: 1200, currency: 'JPY' }, { net: '1200' }],
	['charge', { net: '7', currency: '' }, { net: '7' }],
	['charge', { net: null }, { net: null }],
	// An unreadable amount stays as it is.
	['charge', { net: 'much' }, { net: 'much' }],
])('returns the payer and the net amount as text: of a %s %j', async (resource, record, made) => {
	const row = { id: uuid(1), ...record };
	const server = await scriptedServer(() => answer(resource === 'charge' ? envelope(row) : row));
	const { json } = await runOperation(server, {
		resource,
		operation: 'get',
		parameters: { chargeId: uuid(1), checkoutSessionId: uuid(1) },
	});
	expect(json).toMatchObject([made]);
});

/** Outputs of all ways in which n8n runs the node, as a step or as a tool. */
async function outputsOf(isTool: boolean, server: { url: string }, parameters: INodeParameters) {
	const options = { nodeType: node, credentials: credentialsFor(server), parameters };
	if (!isTool) {
		const [routed = []] = await runRouting(options);
		return [(await runNode(options)).json, routed.map(({ json }) => json)];
	}
	return await Promise.all(TOOL_PATHS.map(async ([, path]) => await path(options)));
}

function insertPlantedCharge(): string {
	const [pattern] = sandbox.store.charges.all();
	if (pattern === undefined) throw new Error('The sandbox has no charge to copy the source of');
	const { source } = pattern.charge;
	return sandbox.insertCharge({
		source: {
			...source,
			token: PLANTED.token,
			card_data: {
				...source.card_data,
				card_number: PLANTED.cardNumber,
				security_code: PLANTED.securityCode,
			},
		},
	}).id;
}

describe('the chosen output of a charge', () => {
	useSandbox({ apiKey: PLANTED.apiKey, counts: { charges: 3 } });

	it.each<[what: string, isTool: boolean, parameters: INodeParameters, fields: string[]]>([
		['simplified', false, {}, SIMPLE_CHARGE],
		['whole', false, { simplify: false }, WHOLE_CHARGE],
		[
			'with an ignored Output',
			false,
			{ output: 'selectedFields', fields: ['note'] },
			SIMPLE_CHARGE,
		],
		['simplified', true, {}, SIMPLE_CHARGE],
		['with an ignored Simplify', true, { simplify: false }, SIMPLE_CHARGE],
		['whole', true, { output: 'raw', fields: ['note'] }, WHOLE_CHARGE],
		[
			'with sensitive data included before it became a tool',
			true,
			{ output: 'raw', options: { includeSensitiveData: true } },
			WHOLE_CHARGE,
		],
		['by the ID alone', true, { output: 'selectedFields' }, ['id']],
		[
			'in the order of the choice',
			true,
			{ output: 'selectedFields', fields: ['source', 'payer_name', 'id'] },
			['id', 'source', 'payer_name'],
		],
		[
			'by a text with commas',
			true,
			{ output: 'selectedFields', fields: '={{ "total, Currency,," }}' },
			['id', 'total', 'currency'],
		],
	])('has no secrets, %s (as a tool: %s)', async (_what, isTool, chosen, fields) => {
		const parameters = {
			...{ resource: 'charge', operation: 'getAll', filters: { chargeId: insertPlantedCharge() } },
			...chosen,
		};
		for (const records of await outputsOf(isTool, sandbox, parameters)) {
			expect(records.map((one) => Object.keys(one))).toEqual([
				fields === WHOLE_CHARGE ? expect.arrayContaining(fields) : fields,
			]);
			expect(findSecrets(records)).toEqual([]);
		}
	});

	it('is between the name of an event and its ID', async () => {
		const parameters = {
			...{ resource: 'charge', operation: 'getEvents', since: '2000-01-01T00:00:00Z' },
			...{ output: 'selectedFields', fields: ['total'] },
		};
		for (const [event = {}] of await outputsOf(true, sandbox, parameters)) {
			expect(Object.keys(event)).toEqual(['event', 'id', 'total', 'event_id']);
		}
	});
});

it.each<[INodeParameters, RegExp]>([
	[
		{ output: 'selectedFields', fields: ['note', 'amout'] },
		/^'Fields' is "amout": it must be one of id, .*note/,
	],
	[{ output: 'selectedFields', fields: '={{ 7 }}' }, /^'Fields' is 7:/],
	[{ output: 'all' }, /^'Output' is "all": it must be one of simplified, raw, selectedFields/],
])('a tool with %j fails with the reason, and sends nothing', async (chosen, says) => {
	const server = await scriptedServer(() => answer({ id: uuid(1) }));
	for (const name of ['charge getAll', 'link create', 'link update'] as const) {
		const { resource, operation, parameters } = OPERATIONS[name];
		const asked = { resource, operation, ...parameters, filters: {}, linkId: uuid(1), ...chosen };
		for (const [record] of await outputsOf(true, server, asked)) {
			expect(record?.['error']).toMatch(says);
			if (resource === 'link') expect(record?.['error']).toMatch(/ – the link was NOT /);
		}
	}
	expect(server.requests).toEqual([]);
});
