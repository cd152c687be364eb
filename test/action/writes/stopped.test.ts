import type { IDataObject } from 'n8n-workflow';
import { DEFAULT_CONCURRENCY } from '../../../nodes/shared/service/requestLimiter';
import '../../support/clock';
import type { RunResult } from '../../support/engine';
import {
	afterOthers,
	empty,
	failure,
	hang,
	json,
	scriptedServer,
} from '../../support/servers/http-server';
import { runOperation, uuid } from '../../support/operations';
import { processedData } from '../../support/processedData';
import { five, lenientService, refund, verdicts } from '../../support/refunds';
import { settled } from '../../service/answering';
import { LEAST, createLinks } from './links';

/** What the node may say of a write, and what may leave n8n, when something went wrong. */

const A = uuid(1);

const logged = ({ logs }: RunResult): string => logs.map(({ message }) => message).join();

describe('an execution that is stopped', () => {
	it('sends nothing more, and logs what was created and what is in doubt', async () => {
		const controller = new AbortController();
		const titles = Array.from({ length: 40 }, (_, number): IDataObject => ({ number }));
		const server = await scriptedServer(async () => {
			const { length } = server.requests;
			if (length === 12) controller.abort();
			const answer = json({ id: uuid(length) }, 201);
			return length > 4 ? await afterOthers(answer) : answer;
		});
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: LEAST,
			items: titles,
			signal: controller.signal,
		});
		expect(result.status).toBe('canceled');
		await settled(server);
		// What had left n8n when the twelfth came in may arrive after it.
		expect(server.requests.length).toBeLessThan(12 + DEFAULT_CONCURRENCY);
		expect(logged(result)).toMatch(
			/node “Tested Node”: The execution was stopped\. Done: item \d+: link \S+ created; .*In doubt: item \d+: UNKNOWN/,
		);
		expect(logged(result)).toMatch(/The connection to the service broke \(execution stopped\)/);
	});

	it('logs a refund that was under way as one in doubt, and holds its charge', async () => {
		const controller = new AbortController();
		const service = await lenientService({ [A]: 1000 }, [{ answer: hang(), executed: false }]);
		const running = refund(service, [five(A), five(A)], { signal: controller.signal });
		await service.arrived(2);
		controller.abort();
		const result = await running;
		expect(result.status).toBe('canceled');
		await settled(service);
		expect(service.requests).toHaveLength(2);
		expect(logged(result)).toMatch(
			/stopped\. In doubt: item 1: UNKNOWN whether charge \S+ was refunded/,
		);
		expect(verdicts(await refund(service, [five(A)]))).toEqual(['not done']);
	});
});

describe('an item whose values are refused', () => {
	const link = {
		currency: 'USD',
		items: { item: [{ name: 'Ticket', amount: '={{ $json.amount }}', quantity: 1 }] },
	};
	const itemsWith = (refused?: number): IDataObject[] =>
		Array.from({ length: 20 }, (_, number) =>
			number === refused ? { amount: 'ten', id: 'no UUID' } : { amount: '10.00', id: uuid(number) },
		);

	it.each([
		['create', link],
		['create', { ...link, options: { idempotencyKey: '={{ $json.id }}' } }],
		['update', { linkId: '={{ $json.id }}', updateFields: { title: 'Other' } }],
		['delete', { linkId: '={{ $json.id }}' }],
	])(
		'stops those that were begun with it, before they leave: %s',
		async (operation, parameters) => {
			const server = await scriptedServer(({ method, path }) =>
				method === 'DELETE' ? empty() : json({ id: path.split('/')[3] ?? uuid(1) }),
			);
			const run = async (items: IDataObject[]) =>
				await runOperation(server, { resource: 'link', operation, parameters, items });
			const result = await run(itemsWith(3));
			expect(result.error?.description).toMatch(/^Item 4 of 20: /);
			expect(result.error?.description).toMatch(/Not sent: items 1 to 3, 5 to 20/);
			expect(server.calls()).toEqual([]);
			// Nothing counts as sent: once the value is right, all of them go out.
			expect(processedData.keys()).toEqual([]);
			expect((await run(itemsWith())).error).toBeUndefined();
			expect(server.calls()).toHaveLength(20);
		},
	);
});

it('a link that was refused with a 429 and then stopped by another item goes out in the next try', async () => {
	const server = await scriptedServer(async (_request, count) => {
		if (count === 1) return failure(429, 'slow');
		// The first one waits for its turn by then.
		return count === 2 ? await afterOthers(failure(400, 'no')) : json({ id: uuid(count) }, 201);
	});
	const result = await createLinks(server, ['one', 'other'], { retryOnFail: { maxTries: 2 } });
	expect(result.error).toBeUndefined();
	expect(result.json).toHaveLength(2);
	expect(server.calls()).toHaveLength(4);
});
