/** How many keys the stored state holds at most, in one object so that tests can fill it with a few. */
export const budgets = {
	/** Of charges that were looked at and may be met again. */
	knownKeys: 8_000,
	/** Of watched charges that were refunded, or had another status than most. */
	factKeys: 4_000,
	/** Of charges that a backlog told last. Where no more than these came in, there is no backlog. */
	recentKeys: 1_000,
};
