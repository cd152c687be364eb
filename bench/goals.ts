/** What one run took, by the name of the quantity: ms, cpuMs, heapKb, requests. */
export type Sample = Readonly<Record<string, number>>;

/** A sample of each round, by what was measured. */
export type Measured = Readonly<Record<string, readonly Sample[]>>;

/** What must hold, so that it can't get worse unseen. */
export interface Goal {
	readonly quantity: string;
	readonly of: string;
	/** What it is divided by, if by anything. */
	readonly to?: string;
	readonly atMost?: number;
	readonly atLeast?: number;
}

/** Middle of the values; of an even number of them, the upper one of the two in the middle. */
const median = (values: readonly number[]): number =>
	[...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * The median over the rounds, NaN for what was not measured. Each round is compared with itself, so that what slows the
 * whole machine for a while is in both numbers of a ratio.
 */
export function valueOf({ quantity, of, to }: Goal, measured: Measured): number {
	const valuesOf = (name: string): number[] =>
		(measured[name] ?? []).map((sample) => sample[quantity] ?? Number.NaN);
	const divisors = to === undefined ? undefined : valuesOf(to);
	return median(
		valuesOf(of).map((value, round) => value / (divisors ? (divisors[round] ?? NaN) : 1)),
	);
}

export const isHeld = ({ atMost = Infinity, atLeast = 0 }: Goal, value: number): boolean =>
	value <= atMost && value >= atLeast;
