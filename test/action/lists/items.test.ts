import { chargeSchema } from '../../../contract/schemas/charge';
import { customerSchema } from '../../../contract/schemas/customer';
import { isCollection } from '../../../nodes/shared/fields/field';
import type { AnyField } from '../../../nodes/shared/fields/field';
import type { Sandbox } from '../../../sandbox';
import { scriptedServer } from '../../support/servers/http-server';
import {
	LIST_FIELDS,
	LIST_PATHS,
	LIST_RESOURCES,
	getMany,
	idsOf,
	listOf,
	listSandbox,
	pageOf,
	readIds,
	rowsUpTo,
	shownError,
	type ListResource,
} from '../../support/lists';

/** What a list can be narrowed down by with a text or a choice: its filters but for records chosen from a list. */
const filtersOf = (resource: ListResource, fields: readonly AnyField[]) =>
	fields
		.filter(isCollection)
		.filter(({ name }) => name === 'filters')
		.flatMap((filters) => filters.fields)
		.filter(({ type }) => type !== 'resourceLocator')
		.map(({ name, displayName }) => [resource, name, `Filter ${displayName}`] as const);

const textFilters = LIST_RESOURCES.flatMap((resource) =>
	filtersOf(resource, LIST_FIELDS[resource]),
);

describe('filters', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await listSandbox({
			counts: { charges: 300, customers: 300 },
			switches: { maxPageSize: 20, textFilter: 'contains' },
		});
	});
	beforeEach(() => sandbox.clearRequests());

	it('go out with every page of charges', async () => {
		const expected = await readIds(sandbox, 'charge', { status: 'authorised', type: 'link' });
		expect(expected.length).toBeGreaterThan(40);
		sandbox.clearRequests();
		const { json: rows } = await getMany(sandbox.url, {
			parameters: { filters: { status: 'authorised', type: 'link' } },
		});
		expect(idsOf(rows)).toEqual(expected);
		expect(sandbox.requests.length).toBeGreaterThan(2);
		for (const { query } of sandbox.requests) {
			expect(query).toMatchObject({ status: 'authorised', type: 'link', page_size: '100' });
		}
	});

	it('go out with every page of customers, under the names of the service', async () => {
		const filters = {
			businessName: 'a b',
			customerId: 'some id',
			email: 'x+y@example.com',
			firstName: 'Zoë',
			lastName: '&page=9',
			search: '100%',
		};
		const server = await scriptedServer(listOf(250));
		await getMany(server.url, { resource: 'customer', parameters: { filters } });
		expect(server.requests).toHaveLength(3);
		for (const { query } of server.requests) {
			expect(query).toMatchObject({
				business_name: 'a b',
				id: 'some id',
				email: 'x+y@example.com',
				first_name: 'Zoë',
				last_name: '&page=9',
				search: '100%',
				page_size: '100',
			});
		}
	});

	it.each(textFilters)(
		'of %s: an empty %s is refused by name, not left out',
		async (resource, name, label) => {
			for (const value of ['', '={{ $json.missing }}']) {
				const result = await getMany(sandbox.url, {
					resource,
					parameters: { filters: { [name]: value } },
				});
				expect(shownError(result).message).toMatch(new RegExp(`^${label} is`));
			}
			expect(sandbox.requests).toEqual([]);
		},
	);
});

describe('three input items', () => {
	const items = [{ last: 'one' }, { last: 'two' }, { last: 'three' }];
	const parameters = { filters: { lastName: '={{ $json.last }}' }, options: { pageSize: 10 } };
	const counts: Record<string, number> = { one: 25, two: 0, three: 12 };

	const listPerItem = async () =>
		await scriptedServer(({ query }) => {
			const last = String(query['last_name']);
			const rows = rowsUpTo(counts[last] ?? 0).map(({ id }) => ({
				id: `${last}: ${id as string}`,
			}));
			return pageOf(rows, Number(query['page']), Number(query['page_size']));
		});

	it('give their rows in the order of the items, each linked to its own', async () => {
		const server = await listPerItem();
		const result = await getMany(server.url, {
			resource: 'customer',
			parameters,
			items,
			readAfter: `={{ $('Input').item.json.last }}`,
		});
		const owners = [...Array<string>(25).fill('one'), ...Array<string>(12).fill('three')];
		expect(result.json.map(({ id }) => (id as string).split(':')[0])).toEqual(owners);
		expect(result.after).toEqual(owners);
	});
});

/** What accounting and reconciliation, and reaching a contact, need. */
const SIMPLE: Record<ListResource, string> = {
	charge:
		'id created reference_id total currency status refund_total net payment_method user_name note',
	customer:
		'id created first_name last_name business_name email phone_number city country job_title',
};

const FIELDS: Record<ListResource, string[]> = {
	charge: Object.keys(chargeSchema.shape),
	customer: Object.keys(customerSchema.shape),
};

describe('what leaves the node', () => {
	it.each(LIST_RESOURCES)('is simplified unless told otherwise: %s', async (resource) => {
		const sandbox = await listSandbox({ counts: { charges: 2, customers: 2 } });
		const result = await getMany(sandbox.url, { resource });
		expect(sandbox.requests.map(({ path }) => path)).toEqual([LIST_PATHS[resource]]);
		expect(result.json).toHaveLength(2);
		for (const row of result.json) expect(Object.keys(row)).toEqual(SIMPLE[resource].split(' '));
		const whole = await getMany(sandbox.url, { resource, parameters: { simplify: false } });
		for (const row of whole.json) {
			expect(Object.keys(row).sort()).toEqual([...FIELDS[resource]].sort());
		}
	});
});
