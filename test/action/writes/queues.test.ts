import { Queues } from '../../../nodes/PaymentCollection/writes/queues';

describe('tasks of one place', () => {
	it('run in the order of the calls, whatever becomes of each', async () => {
		const queues = new Queues<string>();
		const order: string[] = [];
		const task = async (name: string, fails: boolean): Promise<string> =>
			await queues.inTurn('a charge', async () => {
				order.push(`${name} begins`);
				await Promise.resolve();
				order.push(`${name} ends`);
				if (fails) throw new Error(name);
				return name;
			});
		const results = await Promise.allSettled([task('a', false), task('b', true), task('c', false)]);
		expect(order).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
		expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
	});
});
