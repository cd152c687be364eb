import type { IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { StatusFilter } from '../../shared/records/charge';
import type { Learning, Scope, TriggerState, VisibleFilter, Watch } from '../state/state';
import { watchedBy, type PollSettings } from '../description/settings';
import { hashOf } from '../../shared/values';
import { EARLIEST, fromMs, latest, presentAt, type Instant } from '../../shared/timestamps';
import type { Row, FetchPage } from '../list/pages';

const SCOPE_LENGTH = 22;

/** As hashes: a search text may name a person. */
export function scopeOf(
	context: IPollFunctions,
	{ baseUrl, apiKey }: { baseUrl: string; apiKey: string },
	{ resource, filters }: PollSettings,
): Scope {
	const short = (part: unknown) => hashOf(part).slice(0, SCOPE_LENGTH);
	const { path } = resource.endpoint;
	const owner = short([context.getWorkflow().id, context.getNode().id, baseUrl, path]);
	return { owner, apiKey: short([baseUrl, apiKey]), query: short([baseUrl, apiKey, filters]) };
}

export interface PollInput {
	readonly scope: Scope;
	readonly former: {
		/** The state of the last poll, in a copy of its own; absent where there is none, or it can't be read. */
		readonly state?: TriggerState | undefined;
		/** As the state has them, even where the rest can't be read; without one, when the first poll began, if it failed. */
		readonly polledAt?: Instant | undefined;
		readonly newest?: Instant | undefined;
		readonly hasRun: boolean;
	};
	readonly settings: PollSettings;
	readonly fetchPage: FetchPage;
	/** The host's clock: it may be wrong. */
	readonly nowMs: number;
	/** When the last request must have ended, by the clock's elapsed milliseconds. */
	readonly deadlineMs: number;
}

/** The state that a poll begins with: the former one, or a new one. @param warnings for n8n's log, added to */
export function stateFor(input: PollInput, warnings: string[]): TriggerState {
	const { scope, former, settings, nowMs } = input;
	const isSame = former.state?.scope.query === scope.query;
	const state = isSame ? former.state : startingAt(input, warnings);
	const { currency, ...hidden } = settings.filters;
	const isVisible = Object.keys(hidden).length === 0;
	state.visibleFilter = isVisible ? { currency, statuses: settings.statuses.names } : undefined;
	// No one asked for earlier changes of charges that are not emitted as new.
	const since = latest(state.polledAt, fromMs(nowMs));
	const begun: Watch = { since, facts: '', sweptSinceMs: nowMs };
	state.watch = watchedBy(settings).length > 0 ? (state.watch ?? begun) : undefined;
	return state;
}

/** A silent start, or one that emits what Start From says. Another key may be that of another account. */
function startingAt(input: PollInput, warnings: string[]): TriggerState {
	const { scope, settings, nowMs } = input;
	const { state: former, hasRun, polledAt, newest } = input.former;
	// What is ahead of the host's clock was written under a wrong one.
	const known = [polledAt, newest].find((at) => at && at <= fromMs(nowMs));
	const lastSeen = known ?? fromMs(nowMs);
	const isOtherKey = former !== undefined && former.scope.apiKey !== scope.apiKey;
	const upTo = latest(lastSeen, isOtherKey ? fromMs(nowMs - settings.lookbackMs) : EARLIEST);
	if (upTo > lastSeen)
		warnings.push(
			`The API key was changed: the Payment Collection Trigger skips records created from ${lastSeen}Z to ${upTo}Z. To get them, ${settings.resource.toCatchUp}.`,
		);
	const formerFilter = isOtherKey || former?.learning ? undefined : former?.visibleFilter;
	const isFirst = former === undefined && known === undefined ? true : undefined;
	const isSilent = hasRun || settings.startFrom === undefined;
	return {
		scope,
		polledAt: upTo,
		listFacts: { order: 'newestFirst', lastPage: 1 },
		newest,
		// Silently, all that is met counts as there until the new end shows since when charges have to be known.
		since: (formerFilter && former?.since) ?? (isSilent ? EARLIEST : settings.startFrom),
		known: former?.known ?? '',
		learning: isSilent ? { upTo, formerFilter, isFirst } : undefined,
		watch: former?.watch && begunAnew(former.watch, upTo, formerFilter),
	};
}

/** There may be charges that were never looked at. */
const begunAnew = (
	{ isComplete, place: _, ...former }: Watch,
	since: Instant,
	formerFilter: VisibleFilter | undefined,
): Watch => ({ ...former, since, formerFilter: isComplete && formerFilter });

/**
 * Whether a charge that was never looked at counts as there when the trigger started.
 *
 * @param isAtNewEnd nothing but new charges stands above it
 */
export function countsAsThere(row: Row, learning: Learning, isAtNewEnd: boolean): boolean {
	const { created } = row;
	const { isFirst, formerFilter } = learning;
	// Its date is wrong, and nothing shows when it came in.
	if (formerFilter === undefined && created > presentAt(clock.now())) return true;
	if (isFirst && created > fromMs(clock.now())) learning.upTo = latest(learning.upTo, created);
	const { upTo, newestAtStart = upTo } = learning;
	const wasWanted = new StatusFilter(formerFilter?.statuses).matches(row);
	const isOfFormer = wasWanted && matchedFormerFilter(row, formerFilter);
	return created <= (isAtNewEnd ? newestAtStart : upTo) && !isOfFormer;
}

/** Whether a charge shows that it was in the list under a former filter. */
export const matchedFormerFilter = ({ record }: Row, filter: VisibleFilter | undefined): boolean =>
	filter !== undefined && (filter.currency ?? record['currency']) === record['currency'];
