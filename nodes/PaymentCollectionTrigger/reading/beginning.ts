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
	const watch = isWatching(settings)
		? watchFor(state, isSame ? state.polledAt : undefined, nowMs)
		: undefined;
	if (watch === undefined) delete state.watch;
	else state.watch = watch;
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
	const { currency, ...others } = filters;
	const isVisible = Object.keys(others).length === 0;
	return {
		scope,
		...(isVisible ? { visibleFilter: currency === undefined ? {} : { currency } } : {}),
		polledAt: upTo,
		list: { newEnd: 'first', isByDate: true, lastPage: 1 },
		since: waited === undefined ? sinceOf(startFrom, isSilent) : (former?.since ?? EARLIEST),
		known: waited === undefined ? '' : (former?.known ?? ''),
		...(isSilent ? { beginning: { upTo, ...(waited === undefined ? {} : { waited }) } } : {}),
		...(former?.watch === undefined ? {} : { watch: begunAnew(former.watch, former.known, upTo) }),
	};
}

const sinceOf = (startFrom: PollSettings['startFrom'], isSilent: boolean): Instant =>
	startFrom.kind === 'date' && !isSilent ? startFrom.date : EARLIEST;

/** @param polledAt when the last poll began; absent where the trigger begins with this one */
function watchFor(state: TriggerState, polledAt: Instant | undefined, nowMs: number): Watch {
	const { watch, beginning, since } = state;
	if (watch !== undefined) return watch;
	// Nobody asked for what happened between the last poll and this one.
	const now = latest(state.polledAt, fromMs(nowMs));
	return {
		since: polledAt === undefined && beginning === undefined ? since : now,
		facts: '',
		pagesDone: 0,
		sweptSinceMs: nowMs,
	};
}

/** Charges may be met that nobody has looked at: of those that were, it is written down that they are ordinary. */
function begunAnew({ isComplete, ...former }: Watch, known: string, since: Instant): Watch {
	const watch = { ...former, since, pagesDone: 0 };
	const [facts, others] = [new DatedKeys(watch.facts), new DatedKeys(known)];
	if (isComplete && facts.size + others.size <= budgets.factKeys)
		facts.addMissing(others, watch.usual ?? '');
	return { ...watch, facts: facts.toText() };
}
