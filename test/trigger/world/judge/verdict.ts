/** What the trigger did against its laws. */
export interface Verdict {
	/** 1: never told. */
	readonly lost: string[];
	/** 2: told again. */
	readonly twice: string[];
	/** 3: told though it was there when the trigger began. */
	readonly old: string[];
	/** 4: polls that throw though pages came, end the trigger, fall silent or start an empty execution. */
	readonly stuck: string[];
	/** 4: told, but long after it could have been. */
	readonly late: string[];
	/** 5: requests, time, bytes, charges of a poll. */
	readonly unbounded: string[];
	/** 6: requests of polls that had little to read. */
	readonly dear: string[];
	/** Told of a charge or an event that was not asked for. */
	readonly unwanted: string[];
	/** Items of one poll that do not begin with the oldest. */
	readonly disordered: string[];
}

export const nothingWrong = (): Verdict => ({
	lost: [],
	twice: [],
	old: [],
	stuck: [],
	late: [],
	unbounded: [],
	dear: [],
	unwanted: [],
	disordered: [],
});

/** The kinds of wrong that happened. */
export const onlyWrongs = (verdict: Verdict): Partial<Verdict> =>
	Object.fromEntries(
		(Object.entries(verdict) as Array<[string, string[]]>).filter(([, found]) => found.length > 0),
	);
