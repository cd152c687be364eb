import { callAfter } from '../../nodes/shared/service/alarm';

/** Resolves once the longest of these times, in ms, is called, with all that were called: in any order, on a busy machine. */
const called = async (times: readonly number[], takenBack: readonly number[] = []) => {
	const calls: number[] = [];
	const last = Math.max(...times);
	await new Promise<void>((resolve) => {
		for (const ms of times) {
			const takeBack = callAfter(ms, () => {
				calls.push(ms);
				if (ms === last) resolve();
			});
			if (takenBack.includes(ms)) takeBack();
		}
	});
	return calls.sort((one, other) => one - other);
};

describe('what is called after a time', () => {
	it('is called in time, though something later was asked for first', async () => {
		const takeBack = callAfter(3_600_000, () => undefined);
		expect(await called([20, 60, 1, 40, 80])).toEqual([1, 20, 40, 60, 80]);
		takeBack();
	});

	it('is not called once it was taken back, and holds up nothing else', async () => {
		expect(await called([20, 40, 60], [20])).toEqual([40, 60]);
	});

	it('is called when a call asks for another one', async () => {
		const calls: string[] = [];
		await new Promise<void>((resolve) => {
			callAfter(1, () => {
				calls.push('first');
				callAfter(1, () => {
					calls.push('second');
					resolve();
				});
			});
		});
		expect(calls).toEqual(['first', 'second']);
	});

	it('is not called sooner than asked for', async () => {
		const began = performance.now();
		await called([25]);
		expect(performance.now() - began).toBeGreaterThanOrEqual(25);
	});
});
