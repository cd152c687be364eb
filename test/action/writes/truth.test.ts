import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useFakeClock } from '../../support/clock';
import { type RunResult } from '../../support/engine';
import { empty, failure, json, reset, scriptedServer } from '../../support/servers/http-server';
import { envelope, runOperation, uuid } from '../../support/operations';
import { lenientService, refund, shownCharge, toldBy } from '../../support/refunds';

/** What the node may say of a write, and what may leave n8n, when something went wrong. */

const [A, B] = [uuid(1), uuid(2)];

const five = (charge: string, amount = '5.00'): IDataObject => ({ charge, amount });

const verdicts = (result: RunResult): string[] => toldBy(result).map(({ verdict }) => verdict);

/** The error as the node threw it, description included. */
const thrownText = ({ thrown }: RunResult): string =>
	thrown
		.map((error) => {
			const { message, description } = error as Error & { description?: string };
			return `${message}\n${description ?? ''}`;
		})
		.join('\n');

beforeEach(() => {
	useFakeClock();
});

describe('an item whose expression throws', () => {
	const BROKEN = '={{ $json.broken ? $("No such node").item.json.x : $json.title }}';
	const titles = Array.from(
		{ length: 40 },
		(_, item): IDataObject => ({
			title: `link ${item}`,
			id: uuid(item),
			broken: item === 39,
		}),
	);
	const cases: Array<[operation: string, parameters: INodeParameters]> = [
		[
			'create',
			{
				currency: 'USD',
				items: { item: [{ name: 'Ticket', amount: '12.50', quantity: 1 }] },
				additionalFields: { title: BROKEN },
			},
		],
		['delete', { linkId: '={{ $json.broken ? $("No such node").item.json.x : $json.id }}' }],
		['update', { linkId: '={{ $json.id }}', updateFields: { title: BROKEN } }],
	];

	it.each(cases)(
		'leaves no request behind and names what was done: %s',
		async (operation, parameters) => {
			let number = 0;
			const server = await scriptedServer(({ method, path }) => {
				if (method === 'DELETE') return empty();
				return json({ id: method === 'PATCH' ? path.split('/')[3] : uuid(100 + number++) }, 201);
			});
			const result = await runOperation(server, {
				resource: 'link',
				operation,
				parameters,
				items: titles,
			});
			expect(result.status).toBe('error');
			const atTheEnd = server.requests.length;
			await new Promise((resolve) => setTimeout(resolve, 150));
			expect(server.requests).toHaveLength(atTheEnd);
			const text = thrownText(result);
			const ids =
				operation === 'create'
					? Array.from({ length: number }, (_, created) => uuid(100 + created))
					: server.requests.map(({ path }) => path.split('/')[3] ?? '');
			expect(ids.filter((id) => !text.includes(id))).toEqual([]);
			expect(ids.length).toBe(atTheEnd);
		},
	);
});

describe('the charge before a refund', () => {
	it('is asked for by its ID alone', async () => {
		const service = await lenientService({ [A]: 1000 });
		await refund(service, [five(A)]);
		expect(service.requests[0]).toMatchObject({ path: '/v1/charges', query: { id: A } });
		expect(Object.keys(service.requests[0]?.query ?? {})).toEqual(['id']);
	});

	it.each(['1,500.00', '1e3', 'none', '-5.00', {}])(
		'with a refund total of %p can’t be refunded',
		async (refundTotal) => {
			const service = await lenientService({ [A]: 1000 });
			service.show = (one) => ({ ...shownCharge(one), refund_total: refundTotal });
			const result = await refund(service, [five(A)]);
			expect(verdicts(result)).toEqual(['not refunded']);
			expect(service.posts()).toEqual([]);
		},
	);

	it.each<[string, IDataObject, string]>([
		['no refund total and no records', { refund_total: null, refunds: [] }, 'refunded'],
		['no refund total and no list of records', { refund_total: '', refunds: null }, 'refunded'],
		['records that are no list', { refund_total: null, refunds: 'one' }, 'not refunded'],
		['a record that is none', { refund_total: null, refunds: ['5.00'] as never }, 'not refunded'],
		[
			'a record without an amount',
			{ refund_total: null, refunds: [{ amount: 'x' }, { amount: '1.00' }] },
			'not refunded',
		],
		['a negative total', { total: '-10.00' }, 'not refunded'],
		['another ID', { id: B }, 'not refunded'],
	])('that has %s', async (_what, fields, verdict) => {
		const service = await lenientService({ [A]: 1000 });
		service.show = (one) => ({ ...shownCharge(one), ...fields });
		expect(verdicts(await refund(service, [five(A)]))).toEqual([verdict]);
		expect(service.posts()).toHaveLength(verdict === 'refunded' ? 1 : 0);
	});

	it('is found in an envelope inside of a list, and nowhere else', async () => {
		const answers: Array<[unknown, string]> = [
			[[envelope({ id: A, currency: 'USD', total: '10.00' })], 'refunded'],
			[{ results: {} }, 'not refunded'],
			['<html>', 'not refunded'],
			[[], 'not refunded'],
			[{ results: ['text', null, { id: A, currency: 'USD', total: '10.00' }] }, 'refunded'],
		];
		for (const [answer, verdict] of answers) {
			const server = await scriptedServer(({ method }) =>
				json(method === 'GET' ? answer : { message: 'Refunded' }),
			);
			expect(verdicts(await refund(server, [five(A)]))).toEqual([verdict]);
		}
	});

	it('that can’t be read after a refusal leaves the refusal to be believed', async () => {
		const service = await lenientService({ [A]: 1000 }, [
			{ answer: failure(422, 'no'), executed: false },
		]);
		let reads = 0;
		service.rows = (id) => (++reads > 1 ? [] : [service.show(service.charge(id))]);
		expect(verdicts(await refund(service, [five(A)]))).toEqual(['not refunded']);
	});
});

describe('Retry On Fail', () => {
	const create = async (server: { url: string }, items: IDataObject[], maxTries = 2) =>
		await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: {
				currency: 'USD',
				items: { item: [{ name: 'Ticket', amount: '12.50', quantity: 1 }] },
				additionalFields: { title: '={{ $json.title }}' },
			},
			items,
			retryOnFail: { maxTries },
		});
	const titleOf = (body: unknown): string => String(Reflect.get(body as object, 'title'));

	it('names in the last error what earlier tries created and left in doubt, and what was never sent', async () => {
		const server = await scriptedServer(async ({ body }) => {
			const number = Number(titleOf(body));
			// The first items are still under way when the second one is refused.
			if (number === 1) return failure(400, 'never');
			await new Promise((resolve) => setTimeout(resolve, 30));
			return number === 2 ? failure(500, 'broken') : json({ id: uuid(number) }, 201);
		});
		const items = Array.from({ length: 40 }, (_, number) => ({ title: String(number) }));
		const result = await create(server, items, 3);
		const last = thrownText({ ...result, thrown: result.thrown.slice(-1) });
		expect(thrownText({ ...result, thrown: result.thrown.slice(0, 1) })).toMatch(
			/never .* – the link was NOT created by this request/,
		);
		const created = server.requests
			.map(({ body }) => Number(titleOf(body)))
			.filter((number) => ![1, 2].includes(number));
		expect(created.length).toBeGreaterThan(1);
		for (const number of created)
			expect(last).toContain(`item ${number + 1}: link ${uuid(number)} created`);
		expect(last).toMatch(/UNKNOWN whether the link was created.*broken/);
		// In the last try, the third item's failure is known before the second one could leave.
		expect(last).toMatch(/Not sent: items 2, \d+ to 40\./);
		expect(new Set(created).size).toBe(created.length);
	});

	it('gives the link that an earlier try created, though its values can’t be sent any more', async () => {
		const items: IDataObject[] = [{ title: 'a' }, { title: 'b' }];
		let isRefused = false;
		const server = await scriptedServer(({ body }) => {
			if (titleOf(body) === 'a') {
				if (items[0] !== undefined) items[0]['title'] = 'x'.repeat(51);
				return json({ id: uuid(1) }, 201);
			}
			isRefused = !isRefused;
			return isRefused ? failure(409, 'busy') : json({ id: uuid(2) }, 201);
		});
		const result = await create(server, items);
		expect(result.json).toEqual([{ id: uuid(1) }, { id: uuid(2) }]);
	});

	it('says that a link is in doubt, though its values can’t be sent any more', async () => {
		const items: IDataObject[] = [{ title: 'a' }];
		const server = await scriptedServer(() => {
			if (items[0] !== undefined) items[0]['title'] = 'x'.repeat(51);
			return failure(500, 'broken');
		});
		const result = await create(server, items);
		expect(result.error?.message).toMatch(/^UNKNOWN whether the link was created.*broken/);
		expect(server.requests).toHaveLength(1);
	});

	it.each<[string, string, RegExp]>([
		['update', 'lost', /^UNKNOWN whether the link was updated/],
		['delete', 'lost', /^UNKNOWN whether the link was deleted/],
	])(
		'a refusal of the second %s says nothing of the first, which was %s',
		async (operation, _lost, says) => {
			let tries = 0;
			const server = await scriptedServer(() =>
				tries++ === 0 ? reset() : failure(409, 'not in this state'),
			);
			const result = await runOperation(server, {
				resource: 'link',
				operation,
				parameters: {
					linkId: A,
					...(operation === 'update' ? { updateFields: { title: 'new' } } : {}),
				},
				retryOnFail: { maxTries: 2 },
			});
			expect(result.error?.message).toMatch(says);
			expect(thrownText(result)).not.toMatch(/Nothing was changed/);
			expect(server.requests).toHaveLength(2);
		},
	);

	it('reads the charge again for a refund in doubt, though its values can’t be sent any more', async () => {
		const service = await lenientService({ [A]: 1000 }, [{ answer: reset(), executed: false }]);
		const items = [five(A)];
		let reads = 0;
		service.rows = (id) => {
			reads += 1;
			if (reads === 2 && items[0] !== undefined) items[0]['amount'] = 'broken';
			if (reads === 4) service.charge(id).refunds.push(500);
			return [service.show(service.charge(id))];
		};
		const result = await refund(service, items, { retryOnFail: { maxTries: 2 } });
		expect(result.json).toMatchObject([{ amount: '5.00', refund_total: '5.00' }]);
		expect(service.posts()).toHaveLength(1);
	});
});
