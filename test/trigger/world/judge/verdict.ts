/** What the trigger did against its promises (the laws of the trigger, by their numbers). */
export interface Verdict {
	/** 1: never told. */
	readonly lost: string[];
	/** 4: could not be read for longer than the lookback, and was not told when it could. */
	readonly unread: string[];
	/** 2: told again. */
	readonly twice: string[];
	/** 3: told though it was there when the trigger began. */
	readonly old: string[];
	/** 4: polls that throw though nothing is wrong, or end the trigger, or start an empty execution. */
	readonly stuck: string[];
	/** 5: requests, bytes, charges of a poll. */
	readonly unbounded: string[];
	/** Items of one poll that do not begin with the oldest. */
	readonly disordered: string[];
	/** Told of a charge that the filters leave out. */
	readonly unwanted: string[];
	/** Keys in warnings. */
	readonly leaked: string[];
}

export const nothingWrong = (): Verdict => ({
	lost: [],
	unread: [],
	twice: [],
	old: [],
	stuck: [],
	unbounded: [],
	disordered: [],
	unwanted: [],
	leaked: [],
});

/** The kinds of wrong that happened. */
export const onlyWrongs = (verdict: Verdict): Partial<Verdict> =>
	Object.fromEntries(
		(Object.entries(verdict) as Array<[string, string[]]>).filter(([, found]) => found.length > 0),
	);
