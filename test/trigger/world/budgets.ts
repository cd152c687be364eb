/** As in the sources: so many keys are remembered. */
export interface Budgets {
	knownKeys: number;
	factKeys: number;
	recentKeys: number;
}

/** What the sources have, by the object that holds it. */
const usual = new WeakMap<Budgets, Budgets>();

/** @param keys so many, and of the others in proportion; absent for as many as the sources say */
export function setBudgets(budgets: Budgets, keys: number | undefined): void {
	const sources = usual.get(budgets) ?? { ...budgets };
	usual.set(budgets, sources);
	const share = keys === undefined ? 1 : keys / sources.knownKeys;
	budgets.knownKeys = Math.ceil(sources.knownKeys * share);
	budgets.factKeys = Math.ceil(sources.factKeys * share);
	budgets.recentKeys = Math.ceil(sources.recentKeys * share);
}
