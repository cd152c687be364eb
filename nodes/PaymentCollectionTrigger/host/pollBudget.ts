import type { IPollFunctions } from 'n8n-workflow';

/** What n8n allows a poll where it does not say (n8n-engine.md, Polling 4). */
const USUAL_BUDGET_MS = 300_000;
/** Long enough for a backlog, short enough that polls seldom overlap. */
const MAX_READING_MS = 120_000;
/** For deciding, and for n8n. */
const RESERVE_MS = 2_000;

/** Milliseconds that this poll may take; older n8n versions do not say. */
export function pollBudgetMs(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? USUAL_BUDGET_MS;
}

/** Milliseconds after which the last request of a poll must have ended. */
export const readingMs = (budgetMs: number): number =>
	Math.max(1, Math.min(budgetMs - RESERVE_MS, MAX_READING_MS));

/** Under durable cursors every tick has a context of its own, and less time than an activation. */
export const isDurableTick = (context: IPollFunctions): boolean =>
	context.getActivationMode() === 'update' && pollBudgetMs(context) < USUAL_BUDGET_MS;
