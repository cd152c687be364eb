import { chargeSchema } from '../../../contract/schemas/charge';
import { customerSchema } from '../../../contract/schemas/customer';
import type { Sandbox } from '../../../sandbox';
import { json, scriptedServer } from '../../support/http-server';
import {
	LIST_PATHS,
	getMany,
	getManyByRouting,
	hintsOf,
	idsOf,
	insertPlantedCharge,
	listOf,
	listSandbox,
	pageOf,
	readIds,
	rowsUpTo,
	shownError,
	type ListResource,
} from '../../support/lists';

const ORDERS = ['newestFirst', 'oldestFirst', 'shuffled'] as const;

const pagesAsked = ({ requests }: Pick<Sandbox, 'requests'>): number[] =>
	requests.map(({ query }) => Number(query.page)).sort((a, b) => a - b);

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('Return All', () => {
	const sizes: Array<{ resource: ListResource; totals: number[] }> = [
		{ resource: 'charge', totals: [0, 1, 99, 100, 101] },
		{ resource: 'customer', totals: [0, 1, 99, 100, 101, 2345] },
	];

	describe.each(
		sizes.flatMap(({ resource, totals }) => totals.map((total) => ({ resource, total }))),
	)('of $total rows of $resource', ({ resource, total }) => {
		it.each(ORDERS)('gives each once, %s, under page caps of 30 and 100', async (rowOrder) => {
			const sandbox = await listSandbox({
				counts: { charges: total, customers: total },
				switches: { rowOrder },
			});
			const expected = await readIds(sandbox, resource);
			expect(expected).toHaveLength(total);
			for (const maxPageSize of [30, 100]) {
				sandbox.setSwitches({ maxPageSize });
				sandbox.clearRequests();
				const result = await getMany(sandbox.url, { resource });
				expect(result.status).toBe('success');
				expect(idsOf(result.json)).toEqual(expected);
				expect(hintsOf(result)).toEqual([]);
				expect(pagesAsked(sandbox)).toEqual(numbersTo(Math.max(1, Math.ceil(total / maxPageSize))));
				expect(sandbox.maxInFlight).toBeLessThanOrEqual(8);
			}
		});
	});

	it('gives 2,345 charges as well', async () => {
		const sandbox = await listSandbox({
			counts: { charges: 2345 },
			switches: { rowOrder: 'oldestFirst', maxPageSize: 30 },
		});
		const { json: rows, hints } = await getMany(sandbox.url);
		expect(idsOf(rows)).toEqual(
			sandbox.store.charges
				.all()
				.map(({ charge }) => charge.id)
				.reverse(),
		);
		expect(hints).toEqual([]);
		expect(sandbox.requests).toHaveLength(79);
	});

	it('stops after page 1 when there are more than 100,000 rows, and names Page as the way out', async () => {
		const server = await scriptedServer(({ query }) =>
			pageOf(rowsUpTo(100), Number(query.page), 100, { count: 100_001, next: 'http://x/?page=2' }),
		);
		const { message, description } = shownError(await getMany(server.url));
		expect(message).toContain('There are 100001 rows');
		expect(message).toContain('100000');
		expect(description).toContain('Page');
		expect(server.calls()).toHaveLength(1);
		// A part of it is no problem.
		const part = await getMany(server.url, { parameters: { returnAll: false, limit: 20 } });
		expect(part.json).toHaveLength(20);
	});

	it('may be turned on by an expression that gives text', async () => {
		const server = await scriptedServer(listOf(60));
		const parameters = { returnAll: '={{ "true" }}' };
		expect((await getMany(server.url, { parameters })).json).toHaveLength(60);
		const refused = await getMany(server.url, { parameters: { returnAll: '={{ "all" }}' } });
		expect(shownError(refused).message).toContain('Return All');
	});
});

describe('Limit', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await listSandbox({ counts: { charges: 400 } });
	});
	beforeEach(() => sandbox.clearRequests());

	it.each(ORDERS)('gives the first rows of the list, %s', async (rowOrder) => {
		sandbox.setSwitches({ rowOrder });
		const expected = await readIds(sandbox, 'charge');
		for (const limit of [1, 99, 101, 250, 500]) {
			const result = await getMany(sandbox.url, { parameters: { returnAll: false, limit } });
			expect(idsOf(result.json)).toEqual(expected.slice(0, limit));
			expect(hintsOf(result)).toEqual([]);
		}
	});

	it('is 50 unless set', async () => {
		const result = await getMany(sandbox.url, { parameters: { returnAll: false } });
		expect(result.json).toHaveLength(50);
	});

	it.each([
		{ limit: 7, pages: ['7'] },
		{ limit: 100, pages: ['100'] },
		{ limit: 101, pages: ['100', '100'] },
		{ limit: 250, pages: ['100', '100', '100'] },
	])('of $limit asks for no page that it does not need', async ({ limit, pages }) => {
		await getMany(sandbox.url, { parameters: { returnAll: false, limit } });
		expect(sandbox.requests.map(({ query }) => query.page_size)).toEqual(pages);
		expect(pagesAsked(sandbox)).toEqual(numbersTo(pages.length));
	});

	it.each([-5, 0, 1.5, 'abc', 100_001, null, true, '={{ [] }}'])(
		'of %p is refused by name before anything is sent',
		async (limit) => {
			const result = await getMany(sandbox.url, {
				parameters: { returnAll: false, limit },
				items: [{}, {}],
			});
			const { message, description } = shownError(result);
			expect(message).toMatch(/^Limit is .*whole number from 1 to 100000/);
			expect(description).toContain('Item 0');
			expect(sandbox.requests).toEqual([]);
		},
	);

	it('may be text that an expression gives', async () => {
		const limit = '={{ "12" }}';
		const result = await getMany(sandbox.url, { parameters: { returnAll: false, limit } });
		expect(result.json).toHaveLength(12);
	});
});

describe('Page and Page Size', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await listSandbox({ counts: { customers: 250 } });
	});
	beforeEach(() => sandbox.clearRequests());

	const page = async (number: unknown, more: object = {}) =>
		await getMany(sandbox.url, {
			resource: 'customer',
			parameters: { options: { page: number as number, ...more } },
		});

	it('reads that page alone and whole, whatever Limit says', async () => {
		const ids = await readIds(sandbox, 'customer');
		sandbox.clearRequests();
		const result = await getMany(sandbox.url, {
			resource: 'customer',
			parameters: { returnAll: false, limit: 5, options: { page: 3, pageSize: 40 } },
		});
		expect(idsOf(result.json)).toEqual(ids.slice(80, 120));
		expect(sandbox.requests.map(({ query }) => query)).toEqual([{ page: '3', page_size: '40' }]);
	});

	it.each(['404', 'empty'] as const)('gives no items past the end (%s)', async (pastTheEnd) => {
		sandbox.setSwitches({ pastTheEnd });
		expect((await page(3)).json).toHaveLength(50);
		const past = await page(4);
		expect(past.status).toBe('success');
		expect(past.json).toEqual([]);
	});

	it('reads page after page of a list that is too long for Return All', async () => {
		const server = await scriptedServer(({ query }) =>
			pageOf(rowsUpTo(300), Number(query.page), 100, { count: 3_000_000 }),
		);
		const result = await getMany(server.url, { parameters: { options: { page: 2 } } });
		expect(idsOf(result.json)).toEqual(idsOf(rowsUpTo(200).slice(100)));
	});

	it('takes 404 for the end on later pages only: page 1 is an error', async () => {
		const server = await scriptedServer(() => json({ error: { message: 'Gone', code: 'x' } }, 404));
		expect(shownError(await getMany(server.url)).message).toBe('Gone (code x, HTTP 404)');
		const one = await getMany(server.url, { parameters: { options: { page: 1 } } });
		expect(shownError(one).message).toBe('Gone (code x, HTTP 404)');
	});

	it.each([0, -1, 1.5, 'two', '', '={{ $json.missing }}'])(
		'refuses page and page size %p by name',
		async (value) => {
			expect(shownError(await page(value)).message).toMatch(/^Page is/);
			expect(shownError(await page(1, { pageSize: value })).message).toMatch(/^Page Size is/);
			expect(sandbox.requests).toEqual([]);
		},
	);

	it('goes by the page size that the service gives, not by the one asked for', async () => {
		sandbox.setSwitches({ maxPageSize: 60 });
		const result = await getMany(sandbox.url, {
			resource: 'customer',
			parameters: { options: { pageSize: 500 } },
		});
		expect(new Set(idsOf(result.json)).size).toBe(250);
		expect(sandbox.requests.every(({ query }) => query.page_size === '500')).toBe(true);
		expect(pagesAsked(sandbox)).toEqual(numbersTo(5));
	});
});

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

	it('take a customer from the list or by ID', async () => {
		const customerId = '3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b';
		for (const mode of ['list', 'id']) {
			await getMany(sandbox.url, {
				parameters: { filters: { customerId: { __rl: true, mode, value: customerId } } },
			});
		}
		expect(sandbox.requests.map(({ query }) => query.customer_id)).toEqual([
			customerId,
			customerId,
		]);
	});

	it.each([
		['charge', 'chargeId', 'Filter Charge ID'],
		['charge', 'currency', 'Filter Currency'],
		['charge', 'search', 'Filter Search'],
		['charge', 'status', 'Filter Status'],
		['charge', 'type', 'Filter Type'],
		['customer', 'businessName', 'Filter Business Name'],
		['customer', 'customerId', 'Filter Customer ID'],
		['customer', 'email', 'Filter Email'],
		['customer', 'firstName', 'Filter First Name'],
		['customer', 'lastName', 'Filter Last Name'],
		['customer', 'search', 'Filter Search'],
	] as const)(
		'of %s: an empty %s is refused by name, not left out',
		async (resource, name, field) => {
			for (const value of ['', '   ', '={{ $json.missing }}']) {
				const result = await getMany(sandbox.url, {
					resource,
					parameters: { filters: { [name]: value } },
				});
				expect(shownError(result).message).toMatch(new RegExp(`^${field} is`));
			}
			expect(sandbox.requests).toEqual([]);
		},
	);

	it('refuse a customer that was not chosen', async () => {
		const result = await getMany(sandbox.url, {
			parameters: { filters: { customerId: { __rl: true, mode: 'list', value: '' } } },
		});
		expect(shownError(result).message).toBe('Filter Customer is empty');
		expect(sandbox.requests).toEqual([]);
	});
});

describe('three input items', () => {
	const items = [{ last: 'one' }, { last: 'two' }, { last: 'three' }];
	const parameters = { filters: { lastName: '={{ $json.last }}' }, options: { pageSize: 10 } };
	const counts: Record<string, number> = { one: 25, two: 0, three: 12 };

	const listPerItem = async () =>
		await scriptedServer(({ query }) => {
			const last = String(query.last_name);
			const rows = rowsUpTo(counts[last] ?? 0).map(({ id }) => ({
				id: `${last}: ${id as string}`,
			}));
			return pageOf(rows, Number(query.page), Number(query.page_size));
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

	it('give the same by routing, the way without custom operations', async () => {
		const server = await listPerItem();
		const options = { resource: 'customer' as const, parameters, items };
		const routed = await getManyByRouting(server.url, options);
		const custom = await getMany(server.url, options);
		expect(routed.map(({ json: row, pairedItem }) => ({ row, pairedItem }))).toEqual(
			custom.items.map(({ json: row, pairedItem }) => ({ row, pairedItem })),
		);
		expect(routed).toHaveLength(37);
	});

	describe('of which one fails', () => {
		const failingServer = async () =>
			await scriptedServer(({ query }) =>
				query.last_name === 'two'
					? json({ error: { message: 'No such thing', code: 'nope' } }, 422)
					: pageOf(rowsUpTo(3), Number(query.page), Number(query.page_size)),
			);
		const run = async (onError?: 'continueRegularOutput' | 'continueErrorOutput') => {
			const server = await failingServer();
			return await getMany(server.url, {
				resource: 'customer',
				parameters,
				items,
				onError,
				readAfter: `={{ $('Input').item.json.last }}`,
			});
		};

		it('stop the node with the item index and what the service said', async () => {
			const result = await run();
			const { message, description } = shownError(result);
			expect(message).toBe('No such thing (code nope, HTTP 422)');
			expect(description).toContain('GET /v1/customers');
			expect(result.error).toMatchObject({ context: { itemIndex: 1 }, httpCode: '422' });
		});

		it('go on with Continue: the failed item stands among the others, linked', async () => {
			const result = await run('continueRegularOutput');
			expect(result.status).toBe('success');
			expect(idsOf(result.json)).toEqual([
				...['row 0', 'row 1', 'row 2'],
				undefined,
				...['row 0', 'row 1', 'row 2'],
			]);
			expect(result.json[3]).toMatchObject({ error: 'No such thing (code nope, HTTP 422)' });
			expect(result.after).toEqual(['one', 'one', 'one', 'two', 'three', 'three', 'three']);
		});

		it('go to the error output with Continue (error output), linked', async () => {
			const result = await run('continueErrorOutput');
			expect(result.json).toHaveLength(6);
			expect(result.errorItems).toHaveLength(1);
			expect(result.errorItems[0]).toMatchObject({
				json: { error: 'No such thing (code nope, HTTP 422)' },
				pairedItem: { item: 1 },
			});
		});

		it('do the same by routing', async () => {
			const server = await failingServer();
			const routed = getManyByRouting(server.url, { resource: 'customer', parameters, items });
			await expect(routed).rejects.toMatchObject({
				message: 'No such thing (code nope, HTTP 422)',
			});
		});
	});
});

/** What accounting and reconciliation, and reaching a contact, need. */
const SIMPLE_CHARGE =
	'id created reference_id total currency status refund_total net payment_method user_name';
const SIMPLE_CUSTOMER =
	'id created first_name last_name business_name email phone_number city country job_title';

describe('what leaves the node', () => {
	it('has no card data and no token unless asked for, and never a security code', async () => {
		const sandbox = await listSandbox({ counts: { charges: 3 } });
		const planted = insertPlantedCharge(sandbox);
		// getMany itself looks for the planted values everywhere.
		const { json: rows } = await getMany(sandbox.url, { parameters: { simplify: false } });
		const row = rows.find(({ id }) => id === planted);
		expect(row?.source).not.toHaveProperty('card_data');
		expect(row?.source).not.toHaveProperty('token');
		expect(row?.source).toHaveProperty('last4');
		expect(rows).toHaveLength(4);
	});

	it.each([
		['charge', chargeSchema, SIMPLE_CHARGE],
		['customer', customerSchema, SIMPLE_CUSTOMER],
	] as const)('is simplified unless told otherwise: %s', async (resource, schema, names) => {
		const sandbox = await listSandbox({ counts: { charges: 2, customers: 2 } });
		const result = await getMany(sandbox.url, { resource });
		expect(sandbox.requests.map(({ path }) => path)).toEqual([LIST_PATHS[resource]]);
		expect(result.json).toHaveLength(2);
		for (const row of result.json) expect(Object.keys(row)).toEqual(names.split(' '));
		const whole = await getMany(sandbox.url, { resource, parameters: { simplify: false } });
		for (const row of whole.json) {
			expect(Object.keys(row).sort()).toEqual(Object.keys(schema.shape).sort());
		}
	});
});
