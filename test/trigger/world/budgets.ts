/** As in the sources: characters of keys, and how many rows told last are remembered besides. */
export interface Budgets {
	known: Budget;
	facts: Budget;
	recent: number;
}

interface Budget {
	readonly most: number;
	readonly enough: number;
}

/** Characters of a key that has its bucket of time for itself. */
const KEY_CHARACTERS = 26;

/** What the sources have, by the object that holds it. */
const usual = new WeakMap<Budgets, Budgets>();

/** @param keys for so many charges, each of another second; absent for as many as the sources say */
export function setBudgets(budgets: Budgets, keys: number | undefined): void {
	const { known, facts, recent } = usual.get(budgets) ?? { ...budgets };
	usual.set(budgets, { known, facts, recent });
	const most = (keys ?? 0) * KEY_CHARACTERS;
	const share = keys === undefined ? 1 : most / known.most;
	const scaled = (budget: Budget): Budget =>
		keys === undefined
			? budget
			: { most: Math.ceil(budget.most * share), enough: Math.ceil(budget.enough * share) };
	budgets.known = scaled(known);
	budgets.facts = scaled(facts);
	budgets.recent = keys === undefined ? recent : Math.ceil(keys / 4);
}
