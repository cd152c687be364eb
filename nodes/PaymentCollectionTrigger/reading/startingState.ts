import type { IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { StatusFilter } from '../../shared/records/charge';
import type { Learning, Scope, TriggerState, VisibleFilter, Watch } from '../state/state';
import { watchedBy, type PollSettings } from '../description/settings';
import { EARLIEST, fromMs, latest, latestPresentAt, type Instant } from '../../shared/timestamps';
import type { Row, FetchPage } from '../list/pages';
import { keyOf } from '../state/datedKeys';

/** Hashes, because a search text can name a person. */
export function scopeOf(
	context: IPollFunctions,
	{ baseUrl, apiKey }: { baseUrl: string; apiKey: string },
	{ resource, filters }: PollSettings,
): Scope {
	const { path } = resource.endpoint;
	const owner = keyOf([context.getWorkflow().id, context.getNode().id, baseUrl, path]);
	return { owner, apiKey: keyOf([baseUrl, apiKey]), query: keyOf([baseUrl, apiKey, filters]) };
}

export interface PollInput {
	readonly scope: Scope;
	readonly former: {
		/** A copy of the state to continue from; missing if none is stored, or, with `hasRun`, if it can't be read. */
		readonly state?: TriggerState | undefined;
		/** Dates of the state, even if the rest can't be read. Without a state, `polledAt` is the start of a first poll that failed. */
		readonly polledAt?: Instant | undefined;
		readonly newest?: Instant | undefined;
		readonly hasRun: boolean;
	};
	readonly settings: PollSettings;
	readonly fetchPage: FetchPage;
	/** Time of the host's clock, which may be wrong. */
	readonly nowMs: number;
	/** End of the last request, in milliseconds of clock.elapsed(). */
	readonly deadlineMs: number;
}

/** The state that a poll begins with: the former one, or a new one. @param warnings gets warnings for n8n's log */
export function stateFor(input: PollInput, warnings: string[]): TriggerState {
	const { scope, former, settings, nowMs } = input;
	const isSame = former.state?.scope.query === scope.query;
	const state = isSame ? former.state : startingAt(input, warnings);
	const { currency, ...hidden } = settings.filters;
	const isVisible = Object.keys(hidden).length === 0;
	state.visibleFilter = isVisible ? { currency, statuses: settings.statuses.names } : undefined;
	// Earlier changes of charges that were there are not emitted.
	const changesAfter = latest(state.polledAt, fromMs(nowMs));
	const begun: Watch = { changesAfter, facts: '', sweptSinceMs: nowMs };
	state.watch = watchedBy(settings).length > 0 ? (state.watch ?? begun) : undefined;
	return state;
}

/** A new state, as Start From says. For Now, or if the trigger has run, it is silent about charges up to `upTo`: see {@link Learning}. */
function startingAt(input: PollInput, warnings: string[]): TriggerState {
	const { scope, settings, nowMs } = input;
	const { state: former, hasRun, polledAt, newest } = input.former;
	// Times ahead of the host's clock were written when it was wrong.
	const pastDate = [polledAt, newest].find((at) => at && at <= fromMs(nowMs));
	const lastSeen = pastDate ?? fromMs(nowMs);
	// Another key may belong to another account: of its charges, only those of the last Lookback are new.
	const isOtherKey = former !== undefined && former.scope.apiKey !== scope.apiKey;
	const upTo = latest(lastSeen, isOtherKey ? fromMs(nowMs - settings.lookbackMs) : EARLIEST);
	if (upTo > lastSeen)
		warnings.push(
			`The API key was changed: the Payment Collection Trigger skips records created from ${lastSeen}Z to ${upTo}Z. To get them, ${settings.resource.toCatchUp}.`,
		);
	const formerFilter = isOtherKey || former?.learning ? undefined : former?.visibleFilter;
	const isFirst = former === undefined && pastDate === undefined ? true : undefined;
	const isSilent = hasRun || settings.startFrom === undefined;
	return {
		scope,
		polledAt: upTo,
		listFacts: { order: 'newestFirst', lastPage: 1 },
		newest,
		// EARLIEST only until the new end is read: then `seeNewEnd` sets it.
		since: (formerFilter && former?.since) ?? (isSilent ? EARLIEST : settings.startFrom),
		known: former?.known ?? '',
		learning: isSilent ? { upTo, formerFilter, isFirst } : undefined,
		watch: former?.watch && {
			...former.watch,
			// There may be charges that were never checked.
			isComplete: undefined,
			place: undefined,
			changesAfter: upTo,
			formerFilter: former.watch.isComplete && formerFilter,
		},
	};
}

/** True if an unknown charge counts as listed when the trigger started. @param isAtNewEnd true if all charges above it are new */
export function wasListedAtStart(row: Row, learning: Learning, isAtNewEnd: boolean): boolean {
	const { created } = row;
	const { isFirst, formerFilter } = learning;
	// The date is wrong, so nothing shows when it came in.
	if (formerFilter === undefined && created > latestPresentAt(clock.now())) return true;
	if (isFirst && created > fromMs(clock.now())) return true;
	const { upTo, newestListed = upTo } = learning;
	const wasWanted = new StatusFilter(formerFilter?.statuses).matches(row);
	const isOfFormer = wasWanted && wasInFormerList(row, formerFilter);
	return created <= (isAtNewEnd ? newestListed : upTo) && !isOfFormer;
}

/** True if a charge was in the list under a former filter, of which only the currency is sent. */
export const wasInFormerList = ({ record }: Row, filter: VisibleFilter | undefined): boolean =>
	filter !== undefined && (filter.currency ?? record['currency']) === record['currency'];
