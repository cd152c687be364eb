import type { TriggerState, Watch } from '../state/state';
import { isWatching, type PollSettings } from '../description/settings';
import { hashOf } from '../../shared/values';
import { EARLIEST, fromMs, latest, type Instant } from '../../shared/timestamps';
import type { FetchPage } from '../list/chargePages';

const SCOPE_LENGTH = 22;

/** Base URL and key, and the filters that are sent, as a hash: a search text may name a person. */
export function scopeOf(
	{ baseUrl, apiKey }: { baseUrl: string; apiKey: string },
	filters: PollSettings['filters'],
): string {
	const parts = [[baseUrl, apiKey], filters];
	return parts.map((part) => hashOf(part).slice(0, SCOPE_LENGTH)).join('');
}

export interface PollInput {
	/** Stands for base URL, key and the filters that are sent. */
	readonly scope: string;
	readonly former: {
		/** What the last poll left behind, in a copy of its own; absent where there is none, or it can't be read. */
		readonly state?: TriggerState | undefined;
		/** When the last poll began; absent where there was none, or nobody knows. */
		readonly polledAt?: Instant | undefined;
		/** Something was stored. */
		readonly hasRun: boolean;
	};
	readonly settings: PollSettings;
	readonly fetchPage: FetchPage;
	/** The host's clock: it may be wrong. */
	readonly nowMs: number;
	/** When the last request must have ended, by the clock's elapsed milliseconds. */
	readonly deadlineMs: number;
}

/** The state that a poll begins with: the former one, or a beginning. */
export function stateFor(input: PollInput): TriggerState {
	const { scope, former, settings, nowMs } = input;
	const state = former.state?.scope === scope ? former.state : beginningAt(input);
	// Nobody asked for what happened before to charges that are not told as new.
	const since = latest(state.polledAt, fromMs(nowMs));
	const begun: Watch = { since, facts: '', sweptSinceMs: nowMs };
	state.watch = isWatching(settings) ? (state.watch ?? begun) : undefined;
	return state;
}

/**
 * A silent beginning, or one that tells what Start From says. Under other filters, what had to wait is still told where
 * it shows that it was in the list before.
 */
function beginningAt(input: PollInput): TriggerState {
	const { scope, nowMs } = input;
	const { state: former, hasRun, polledAt: upTo = fromMs(nowMs) } = input.former;
	const { filters, startFrom } = input.settings;
	const isSilent = hasRun || startFrom === undefined;
	// Base URL and key are the same.
	const isSameAccount = former?.scope.startsWith(scope.slice(0, SCOPE_LENGTH)) === true;
	const mayCarry = isSameAccount && former.beginning === undefined;
	const formerFilter = mayCarry ? former.visibleFilter : undefined;
	// Silently, all that is met counts as there until the new end shows since when charges have to be known.
	const start = isSilent ? EARLIEST : startFrom;
	const { currency, ...others } = filters;
	return {
		scope,
		visibleFilter: Object.keys(others).length === 0 ? { currency } : undefined,
		polledAt: upTo,
		list: { order: 'newestFirst', lastPage: 1 },
		since: formerFilter === undefined ? start : (former?.since ?? start),
		known: formerFilter === undefined ? '' : (former?.known ?? ''),
		beginning: isSilent ? { upTo, formerFilter } : undefined,
		watch: former?.watch && begunAnew(former.watch, upTo),
	};
}

/** Charges may be met that nobody has looked at. */
const begunAnew = ({ isComplete: _, place: __, ...former }: Watch, since: Instant): Watch => ({
	...former,
	since,
});
