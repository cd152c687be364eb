import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useFakeClock } from '../../support/clock';
import { failure, json, scriptedServer } from '../../support/servers/http-server';
import { envelope, runOperation, uuid } from '../../support/operations';
import { lenientService, refund, toldBy } from '../../support/refunds';
import type { RunResult } from '../../support/engine';

/** What an outside attack on the promises about writes has found. */

const A = uuid(1);

const verdicts = (result: RunResult): string[] => toldBy(result).map(({ verdict }) => verdict);
const messageOf = ({ error }: RunResult): string => error?.message ?? '';

it.each([
	['0.00', [{ amount: '10.00' }]],
	['4.00', [{ amount: '6.00' }, { amount: '4.00' }]],
])(
	'of a refund total of %s and records of more, the greater one counts',
	async (refundTotal, refunds) => {
		useFakeClock();
		const service = await lenientService({ [A]: 1000 });
		service.rows = () => [
			{ ...service.show(service.charge(A)), refund_total: refundTotal, refunds },
		];
		const result = await refund(service, [{ charge: A, amount: '1.00' }]);
		expect(verdicts(result)).toEqual(['not refunded']);
		expect(service.posts()).toEqual([]);
	},
);

describe('a success with another body', () => {
	it.each([
		{ success: false },
		{ error: 'refused' },
		{ error: { code: 'x' } },
		[],
		[{ id: A }],
		false,
	])('does not delete: %j', async (body) => {
		const server = await scriptedServer(() => json(body));
		const result = await runOperation(server, {
			resource: 'link',
			operation: 'delete',
			parameters: { linkId: A },
		});
		expect(messageOf(result)).toContain('UNKNOWN whether the link was deleted');
	});

	it.each(['', null, {}, { message: 'Deleted' }, { id: A, success: true, error: null }])(
		'deletes without an error: %j',
		async (body) => {
			const server = await scriptedServer(() => json(body));
			const result = await runOperation(server, {
				resource: 'link',
				operation: 'delete',
				parameters: { linkId: A },
			});
			expect(result.json).toEqual([{ id: A, deleted: true }]);
		},
	);

	it.each([
		{ success: false },
		{ error: 'refused' },
		{ error: { message: 'refused' } },
		{ error: 0 },
	])('does not refund, message or not, and shows when it did: %j', async (fields) => {
		for (const executed of [true, false]) {
			useFakeClock();
			const answer = json({ message: 'About the refund', ...fields });
			const service = await lenientService({ [A]: 1000 }, [{ answer, executed }]);
			const result = await refund(service, [{ charge: A, amount: '5.00' }]);
			expect(verdicts(result)).toEqual([executed ? 'refunded' : 'unknown']);
			expect(service.posts()).toHaveLength(1);
		}
	});

	it.each([{ success: true }, { error: null }, { status: 'declined' }, { errors: ['later'] }])(
		'refunds with a message and nothing against it: %j',
		async (fields) => {
			useFakeClock();
			const answer = json({ message: 'Refunded', ...fields });
			const service = await lenientService({ [A]: 1000 }, [{ answer, executed: false }]);
			const result = await refund(service, [{ charge: A, amount: '5.00' }]);
			expect(result.json).toMatchObject([{ message: 'Refunded' }]);
		},
	);
});

it.each(['={{ NaN }}', '={{ 9007199254740993 }}', '\u200b', '={{ "\\u0000" }}'])(
	'an Idempotency Key that is none is refused: %j',
	async (idempotencyKey) => {
		useFakeClock();
		const service = await lenientService({ [A]: 1000 });
		const result = await refund(service, [{ charge: A, amount: '1.00' }], {
			options: { idempotencyKey },
		});
		expect(messageOf(result)).toContain('Idempotency Key is empty');
		expect(service.posts()).toEqual([]);
	},
);

it.each<['charge' | 'link', string]>([
	['charge', 'refund'],
	['link', 'create'],
])('a %s in doubt stays so when a later try can’t even begin: %s', async (resource, operation) => {
	useFakeClock();
	const items: IDataObject[] = [{ charge: A, amount: '1.00', timeout: 1000 }];
	const server = await scriptedServer(({ method }) => {
		if (method === 'GET') {
			return json(envelope({ id: A, total: '10.00', currency: 'USD', refund_total: '0.00' }));
		}
		if (items[0] !== undefined) items[0]['proxy'] = 'no address';
		return failure(500, 'broken');
	});
	const parameters: INodeParameters =
		operation === 'refund'
			? { chargeId: { __rl: true, mode: 'id', value: A }, amount: '1.00' }
			: { currency: 'USD', items: { item: [{ name: 'Ticket', amount: '12.50', quantity: 1 }] } };
	const result = await runOperation(server, {
		resource,
		operation,
		parameters: { ...parameters, requestOptions: { proxy: '={{ $json.proxy ?? "" }}' } },
		items,
		retryOnFail: { maxTries: 2 },
	});
	expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	const { message, description } = result.thrown.at(-1) as Error & { description?: string };
	expect(message).toMatch(/^UNKNOWN whether/);
	expect(description).toMatch(/A later one could not go on: Request Options → Proxy must be/);
});
