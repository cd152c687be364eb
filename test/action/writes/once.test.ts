import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { MAX_AGE_MS } from '../../../nodes/PaymentCollection/writes/sentWrites';
import { useFakeClock } from '../../support/clock';
import { runNodeInLoop, runRouting } from '../../support/engine';
import { failure, json, scriptedServer } from '../../support/servers/http-server';
import { credentialsFor, runOperation, uuid } from '../../support/operations';
import { lenientService, refund } from '../../support/refunds';
import { createLinks, linkParameters, useSandbox } from './links';

/** POST /v1/links under Retry On Fail, and what is common to both writes. */

const service = useSandbox();
const { created, posts, strike } = service;

describe('a link whose run is tried again', () => {
	it('is not created a second time because another one failed', async () => {
		strike({ status: 400 }, 2);
		const result = await createLinks(service, ['a', 'b', 'c'], { retryOnFail: { maxTries: 2 } });
		expect(result.tries).toBe(2);
		expect(result.json.map(({ title }) => title)).toEqual(['a', 'b', 'c']);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
		expect(created().sort()).toEqual(['a', 'b', 'c']);
		expect(posts()).toBe(4);
	});

	it('is the same link when its note has another value by now', async () => {
		strike({ status: 403 }, 2, 3, 4);
		const result = await createLinks(service, ['a', 'b'], {
			note: '={{ $now.toMillis() + "-" + Math.random() }}',
			retryOnFail: { maxTries: 5 },
		});
		expect(result.tries).toBe(4);
		const link = service.all.store.links.all().find(({ link: { title } }) => title === 'a')?.link;
		expect(created().sort()).toEqual(['a', 'b']);
		expect(result.json[0]).toMatchObject({ id: link?.id, note: link?.note });
	});

	it('is created again by a loop that runs the node again', async () => {
		strike({ status: 400 }, 2);
		const result = await runNodeInLoop({
			nodeType: new PaymentCollection(),
			credentials: credentialsFor(service),
			parameters: { resource: 'link', operation: 'create', ...linkParameters('same') },
			retryOnFail: { maxTries: 3 },
			rounds: [[{ title: 'a' }, { title: 'b' }], [{ title: 'a' }], [{ title: 'a' }]],
		});
		expect(result.status).toBe('success');
		expect(created().sort()).toEqual(['a', 'a', 'a', 'b']);
		const ids = result.runs.map(({ json: [record] }) => record?.['id']);
		expect(new Set(ids).size).toBe(3);
	});

	it('is created by each of two executions', async () => {
		await createLinks(service, ['a']);
		await createLinks(service, ['a']);
		expect(created()).toEqual(['a', 'a']);
	});

	it('is not repeated by an execution that is run anew under its own id, as a queue does', async () => {
		await createLinks(service, ['a'], { executionId: 'same' });
		await createLinks(service, ['a'], { executionId: 'same' });
		expect(created()).toEqual(['a']);
		await createLinks(service, ['b'], { executionId: 'same' });
		expect(created().sort()).toEqual(['a', 'b']);
	});

	it('is told apart where n8n gives no execution id', async () => {
		strike({ status: 400 }, 2);
		const options = { executionId: '', retryOnFail: { maxTries: 2 } };
		await createLinks(service, ['a', 'b'], options);
		expect(created().sort()).toEqual(['a', 'b']);
		await createLinks(service, ['a', 'b'], options);
		expect(created().sort()).toEqual(['a', 'a', 'b', 'b']);
	});

	it('does not mix with the same item of another node of the execution', async () => {
		const first = await createLinks(service, ['a'], { executionId: 'one' });
		const other = await runOperation(service, {
			resource: 'link',
			operation: 'update',
			parameters: { linkId: first.json[0]?.['id'] as string, updateFields: { title: 'renamed' } },
			executionId: 'one',
		});
		expect(other.json[0]).toMatchObject({ title: 'renamed' });
	});
});

describe('40 links of which some fail', () => {
	it.each([2, 3, 5])('are each created once within %i tries', async (maxTries) => {
		const titles = Array.from({ length: 40 }, (_, number) => `link ${number}`);
		// One fails in each try but the last: once it has failed, no further one is sent in that try.
		strike({ status: 409 }, ...[7, 20, 33, 41].slice(0, maxTries - 1));
		const result = await createLinks(service, titles, { retryOnFail: { maxTries } });
		expect(result.error).toBeUndefined();
		expect(result.json.map(({ title }) => title)).toEqual(titles);
		expect(created().sort()).toEqual([...titles].sort());
	});
});

describe('the memory of a write', () => {
	it('stays when a run takes longer than outcomes are kept', async () => {
		const clock = useFakeClock();
		const server = await scriptedServer(async ({ body }) => {
			const { title } = body as { title: string };
			if (title === 'a') return json({ id: uuid(1), title }, 201);
			await new Promise((resolve) => setTimeout(resolve, 100));
			clock.advance(MAX_AGE_MS + 1);
			return failure(400, 'no');
		});
		const result = await createLinks(server, ['a', 'b'], { retryOnFail: { maxTries: 2 } });
		expect(result.error?.message).toContain('what came of it is no longer kept');
		const titles = server.requests.map(({ body }) => (body as { title: string }).title);
		expect(titles.filter((title) => title === 'a')).toHaveLength(1);
	});

	it('stays for refunds too', async () => {
		const clock = useFakeClock();
		const [A, B] = [uuid(1), uuid(2)];
		const service = await lenientService({ [A]: 2000, [B]: 2000 }, [
			'well',
			{ answer: failure(409, 'busy'), executed: false },
		]);
		service.rows = (id) => {
			if (id === B) clock.advance(MAX_AGE_MS / 2 + 1);
			return [service.show(service.charge(id))];
		};
		const items = [A, B].map((charge) => ({ charge, amount: '5.00' }));
		const result = await refund(service, items, { retryOnFail: { maxTries: 2 } });
		expect(result.error?.message).toMatch(/^UNKNOWN/);
		expect(service.refunded(A)).toBe(500);
	});
});

describe('refunds by the routing alone, as n8n runs an agent’s tool', () => {
	it('go one after another and see each other', async () => {
		const [A, B] = [uuid(1), uuid(2)];
		const service = await lenientService({ [A]: 1000, [B]: 1000 });
		const items = [A, B, A].map((charge) => ({ charge, amount: '5.00' }));
		const [output] = await runRouting({
			nodeType: new PaymentCollection(),
			credentials: credentialsFor(service),
			parameters: {
				resource: 'charge',
				operation: 'refund',
				chargeId: { __rl: true, mode: 'id', value: '={{ $json.charge }}' },
				amount: '={{ $json.amount }}',
			},
			items,
		});
		expect(service.maxInFlight()).toBe(1);
		expect(output?.map(({ json: record }) => record['remaining'])).toEqual([
			'5.00',
			'5.00',
			'0.00',
		]);
		expect(output?.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
	});
});
