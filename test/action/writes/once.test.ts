import type { FaultAction } from '../../../sandbox';
import { MAX_AGE_MS } from '../../../nodes/PaymentCollection/writes/sentWrites';
import { clock } from '../../support/clock';
import { afterOthers, failure, json, scriptedServer } from '../../support/servers/http-server';
import { uuid } from '../../support/operations';
import { lenientService, refund } from '../../support/refunds';
import { sandbox } from '../../support/refundSandbox';
import { createLinks } from './links';

/** POST /v1/links under Retry On Fail, and what is common to both writes. */

/** Titles of the links that the service has, sorted. */
const created = (): string[] =>
	sandbox.store.links
		.all()
		.map(({ link }) => link.title)
		.sort();

/** One fault on the requests of these numbers, in the order in which n8n sends them: in item order. */
const strike = (action: FaultAction, ...nth: number[]): number =>
	sandbox.addFault({ match: { method: 'POST', path: '/v1/links', nth }, action });

describe('a link whose run is tried again', () => {
	it.each([2, 5])(
		'is created once, whatever its note is by now, while others fail in %i tries',
		async (maxTries) => {
			const titles = Array.from({ length: 40 }, (_, number) => `link ${number}`);
			// One fails in each try but the last: once it has failed, no further one is sent in that try.
			strike({ status: 409 }, ...[7, 20, 33, 41].slice(0, maxTries - 1));
			const result = await createLinks(sandbox, titles, {
				note: '={{ $now.toMillis() + "-" + Math.random() }}',
				retryOnFail: { maxTries },
			});
			expect(result.tries).toBe(maxTries);
			expect(result.items.map(({ json: { title }, pairedItem }) => [title, pairedItem])).toEqual(
				titles.map((title, item) => [title, { item }]),
			);
			expect(created()).toEqual([...titles].sort());
			const notes = sandbox.store.links.all().map(({ link: { note } }) => note);
			expect(result.json.map(({ note }) => note).sort()).toEqual(notes.sort());
		},
	);

	it('is created again by a loop that runs the node again', async () => {
		strike({ status: 400 }, 2);
		const options = { note: 'same', times: 3, retryOnFail: { maxTries: 3 } };
		const result = await createLinks(sandbox, ['a', 'b'], options);
		expect(result.status).toBe('success');
		expect(created()).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
		const ids = result.runs.flatMap(({ json: records }) => records.map(({ id }) => id));
		expect(new Set(ids).size).toBe(6);
	});

	it('is not repeated by an execution that is run anew under its own id, as a queue does', async () => {
		await createLinks(sandbox, ['a'], { executionId: 'same' });
		await createLinks(sandbox, ['a'], { executionId: 'same' });
		expect(created()).toEqual(['a']);
		await createLinks(sandbox, ['b'], { executionId: 'same' });
		expect(created()).toEqual(['a', 'b']);
	});

	it('is told apart where n8n gives no execution id', async () => {
		strike({ status: 400 }, 2);
		const options = { executionId: '', retryOnFail: { maxTries: 2 } };
		await createLinks(sandbox, ['a', 'b'], options);
		expect(created()).toEqual(['a', 'b']);
		await createLinks(sandbox, ['a', 'b'], options);
		expect(created()).toEqual(['a', 'a', 'b', 'b']);
	});
});

describe('the memory of a write', () => {
	it('stays when a run takes longer than outcomes are kept', async () => {
		const server = await scriptedServer(async ({ body }) => {
			const { title } = body as { title: string };
			if (title === 'a') return json({ id: uuid(1), title }, 201);
			const answer = await afterOthers(failure(400, 'no'));
			clock.advance(MAX_AGE_MS + 1);
			return answer;
		});
		const result = await createLinks(server, ['a', 'b'], { retryOnFail: { maxTries: 2 } });
		expect(result.error?.message).toContain('its result is no longer stored');
		const titles = server.requests.map(({ body }) => (body as { title: string }).title);
		expect(titles.filter((title) => title === 'a')).toHaveLength(1);
	});

	it('stays for refunds too', async () => {
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
		expect(result.error?.message).toContain(`UNKNOWN whether charge ${A} was refunded`);
		expect(service.refunded(A)).toBe(500);
	});
});
