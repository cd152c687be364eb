/** How much is remembered of charges, in one object so that tests can fill it with a few of them. */
export const budgets = {
	/** Characters of the keys of charges that were looked at: at most, and what is left once there were more. */
	known: { most: 110_000, enough: 90_000 },
	/** Characters of the unread ranges that leave those keys all their room. */
	ranges: 10_000,
	/** The same for what happened to those that are watched. */
	facts: { most: 105_000, enough: 95_000 },
	/** Rows told last that are remembered while others wait, since they may show again beside those. */
	recent: 1_000,
};

export type Budget = typeof budgets.known;
