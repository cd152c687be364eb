import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { startSandbox, type Sandbox } from '../../sandbox';
import { runOperation } from '../support/operations';

/**
 * What n8n's editor shows of an operation's output before it has run, against what the operation then gives. Most of it
 * is the contract's, which the sandbox answers by; what the node makes of it is compared here.
 */
interface Preview {
	type: string;
	properties?: Record<string, Preview>;
	items?: Preview;
}

const { stdout, stderr } = spawnSync(
	process.execPath,
	[join(__dirname, '../../scripts/generate/outputSchemas.mjs')],
	{ encoding: 'utf8' },
);
const PREVIEWS = JSON.parse(stdout || JSON.stringify(stderr)) as Record<string, Preview>;

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({
		counts: { charges: 30, customers: 30, links: 3, invoices: 3, checkoutSessions: 3 },
	});
});
afterAll(async () => await sandbox.close());

const newest = {
	charge: () => sandbox.store.charges.all()[0]?.charge.id ?? '',
	customer: () => sandbox.store.customers.all()[0]?.id ?? '',
	link: () => sandbox.store.links.at(0)?.link.id ?? '',
};

/** One way to run each operation. */
const PARAMETERS: Record<string, () => INodeParameters> = {
	'charge/get': () => ({ chargeId: newest.charge() }),
	'charge/getAll': () => ({ returnAll: true }),
	'charge/getEvents': () => ({ since: '2000-01-01T00:00:00Z' }),
	'charge/refund': () => ({ chargeId: sandbox.insertCharge({}).id, amount: '0.01' }),
	'checkoutSession/get': () => ({
		checkoutSessionId: sandbox.store.checkoutSessions.at(0)?.id ?? '',
	}),
	'customer/get': () => ({ customerId: newest.customer() }),
	'customer/getAll': () => ({ returnAll: true }),
	'invoice/get': () => ({ invoiceId: sandbox.store.invoices.at(0)?.id ?? '' }),
	'link/create': () => ({
		currency: 'USD',
		items: { item: [{ name: 'Ticket', amount: '12.50', quantity: 2 }] },
	}),
	'link/delete': () => ({ linkId: sandbox.store.links.at(1)?.link.id ?? '' }),
	'link/get': () => ({ linkId: newest.link() }),
	'link/update': () => ({ linkId: newest.link(), updateFields: { title: 'Other' } }),
};

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** Where an output is not as its preview says; nothing is known of the type of null. */
function differences(value: unknown, preview: Preview, path = ''): string[] {
	if (value === null) return [];
	const { type, properties, items } = preview;
	const isWhole = type === 'integer' && Number.isInteger(value);
	if (typeOf(value) !== type && !isWhole) return [`${path} is ${typeOf(value)}, not ${type}`];
	if (Array.isArray(value)) {
		return items === undefined
			? []
			: value.flatMap((one, index) => differences(one, items, `${path}[${index}]`));
	}
	if (properties === undefined) return [];
	const record = value as Record<string, unknown>;
	return [
		...Object.keys(record)
			.filter((name) => !(name in properties))
			.map((name) => `${path}.${name} is not shown`),
		...Object.entries(properties).flatMap(([name, one]) =>
			name in record ? differences(record[name], one, `${path}.${name}`) : [],
		),
	];
}

async function outputsOf(name: string, parameters: INodeParameters = {}) {
	const [resource = '', operation = ''] = name.split('/');
	const result = await runOperation(sandbox, {
		resource,
		operation,
		parameters: { ...PARAMETERS[name]?.(), ...parameters },
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
	});
	expect(result.error).toBeUndefined();
	expect(result.json).not.toHaveLength(0);
	return result.json;
}

describe.each(Object.entries(PREVIEWS))('the preview of %s', (name, preview) => {
	it('is what the operation gives', async () => {
		const outputs = await outputsOf(name);
		expect(outputs.flatMap((output) => differences(output, preview))).toEqual([]);
	});
});

/** n8n's guidelines for nodes. */
const MOST_FIELDS = 10;

it('every operation has one, in the order of its output, of ten fields at most', async () => {
	const operations = Object.entries(new PaymentCollection().customOperations).flatMap(
		([resource, byName]) => Object.keys(byName).map((operation) => `${resource}/${operation}`),
	);
	expect(Object.keys(PREVIEWS).sort()).toEqual(operations.sort());
	for (const name of Object.keys(PREVIEWS)) {
		const fields = Object.keys(PREVIEWS[name]?.properties ?? {});
		for (const output of await outputsOf(name)) expect(Object.keys(output)).toEqual(fields);
		const ofRecord = fields.filter((field) => !/^event(_id)?$/.test(field));
		expect([name, ofRecord.length <= MOST_FIELDS]).toEqual([name, true]);
	}
});
