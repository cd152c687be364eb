import { GOALS, judge } from './goals';
import type { Judged } from './goals';
import type { Results } from './measured';
import { markdown } from './table';

const number = (value: number | undefined): string =>
	value === undefined ? '' : value.toFixed(value < 100 ? 2 : 0);

/** Judges the goals of the parts that ran. */
export function judgeAll(results: Results, parts: readonly string[]): Judged[] {
	return GOALS.filter(({ part }) => parts.includes(part)).map((goal) => judge(goal, results));
}

export const isHeld = (judged: readonly Judged[]): boolean =>
	judged.every(({ verdict }) => verdict === 'pass' || verdict === 'held');

export function toVerdictTable(judged: readonly Judged[]): string {
	const rows = judged.map(({ goal, value, verdict }) => [
		goal.text,
		goal.atMost === undefined ? `≥ ${number(goal.atLeast)}` : `≤ ${number(goal.atMost)}`,
		number(goal.held),
		number(value),
		verdict,
	]);
	return markdown(['Goal', 'Wanted', 'Held', 'Measured', 'Verdict'], rows);
}
