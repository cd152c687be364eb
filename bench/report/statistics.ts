/** Middle of the values; of an even number of them, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	const middle = sorted.length / 2;
	const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
	if (low === undefined || high === undefined) throw new RangeError('A median of nothing');
	return (low + high) / 2;
}

/** How far apart least and most are, as a part of the median. */
export function spread(values: readonly number[]): number {
	const range = Math.max(...values) - Math.min(...values);
	return range === 0 ? 0 : range / median(values);
}

/**
 * How many times as much as the baseline: the median over the rounds. Each round is compared with itself, so that what
 * slows the whole machine for a while is in both of its numbers.
 */
export function ratio(values: readonly number[], baseline: readonly number[]): number {
	if (values.length !== baseline.length) throw new RangeError('Rounds of different numbers');
	return median(values.map((value, round) => value / (baseline[round] ?? Number.NaN)));
}
