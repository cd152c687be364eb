/** One run of one variant. Times in ms. */
export interface Sample {
	readonly wallMs: number;
	readonly cpuMs: number;
	/** Of the nodes alone, as n8n tells it; absent where there is no node. */
	readonly nodeMs?: number;
	readonly items: number;
}

/** All runs of one variant, in the order of the rounds. */
export interface Measured {
	readonly variant: string;
	readonly samples: readonly Sample[];
}

/** One piece of work, done by several variants in turn. */
export interface Comparison {
	readonly part: string;
	readonly name: string;
	/** The variant that the ratios are to. */
	readonly baseline: string;
	readonly measured: readonly Measured[];
}
