/** What can be measured of a run: the head of its column, and the unit of its values. */
export const QUANTITIES = {
	wallMs: { head: 'Execution', unit: 'ms' },
	nodeMs: { head: 'Nodes alone', unit: 'ms' },
	cpuMs: { head: 'CPU', unit: 'ms' },
	loadMs: { head: 'Loading', unit: 'ms' },
	heapKb: { head: 'Heap', unit: 'kB' },
	peakMb: { head: 'Peak', unit: 'MB' },
	keptMb: { head: 'Kept at the end', unit: 'MB' },
	requests: { head: 'Requests', unit: '' },
	mostRequests: { head: 'In the dearest poll', unit: '' },
	stateKb: { head: 'State', unit: 'kB' },
	packedKb: { head: 'Tarball', unit: 'kB' },
	unpackedKb: { head: 'Unpacked', unit: 'kB' },
} as const;

export type Quantity = keyof typeof QUANTITIES;

/** One run of one variant. */
export type Sample = Readonly<Partial<Record<Quantity, number>>>;

/** All runs of one variant, in the order of the rounds. */
export interface Measured {
	readonly variant: string;
	readonly samples: readonly Sample[];
}

/** One piece of work, done by several variants in turn. */
export interface Comparison {
	readonly part: string;
	readonly name: string;
	/** The variant that the ratios are to; the first one otherwise. */
	readonly baseline?: string;
	readonly measured: readonly Measured[];
}

/** What a run of the bench writes as JSON. */
export interface Results {
	readonly machine: Readonly<Record<string, string | number>>;
	readonly rounds: number;
	readonly comparisons: readonly Comparison[];
}

/** Values of a quantity, in the order of the rounds; undefined where a run has none. */
export function valuesOf(
	measured: Measured | undefined,
	quantity: Quantity,
): readonly number[] | undefined {
	const values = measured?.samples.map((sample) => sample[quantity]) ?? [];
	const known = values.filter((value) => value !== undefined);
	return known.length > 0 && known.length === values.length ? known : undefined;
}

export function baselineOf({ baseline, measured }: Comparison): Measured | undefined {
	return measured.find(({ variant }) => variant === baseline) ?? measured[0];
}
