import { chargeSchema } from '../../../contract/schemas/charge';
import { customerSchema } from '../../../contract/schemas/customer';
import { isCollection } from '../../../nodes/shared/fields/field';
import type { AnyField } from '../../../nodes/shared/fields/field';
import { uuid } from '../../support/operations';
import { json, scriptedServer } from '../../support/servers/http-server';
import {
	LIST_FIELDS,
	LIST_PATHS,
	LIST_RESOURCES,
	getMany,
	hintsOf,
	listOf,
	listSandbox,
	pageOf,
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
	it.each([
		['currency', 'eur', { currency: 'EUR' }, []],
		['currency', 'EUR', { currency: 'USD' }, ['currency']],
		['status', 'authorised', { status: 'captured' }, ['status']],
		['chargeId', uuid(1), { id: uuid(2) }, ['id']],
		// What the service compares with it is not documented.
		['search', 'Ana', { note: 'Ben' }, []],
	])('%s %s that a row %j contradicts is said to be ignored', async (name, value, row, ignored) => {
		const server = await scriptedServer(() => json({ count: 1, results: [row], next: null }));
		for (const options of [{}, { page: 2 }]) {
			const parameters = { filters: { [name]: value }, options };
			const result = await getMany(server.url, { parameters });
			expect(result.json).toHaveLength(1);
			expect(hintsOf(result)).toEqual(
				ignored.map(
					(one) =>
						`The service seems to ignore the filter by ${one}: it gave rows with another one`,
				),
			);
		}
	});

	it('go out with every page, as they were given', async () => {
		const filters = { businessName: 'a b', email: 'x+y@example.com', lastName: '&page=9' };
		const server = await scriptedServer(listOf(250));
		await getMany(server.url, { resource: 'customer', parameters: { filters } });
		expect(server.requests).toHaveLength(3);
		for (const { query } of server.requests) {
			expect(query).toMatchObject({
				business_name: 'a b',
				email: 'x+y@example.com',
				last_name: '&page=9',
				page_size: '100',
			});
		}
	});

	it.each(textFilters)(
		'of %s: an empty %s is refused by name, not left out',
		async (resource, name, label) => {
			const server = await scriptedServer(listOf(1));
			for (const value of ['', '={{ $json.missing }}']) {
				const parameters = { filters: { [name]: value } };
				const result = await getMany(server.url, { resource, parameters });
				expect(shownError(result).message).toMatch(new RegExp(`^${label} is`));
			}
			expect(server.requests).toEqual([]);
		},
	);
});

it('three input items give their rows in the order of the items, each linked to its own', async () => {
	const counts: Record<string, number> = { one: 25, two: 0, three: 12 };
	const server = await scriptedServer(({ query }) => {
		const last = String(query['last_name']);
		const rows = rowsUpTo(counts[last] ?? 0).map(({ id }) => ({ id: `${last} ${id as string}` }));
		return pageOf(rows, Number(query['page']), Number(query['page_size']));
	});
	const result = await getMany(server.url, {
		resource: 'customer',
		parameters: { filters: { lastName: '={{ $json.last }}' }, options: { pageSize: 10 } },
		items: Object.keys(counts).map((last) => ({ last })),
		readAfter: `={{ $('Input').item.json.last }}`,
	});
	const owners = [...Array<string>(25).fill('one'), ...Array<string>(12).fill('three')];
	expect(result.json.map(({ id }) => (id as string).split(' ')[0])).toEqual(owners);
	expect(result.after).toEqual(owners);
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
