import { GOALS, judge, type Goal } from '../../bench/report/goals';
import type { Comparison, Quantity, Results, Sample } from '../../bench/report/measured';
import { median, ratio, spread } from '../../bench/report/statistics';
import { isHeld, judgeAll } from '../../bench/report/verdicts';

/** What would make the bench's verdict wrong, unseen. How its tables look shows whenever it runs. */

const samples = (quantity: Quantity, ...values: number[]): Sample[] =>
	values.map((value) => ({ [quantity]: value }));

const resultsOf = (...comparisons: Comparison[]): Results => ({
	machine: { cores: 2 },
	rounds: 3,
	comparisons,
});

it('takes the middle value, or the mean of the two in the middle', () => {
	expect(median([3, 100, 1])).toBe(3);
	expect(median([4, 1, 3, 100])).toBe(3.5);
	expect(() => median([])).toThrow(RangeError);
	expect(spread([90, 100, 120])).toBeCloseTo(0.3);
});

it('compares each round with itself, so that a slow one does not show as a slow variant', () => {
	// The second round was three times as slow as the others, for both.
	expect(ratio([20, 60, 22], [10, 30, 10])).toBe(2);
	expect(() => ratio([1, 2], [1])).toThrow(RangeError);
});

describe('a goal', () => {
	it.each<[limits: Partial<Goal>, value: number | undefined, verdict: string]>([
		[{ atMost: 1.4 }, 1.4, 'pass'],
		[{ atMost: 1.4 }, 1.41, 'FAIL'],
		[{ atLeast: 6 }, 6, 'pass'],
		[{ atLeast: 6 }, 5.9, 'FAIL'],
		[{ atMost: 1.4, held: 1.6 }, 1.3, 'pass'],
		[{ atMost: 1.4, held: 1.6 }, 1.6, 'held'],
		[{ atMost: 1.4, held: 1.6 }, 1.61, 'FAIL'],
		[{ atLeast: 6, held: 4 }, 4, 'held'],
		[{ atLeast: 6, held: 4 }, 3.9, 'FAIL'],
		[{ atMost: 1 }, undefined, 'NOT MEASURED'],
	])('of %j is judged at %p: %s', (limits, value, verdict) => {
		const goal = { part: 'contacts', text: 'Goal', value: () => value, ...limits };
		const judged = judge(goal, resultsOf());
		expect(judged.verdict).toBe(verdict);
		expect(isHeld([judged])).toBe(['pass', 'held'].includes(verdict));
	});

	it('has one limit, and a held value beyond it', () => {
		for (const { text, atMost, atLeast, held } of GOALS) {
			expect([text, atMost === undefined]).toEqual([text, atLeast !== undefined]);
			if (held === undefined) continue;
			const isBeyond = atMost === undefined ? held < (atLeast ?? 0) : held > atMost;
			expect([text, isBeyond]).toEqual([text, true]);
		}
	});

	it('is judged with its part alone, by the names of work, variant and quantity', () => {
		expect(judgeAll(resultsOf(), ['size'])).toEqual([]);
		const name = 'Get 400 links, 20 ms';
		const measured = [
			{ variant: 'raw axios, 8', samples: samples('wallMs', 100, 200) },
			{ variant: 'Payment Collection', samples: samples('wallMs', 120, 240) },
		];
		const judged = judgeAll(resultsOf({ part: 'items', name, measured }), ['items']);
		const gets = judged.find(({ goal }) => goal.text.startsWith('400 Gets'));
		expect(gets?.value).toBeCloseTo(1.2);
	});
});
