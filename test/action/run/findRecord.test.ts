import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { useFakeClock } from '../../support/clock';
import { failure, json, scriptedServer, type Answer } from '../../support/servers/http-server';
import { envelope, runOperation, uuid } from '../../support/operations';
import { PLANTED, findSecrets } from '../../support/secrets/secrets';

/** One charge or customer, which the service gives as a row of its list alone. */

beforeEach(() => void useFakeClock());

const A = uuid(1);
const ID = 'abcdef00-0000-4000-8000-000000000001';

const KINDS = [
	['charge', 'chargeId'],
	['customer', 'customerId'],
] as const;

const get = async (
	server: { url: string },
	[resource, parameter]: readonly [resource: string, parameter: string],
	id: string = A,
	{ parameters, ...options }: Partial<Parameters<typeof runOperation>[1]> = {},
) =>
	await runOperation(server, {
		resource,
		operation: 'get',
		parameters: { [parameter]: { __rl: true, mode: 'id', value: id }, ...parameters },
		...options,
	});

const row = (id: string, more: IDataObject = {}): IDataObject => ({
	id,
	created: '2025-01-14T08:00:00Z',
	...more,
});

describe.each(KINDS.map((kind) => [kind[0], kind] as const))('%s get', (what, kind) => {
	it.each<[string, Answer]>([
		['alone', json(envelope(row(A)))],
		['in a one-element array', json([envelope(row(A))])],
		['among others', json(envelope(row(uuid(2)), row(A), row(uuid(3))))],
		['twice, the same', json(envelope(row(A), row(uuid(2)), row(A)))],
	])('gives the record with just this ID: it comes %s', async (_how, answer) => {
		const server = await scriptedServer(() => answer);
		const result = await get(server, kind, A, { parameters: { simplify: false } });
		expect(result.json).toEqual([row(A)]);
		expect(server.requests).toHaveLength(1);
	});

	it('takes the ID in letters of either case', async () => {
		const server = await scriptedServer(() => json(envelope(row(ID))));
		expect((await get(server, kind, ID.toUpperCase())).json).toMatchObject([row(ID)]);
	});

	it('says so when there is none', async () => {
		const server = await scriptedServer(() => json(envelope()));
		const result = await get(server, kind);
		expect(result.error?.message).toBe(`There is no ${what} with the ID ${A}`);
		expect(result.error).toMatchObject({ context: { itemIndex: 0 } });
	});

	it('says what the service says when that answers 404', async () => {
		const server = await scriptedServer(() => failure(404, 'No such record', 'not_found'));
		const result = await get(server, kind);
		expect(result.error?.message).toBe('No such record (code not_found, HTTP 404)');
	});

	it('gives an error item for one that is not there, and the others, when it is to continue', async () => {
		const server = await scriptedServer(({ query }) =>
			json(query['id'] === uuid(2) ? envelope() : envelope(row(String(query['id'])))),
		);
		const result = await get(server, kind, '={{ $json.id }}', {
			items: [A, uuid(2), uuid(3)].map((id) => ({ id })),
			onError: 'continueRegularOutput',
		});
		expect(result.json).toMatchObject([
			row(A),
			{ error: `There is no ${what} with the ID ${uuid(2)}` },
			row(uuid(3)),
		]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
	});

	it.each([
		[[uuid(2)], `1 other ${what}`],
		[[uuid(2), uuid(3)], `2 other ${what}s`],
	])('never gives another one, and says how many came instead: %j', async (ids, others) => {
		const server = await scriptedServer(() => json(envelope(...ids.map((id) => row(id)))));
		const result = await get(server, kind);
		expect(result.error?.message).toBe(
			`The ${what} ${A} can’t be found: asked for this ID alone, the service gave ${others}`,
		);
	});

	it('gives none of two that contradict each other', async () => {
		const server = await scriptedServer(() =>
			json(envelope(row(A, { status: 'one' }), row(A, { status: 'other' }))),
		);
		const result = await get(server, kind);
		expect(result.json).toEqual([]);
		expect(result.error?.message).toBe(
			`The service’s answers about ${what} ${A} contradict each other`,
		);
	});

	it.each(['', 'x', '..', `${A}?x=1`, `${A},${uuid(2)}`])(
		'asks for nothing when %j is no ID',
		async (id) => {
			const server = await scriptedServer(() => json(envelope(row(A))));
			const result = await get(server, kind, '={{ $json.id }}', { items: [{ id }] });
			expect(result.error?.message).toMatch(/^(Charge|Customer) is (empty|".*: it must be a UUID)/);
			expect(server.requests).toEqual([]);
		},
	);

	it('is simplified unless it is to be whole', async () => {
		const whole = row(A, { something: 'else' });
		const server = await scriptedServer(() => json(envelope(whole)));
		expect((await get(server, kind)).json[0]).not.toHaveProperty('something');
		const { json: records } = await get(server, kind, A, { parameters: { simplify: false } });
		expect(records).toEqual([whole]);
	});
});

describe('a service that ignores the filter', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({
			apiKey: PLANTED.apiKey,
			counts: { charges: 450, customers: 450, links: 0, invoices: 0, checkoutSessions: 0 },
		});
		sandbox.setSwitches({ ignoredFilters: ['id'] });
	});
	afterAll(async () => await sandbox.close());

	it.each(KINDS)(
		'is asked for its whole list to find a %s, and the user is told',
		async (...kind) => {
			const [what] = kind;
			const { customers, charges } = sandbox.store;
			const oldest = what === 'charge' ? charges.at(449)?.charge.id : customers.at(449)?.id;
			const result = await get(sandbox, kind, oldest);
			expect(result.json).toMatchObject([{ id: oldest }]);
			expect(result.hints).toMatchObject([
				{ message: expect.stringContaining(`450 rows were read to find this ${what}`) as string },
			]);
			const missing = await get(sandbox, kind);
			expect(missing.error?.message).toContain(`the service gave 450 other ${what}s`);
		},
	);
});

it('a charge leaves without card data and tokens, unless it is to keep them', async () => {
	const { token, cardNumber, securityCode } = PLANTED;
	const source = { token, card_data: { card_number: cardNumber, security_code: securityCode } };
	const server = await scriptedServer(() =>
		json(envelope(row(A, { note: `paid with ${cardNumber}`, source }))),
	);
	const whole = await get(server, KINDS[0], A, { parameters: { simplify: false } });
	expect(whole.json).toEqual([row(A, { note: 'paid with [redacted]', source: {} })]);
	expect(findSecrets(whole.json)).toEqual([]);
	const kept = await get(server, KINDS[0], A, {
		parameters: { simplify: false, options: { includeSensitiveData: true } },
	});
	expect(kept.json).toMatchObject([{ source: { token, card_data: { card_number: cardNumber } } }]);
	expect(JSON.stringify(kept.json)).not.toContain('security_code');
});
