import type { IDataObject } from 'n8n-workflow';

import '../../support/clock';
import { json, scriptedServer, type Answer } from '../../support/servers/http-server';
import { OPERATIONS, envelope, runExample, uuid } from '../../support/operations';

/** Get for charges and customers, which the service has only as rows of a list. */

const A = uuid(1);
const ID = 'abcdef00-0000-4000-8000-000000000001';

const row = (id: string, more: IDataObject = {}): IDataObject => ({
	id,
	created: '2025-01-14T08:00:00Z',
	...more,
});

describe.each(['charge', 'customer'] as const)('%s get', (what) => {
	const get = async (server: { url: string }, key = A) =>
		await runExample(server, OPERATIONS[`${what} get`], { items: [{ key }] });

	it.each<[string, Answer]>([
		['alone', json(envelope(row(A)))],
		['in a one-element array', json([envelope(row(A))])],
		['among others', json(envelope(row(uuid(2)), row(A), row(uuid(3))))],
		['twice, the same', json(envelope(row(A), row(uuid(2)), row(A)))],
	])('returns the record with this ID, which comes %s', async (_how, answer) => {
		const server = await scriptedServer(() => answer);
		const result = await get(server);
		expect(result.error).toBeUndefined();
		expect(result.json).toEqual([row(A)]);
		// Sends no page_size, which a service with a lower limit would refuse.
		expect(server.requests.map(({ query }) => query)).toEqual([{ id: A }]);
	});

	it('finds the ID in either case', async () => {
		const server = await scriptedServer(() => json(envelope(row(ID))));
		expect((await get(server, ID.toUpperCase())).json).toMatchObject([row(ID)]);
	});

	it('fails if there is no such record', async () => {
		const server = await scriptedServer(() => json(envelope()));
		const result = await get(server);
		expect(result.error?.message).toBe(`There is no ${what} with the ID ${A}`);
		expect(result.error).toMatchObject({ context: { itemIndex: 0 } });
	});

	it.each([
		[[uuid(2)], `1 other ${what}`],
		[[uuid(2), uuid(3)], `2 other ${what}s`],
	])('fails with the number of other records, and reads no page 2: %j', async (ids, others) => {
		const server = await scriptedServer(() =>
			json({ ...envelope(...ids.map((id) => row(id))), count: 450, next: 'http://x/' }),
		);
		const result = await get(server);
		expect(result.error?.message).toBe(
			`The ${what} ${A} can’t be found: the service was asked for this ID only, but returned ${others}`,
		);
		expect(server.requests).toHaveLength(1);
	});

	it('returns none of two records that contradict each other', async () => {
		const server = await scriptedServer(() =>
			json(envelope(row(A, { status: 'one' }), row(A, { status: 'other' }))),
		);
		const result = await get(server);
		expect(result.json).toEqual([]);
		expect(result.error?.message).toBe(
			`The service returned ${what} ${A} more than once, with contradictory data`,
		);
	});
});
