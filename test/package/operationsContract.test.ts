import type { INodeParameters } from 'n8n-workflow';
import type { z } from 'zod';

import { chargeFiltersSchema } from '../../contract/schemas/charge';
import { customerFiltersSchema } from '../../contract/schemas/customer';
import {
	linkCreateFieldsSchema,
	linkCreateSchema,
	linkItemInputSchema,
} from '../../contract/schemas/link';
import { pageQuerySchema } from '../../contract/schemas/list';
import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { isCollection, type Field } from '../../nodes/shared/fields/field';
import { startSandbox, type Sandbox } from '../../sandbox';
import { LIST_FIELDS, LIST_OPERATIONS, LIST_RESOURCES, type ListResource } from '../support/lists';
import { OPERATION_NAMES, runOperation, uuid } from '../support/operations';

/**
 * Against the sandbox, which refuses what the contract does not have: every field of a request can be set from the
 * node, and what the node sends is what the contract wants.
 */
let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({
		counts: { charges: 30, customers: 30, links: 3, invoices: 3, checkoutSessions: 3 },
	});
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.clearRequests());

async function run(resource: string, operation: string, parameters: INodeParameters) {
	const credentials = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const { error } = await runOperation(sandbox, { resource, operation, parameters, credentials });
	expect(error).toBeUndefined();
}

const bodies = (): unknown[] => sandbox.requests.flatMap(({ body }) => body ?? []);
const keysOf = (...objects: unknown[]): string[] =>
	[...new Set(objects.flatMap((object) => Object.keys(object as object)))].sort();
const fieldsOf = ({ shape }: { shape: object }): string[] => Object.keys(shape).sort();

const NEW_LINK = {
	currency: 'USD',
	items: { item: [{ name: 'Ticket', amount: '12.50', quantity: 2 }] },
	additionalFields: {
		title: 'Spring workshop',
		note: 'Bring a laptop',
		discountPercentage: 10,
		shippingAddressRequired: true,
		allowTip: true,
		customFields: { field: [{ name: 'Size' }] },
		successUrl: 'https://shop.example/ok',
		failureUrl: 'https://shop.example/failed',
		allowInstallmentA: false,
		allowInstallmentB: false,
		allowServiceFee: false,
	},
};

it('each operation has an example, with which all that holds for every operation is tried', () => {
	const operations = Object.entries(new PaymentCollection().customOperations).flatMap(
		([resource, byName]) => Object.keys(byName).map((operation) => `${resource} ${operation}`),
	);
	expect([...OPERATION_NAMES].sort()).toEqual(operations.sort());
	expect([...LIST_OPERATIONS].sort()).toEqual(
		operations.filter((name) => name.endsWith(' getAll')),
	);
});

const FILTERS: Record<ListResource, z.AnyZodObject> = {
	charge: chargeFiltersSchema,
	customer: customerFiltersSchema,
};

describe('every field of a request can be set', () => {
	it('of a new link, with one expiry rule at a time', async () => {
		await run('link', 'create', { ...NEW_LINK, expiry: 'afterPayments', paymentExpiryLimit: 3 });
		await run('link', 'create', { ...NEW_LINK, expiry: 'onDate', expiryDate: '2099-06-01' });
		for (const body of bodies()) linkCreateSchema.parse(body);
		expect(keysOf(...bodies())).toEqual(fieldsOf(linkCreateFieldsSchema));
		const [{ items: [item] = [] } = {}] = bodies() as Array<{ items?: unknown[] }>;
		expect(keysOf(item)).toEqual(fieldsOf(linkItemInputSchema));
	});

	it.each(LIST_RESOURCES)('of the list of %ss', async (resource) => {
		const filters = LIST_FIELDS[resource].find(({ name }) => name === 'filters');
		if (filters === undefined || !isCollection(filters)) throw new Error('There are no filters');
		const values = filters.fields.map((field) => [field.name, sampleOf(field)]);
		await run(resource, 'getAll', {
			filters: Object.fromEntries(values) as INodeParameters,
			options: { page: 1, pageSize: 10 },
		});
		const query = sandbox.requests[0]?.query ?? {};
		const wanted = FILTERS[resource].merge(pageQuerySchema);
		wanted.parse(query);
		expect(keysOf(query)).toEqual(fieldsOf(wanted));
	});
});

/** A value that the field's own check lets through. */
function sampleOf({ displayName, default: byDefault, check }: Field): unknown {
	const samples = ['text', 'USD', uuid(1), byDefault, 1, true];
	const isFine = (sample: unknown): boolean => {
		try {
			check(sample, displayName, { body: {}, timeZone: 'UTC' });
			return true;
		} catch {
			return false;
		}
	};
	const sample = samples.find(isFine);
	if (sample === undefined) throw new Error(`Nothing is known that ${displayName} takes`);
	return sample;
}
