import { changesBetween, toChangeTable } from '../../bench/report/compare';
import { GOALS, judge, type Goal } from '../../bench/report/goals';
import type { Comparison, Quantity, Results, Sample } from '../../bench/report/measured';
import { median, ratio, spread } from '../../bench/report/statistics';
import { toShortSummary, toSummary } from '../../bench/report/summary';
import { toTable } from '../../bench/report/table';
import { isHeld, judgeAll, toVerdictTable } from '../../bench/report/verdicts';

const samples = (quantity: Quantity, ...values: number[]): Sample[] =>
	values.map((value) => ({ [quantity]: value }));

const comparison: Comparison = {
	part: 'contacts',
	name: 'Reading',
	baseline: 'raw',
	measured: [
		{ variant: 'node', samples: samples('wallMs', 200, 330, 240) },
		{ variant: 'raw', samples: samples('wallMs', 100, 150, 120) },
	],
};

const resultsOf = (...comparisons: Comparison[]): Results => ({
	machine: { cores: 2 },
	rounds: 3,
	comparisons,
});

describe('What the bench makes of its rounds', () => {
	it('takes the middle value, or the mean of the two in the middle', () => {
		expect(median([3, 100, 1])).toBe(3);
		expect(median([4, 1, 3, 100])).toBe(3.5);
		expect(median([7])).toBe(7);
		expect(() => median([])).toThrow(RangeError);
	});

	it('compares each round with itself, so that a slow one does not show as a slow variant', () => {
		// The second round was three times as slow as the others, for both.
		expect(ratio([20, 60, 22], [10, 30, 10])).toBe(2);
		expect(() => ratio([1, 2], [1])).toThrow(RangeError);
	});

	it('gives the spread as a part of the median', () => {
		expect(spread([90, 100, 120])).toBeCloseTo(0.3);
		expect(spread([0, 0])).toBe(0);
	});

	it('writes medians, spread and ratios to the baseline into one table', () => {
		expect(toTable([comparison])).toBe(
			[
				'| Work | Variant | Execution | Ratio |',
				'| --- | --- | --- | --- |',
				'| Reading | node | 240 ms ± 27 % | 2.00 |',
				'| Reading | raw | 120 ms ± 21 % | 1.00 |',
			].join('\n'),
		);
	});

	it('puts what was measured by other quantities into another table', () => {
		const weight: Comparison = {
			part: 'size',
			name: 'Package',
			measured: [{ variant: '1.0.0', samples: [{ packedKb: 80, unpackedKb: 300 }] }],
		};
		const tables = toTable([comparison, weight, comparison]).split('\n\n');
		expect(tables).toHaveLength(2);
		expect(tables[0]?.split('\n')).toHaveLength(6);
		expect(tables[1]).toContain('| Package | 1.0.0 | 80 kB | 1.00 | 300 kB | 1.00 |');
	});
});

describe('A goal of the bench', () => {
	const goal = (limits: Partial<Goal>, value: number | undefined): Goal => ({
		part: 'contacts',
		text: 'Goal',
		value: () => value,
		...limits,
	});
	const verdictOf = (limits: Partial<Goal>, value: number | undefined) =>
		judge(goal(limits, value), resultsOf()).verdict;

	it('is met at its limit and missed beyond it', () => {
		expect(verdictOf({ atMost: 1.4 }, 1.4)).toBe('pass');
		expect(verdictOf({ atMost: 1.4 }, 1.41)).toBe('FAIL');
		expect(verdictOf({ atLeast: 6 }, 6)).toBe('pass');
		expect(verdictOf({ atLeast: 6 }, 5.9)).toBe('FAIL');
	});

	it('that is out of reach holds the best value that was reached, and no worse one', () => {
		expect(verdictOf({ atMost: 1.4, held: 1.6 }, 1.3)).toBe('pass');
		expect(verdictOf({ atMost: 1.4, held: 1.6 }, 1.6)).toBe('held');
		expect(verdictOf({ atMost: 1.4, held: 1.6 }, 1.61)).toBe('FAIL');
		expect(verdictOf({ atLeast: 6, held: 4 }, 4)).toBe('held');
		expect(verdictOf({ atLeast: 6, held: 4 }, 3.9)).toBe('FAIL');
	});

	it('that was not measured fails the check', () => {
		const judged = [judge(goal({ atMost: 1 }, undefined), resultsOf())];
		expect(judged[0]?.verdict).toBe('NOT MEASURED');
		expect(isHeld(judged)).toBe(false);
	});

	it('is judged with its part alone, and shown with goal, held value and what was measured', () => {
		const all = GOALS.map(({ part }) => part);
		expect(judgeAll(resultsOf(), all)).toHaveLength(GOALS.length);
		expect(judgeAll(resultsOf(), ['size'])).toEqual([]);
		const [judged] = [judge(goal({ atMost: 1.4, held: 1.6 }, 1.5), resultsOf())];
		expect(toVerdictTable([judged])).toContain('| Goal | ≤ 1.40 | 1.60 | 1.50 | held |');
		expect(isHeld([judged])).toBe(true);
	});

	it('has one limit, and a held value beyond it', () => {
		for (const { text, atMost, atLeast, held } of GOALS) {
			expect([text, atMost === undefined]).toEqual([text, atLeast !== undefined]);
			if (held === undefined) continue;
			expect([text, atMost === undefined ? held < (atLeast ?? 0) : held > atMost]).toEqual([
				text,
				true,
			]);
		}
	});

	it('finds its numbers by the names of work, variant and quantity', () => {
		const gets = GOALS.find(({ text }) => text.startsWith('400 Gets'));
		const results = resultsOf({
			part: 'items',
			name: 'Get 400 links, 20 ms',
			measured: [
				{ variant: 'raw axios, 8', samples: samples('wallMs', 100, 200) },
				{ variant: 'Payment Collection', samples: samples('wallMs', 120, 240) },
			],
		});
		expect(gets?.value(results)).toBeCloseTo(1.2);
		expect(gets?.value(resultsOf())).toBeUndefined();
	});
});

describe('A comparison with an earlier run of the bench', () => {
	const faster: Comparison = {
		...comparison,
		measured: [
			{ variant: 'node', samples: samples('wallMs', 150, 150, 150) },
			{ variant: 'raw', samples: samples('wallMs', 100, 100, 100) },
			{ variant: 'new variant', samples: samples('wallMs', 1, 1, 1) },
		],
	};

	it('shows times and ratios of what both have, before and now', () => {
		const changes = changesBetween(resultsOf(comparison), resultsOf(faster));
		expect(changes).toEqual([
			{
				work: 'Reading',
				variant: 'node',
				quantity: 'wallMs',
				before: 240,
				now: 150,
				ratios: { before: 2, now: 1.5 },
			},
			{ work: 'Reading', variant: 'raw', quantity: 'wallMs', before: 120, now: 100 },
		]);
		expect(toChangeTable(changes)).toContain(
			'| Reading | node | Execution | 240 ms | 150 ms | −38 % | 2.00 | 1.50 | −25 % |',
		);
	});

	it('leaves out work that only one of them did', () => {
		const other = { ...comparison, name: 'Other work' };
		expect(changesBetween(resultsOf(other), resultsOf(comparison))).toEqual([]);
	});
});

describe('The short table for the documents', () => {
	const works = [
		...['0 ms', '20 ms', '20 ms, TLS', '20 ms, in n8n', '100 ms', '100 ms, in n8n'].map(
			(latency) => `10,000 contacts, ${latency}`,
		),
		'100,000 contacts, 0 ms',
		'10,000 charges, 0 ms',
		'Get 400 links, 20 ms',
	];
	const comparisons = [
		...works.map((name) => ({
			part: 'contacts',
			name,
			measured: [
				{ variant: 'HTTP Request + Split Out', samples: samples('wallMs', 2600) },
				{ variant: 'Payment Collection, 8, Simplify', samples: samples('wallMs', 400) },
			],
		})),
		{
			part: 'memory',
			name: 'Memory of 100,000 contacts',
			measured: [{ variant: 'Payment Collection, 8, Simplify', samples: samples('peakMb', 250) }],
		},
	];

	it('says what the node takes, and how many times as much the others', () => {
		const text = toSummary(resultsOf(...comparisons));
		expect(text).toContain('| 10,000 contacts, 20 ms | 400 ms |  |  | 6.5 × |');
		expect(text).toContain('| Memory of 100,000 contacts | 250 MB |  |  |  |');
		const short = toShortSummary(resultsOf(...comparisons)).split('\n');
		expect(short[0]).toBe('| Work | Payment Collection | HTTP Request |');
		expect(short.filter((line) => line.includes('in n8n'))).toHaveLength(2);
	});

	it('is not made of a part of the bench', () => {
		expect(() => toSummary(resultsOf(...comparisons.slice(1)))).toThrow('0 ms” was not measured');
	});
});
