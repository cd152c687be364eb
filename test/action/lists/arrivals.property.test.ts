import type { Sandbox } from '../../../sandbox';
import { getMany, hintsOf, idsOf, listSandbox, readIds } from '../../support/lists';
import fc from '../../support/jest/property';

describe('rows that come and go while the list is read', () => {
	const read = async (
		sandbox: Sandbox,
		resource: 'charge' | 'customer' = 'charge',
	): Promise<{ ids: unknown[]; hints: string[] }> => {
		const result = await getMany(sandbox.url, { resource });
		expect(result.status).toBe('success');
		return { ids: idsOf(result.json), hints: hintsOf(result) };
	};
	const idsNow = ({ store }: Sandbox): string[] =>
		store.charges.all().map(({ charge }) => charge.id);

	it.each([
		['3 arrive after page 1', { page: 1, action: { insertCharges: 3 } }],
		['3 arrive after page 2', { page: 2, action: { insertCharges: 3 } }],
		['3 vanish after page 1', { page: 1, action: { removeCharges: 3 } }],
		['a page of them arrives', { page: 1, action: { insertCharges: 12 } }],
		['a page of them vanishes', { page: 2, action: { removeCharges: 12 } }],
	])('%s: each row that stayed is there once', async (_what, { page, action }) => {
		for (const rowOrder of ['newestFirst', 'oldestFirst', 'shuffled'] as const) {
			for (const omitCount of [false, true]) {
				const sandbox = await listSandbox({
					counts: { charges: 40 },
					switches: { maxPageSize: 12, rowOrder, omitCount },
				});
				const before = idsNow(sandbox);
				sandbox.addFault({ match: { path: '/v1/charges', page, times: 1 }, action });
				const { ids, hints } = await read(sandbox);
				const after = new Set(idsNow(sandbox));
				expect(new Set(ids).size).toBe(ids.length);
				expect(ids).toEqual(expect.arrayContaining(before.filter((id) => after.has(id))));
				expect(hints).toEqual([]);
			}
		}
	});

	it('on every request: the rows that stayed are there, or a hint says that some may be missing', async () => {
		for (const action of [{ insertCharges: 1 }, { removeCharges: 1 }]) {
			const sandbox = await listSandbox({
				counts: { charges: 40 },
				switches: { maxPageSize: 12 },
			});
			const before = idsNow(sandbox);
			sandbox.addFault({ match: { path: '/v1/charges' }, action });
			const { ids, hints } = await read(sandbox);
			const after = new Set(idsNow(sandbox));
			expect(new Set(ids).size).toBe(ids.length);
			if (hints.length === 0) {
				expect(ids).toEqual(expect.arrayContaining(before.filter((id) => after.has(id))));
			} else {
				expect(hints).toEqual([expect.stringContaining('may not be complete')]);
			}
		}
	});

	it('in an order that is another one for each request: never silently short', async () => {
		const sandbox = await listSandbox({
			counts: { customers: 100 },
			switches: { maxPageSize: 30, rowOrder: 'shuffledPerRequest' },
		});
		const { ids, hints } = await read(sandbox, 'customer');
		expect(new Set(ids).size).toBe(ids.length);
		if (ids.length < 100) expect(hints).toEqual([expect.stringContaining('may not be complete')]);
	});

	it('at random, on a real connection: all that stayed, or a hint', async () => {
		const sandbox = await listSandbox({ counts: { charges: 1 } });
		const change = fc.record({
			nth: fc.integer({ min: 1, max: 12 }),
			action: fc.oneof(
				fc.integer({ min: 1, max: 4 }).map((insertCharges) => ({ insertCharges })),
				fc.integer({ min: 1, max: 4 }).map((removeCharges) => ({ removeCharges })),
			),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 40 }),
				fc.integer({ min: 1, max: 10 }),
				fc.integer({ min: 1, max: 16 }),
				fc.constantFrom('newestFirst' as const, 'oldestFirst' as const),
				fc.array(change, { maxLength: 4 }),
				async (total, maxPageSize, maxConcurrency, rowOrder, changes) => {
					sandbox.reset();
					sandbox.setSwitches({ maxPageSize, rowOrder });
					for (let more = 1; more < total; more += 1) sandbox.insertCharge();
					for (const { nth, action } of changes) sandbox.addFault({ match: { nth }, action });
					const before = idsNow(sandbox);
					const result = await getMany(sandbox.url, {
						parameters: { options: { maxConcurrency } },
					});
					const after = new Set(idsNow(sandbox));
					const ids = idsOf(result.json);
					expect(new Set(ids).size).toBe(ids.length);
					expect(sandbox.maxInFlight).toBeLessThanOrEqual(maxConcurrency);
					if (hintsOf(result).length > 0) return;
					expect(ids).toEqual(expect.arrayContaining(before.filter((id) => after.has(id))));
				},
			),
			{ numRuns: 25 },
		);
	});
});

describe('a list over a real connection', () => {
	it('is the first rows in the order of the service, whatever its size, cap and concurrency', async () => {
		const sandbox = await listSandbox({ counts: { customers: 230 } });
		const expected = await readIds(sandbox, 'customer');
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 5, max: 120 }),
				fc.integer({ min: 5, max: 150 }),
				fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
				fc.integer({ min: 1, max: 16 }),
				fc.boolean(),
				fc.constantFrom('404' as const, 'empty' as const),
				async (maxPageSize, pageSize, limit, maxConcurrency, customers, pastTheEnd) => {
					sandbox.setSwitches({ maxPageSize, envelopeInArray: { customers }, pastTheEnd });
					sandbox.clearRequests();
					const result = await getMany(sandbox.url, {
						resource: 'customer',
						parameters: {
							...(limit === undefined ? {} : { returnAll: false, limit }),
							options: { pageSize, maxConcurrency },
						},
					});
					expect(idsOf(result.json)).toEqual(expected.slice(0, limit));
					expect(hintsOf(result)).toEqual([]);
					expect(sandbox.maxInFlight).toBeLessThanOrEqual(maxConcurrency);
				},
			),
			{ numRuns: 20 },
		);
	});
});
