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

/** What accounting and reconciliation, and reaching a contact, need. */
const SIMPLE: Record<ListResource, string> = {
	charge:
		'id created reference_id total currency status refund_total net payment_method user_name note',
	customer:
		'id created first_name last_name business_name email phone_number city country job_title',
};

describe('what leaves the node', () => {
	it.each(LIST_RESOURCES)('is simplified unless told otherwise: %s', async (resource) => {
		const sandbox = await listSandbox({ counts: { charges: 2, customers: 2 } });
		const result = await getMany(sandbox.url, { resource });
		expect(sandbox.requests.map(({ path }) => path)).toEqual([LIST_PATHS[resource]]);
		expect(result.json).toHaveLength(2);
		for (const row of result.json) expect(Object.keys(row)).toEqual(SIMPLE[resource].split(' '));
	});
});
