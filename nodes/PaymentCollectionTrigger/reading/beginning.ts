import { budgets } from '../budgets';
import { DatedKeys, hashOf } from '../state/datedKeys';
import type { TriggerState, Watch } from '../state/state';
import { isWatching } from '../description/settings';
import type { PollSettings } from '../description/settings';
import { EARLIEST, fromMs, latest } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';

const SCOPE_LENGTH = 22;

/** Base URL and key, and the filters that are sent, as a hash: a search text may name a person. */
export function scopeOf(
	account: { baseUrl: string; apiKey: string },
	filters: PollSettings['filters'],
): string {
	// In whatever order they were set.
	const byName = Object.entries(filters).sort(([one], [other]) => (one < other ? -1 : 1));
	return accountOf(account) + hashOf(byName, SCOPE_LENGTH);
}

/** The part of a scope that stands for base URL and key. */
const accountOf = ({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): string =>
	hashOf([baseUrl, apiKey], SCOPE_LENGTH);

const isSameAccount = (scope: string, other: string): boolean =>
	scope.slice(0, SCOPE_LENGTH) === other.slice(0, SCOPE_LENGTH);

/** What is known of what came before a poll. */
export interface Former {
	/** Absent where there is none, or it can't be read. */
	readonly state?: TriggerState;
	/** When the last poll began; absent where there was none, or nobody knows. */
	readonly polledAt?: Instant;
	/** Something was stored. */
	readonly hasRun: boolean;
}

/** The state that a poll begins with: the former one, or a beginning. */
export function stateFor(
	scope: string,
	{ state: former, polledAt, hasRun }: Former,
	settings: PollSettings,
	nowMs: number,
): TriggerState {
	const isSame = former?.scope === scope;
	const state = isSame
		? former
		: beginningAt(scope, polledAt ?? fromMs(nowMs), former, settings, hasRun);
	const isTellingAll = !isSame && state.beginning === undefined;
	// Nobody asked for what happened between the last poll and this one.
	const since = isTellingAll ? state.since : latest(state.polledAt, fromMs(nowMs));
	const begun: Watch = { since, facts: '', sweptSinceMs: nowMs };
	state.watch = isWatching(settings) ? (state.watch ?? begun) : undefined;
	return state;
}

/**
 * A silent beginning, or one that tells what Start From says. Under other filters, what had to wait is still told where
 * it shows that it was in the list before.
 */
function beginningAt(
	scope: string,
	upTo: Instant,
	former: TriggerState | undefined,
	{ filters, startFrom }: PollSettings,
	hasRun: boolean,
): TriggerState {
	const isSilent = hasRun || startFrom.kind === 'now';
	const mayCarry =
		former !== undefined && former.beginning === undefined && isSameAccount(scope, former.scope);
	const waited = mayCarry ? former.visibleFilter : undefined;
	const start = startFrom.kind === 'date' && !isSilent ? startFrom.date : EARLIEST;
	const { currency, ...others } = filters;
	return {
		scope,
		visibleFilter: Object.keys(others).length === 0 ? { currency } : undefined,
		polledAt: upTo,
		list: { order: 'newestFirst', lastPage: 1 },
		since: waited === undefined ? start : (former?.since ?? start),
		known: waited === undefined ? '' : (former?.known ?? ''),
		beginning: isSilent ? { upTo, waited } : undefined,
		watch: former?.watch && begunAnew(former.watch, former.known, upTo),
	};
}

/** Charges may be met that nobody has looked at: of those that were, it is written down that they are ordinary. */
function begunAnew({ isComplete, place: _, ...former }: Watch, known: string, since: Instant) {
	const watch = { ...former, since };
	const [facts, others] = [new DatedKeys(watch.facts), new DatedKeys(known)];
	if (isComplete && facts.size + others.size <= budgets.factKeys)
		facts.addMissing(others, watch.usual ?? '');
	return { ...watch, facts: facts.toText() };
}
