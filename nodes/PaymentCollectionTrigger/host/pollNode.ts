import { NodeApiError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { eventItem, testEvents, type RecordEvent } from '../../shared/records/recordEvents';
import { withoutApiKey } from '../../shared/service/credential';
import { REQUEST_TIMEOUT_MS } from '../../shared/service/requestOptions';
import { ReportedError, ServiceFailure, toNodeError } from '../../shared/errors/reportedError';
import { TOO_MANY_REQUESTS, isTemporary } from '../../shared/errors/failure';
import { askToWait, logWarning } from '../../shared/n8nAdapter';
import { openTransport } from '../../shared/service/transport';
import { fromMs } from '../../shared/timestamps';
import { compareTexts } from '../../shared/values';
import { readSettings, type PollSettings } from '../description/settings';
import { pageFetcher, type FetchPage } from '../list/pages';
import { pollList } from '../poll';
import { scopeOf } from '../reading/startingState';
import { resumeState, storeState } from './stateStore';
import { enter, memoryOf, pollKind, polled, readingMs, type PollKind } from './triggerMemory';

/** All attempts of one request may take this share of the time for reading. */
const SHARE_FOR_RETRIES = 1 / 3;

const UNREADABLE =
	'The stored state of the Payment Collection Trigger is damaged or from another version of the package: the trigger continues with records created since its last poll, or from now on if the time of that poll is unknown';

const NOTHING_KEPT =
	"n8n has no stored state of the Payment Collection Trigger for this workflow, node, 'Base URL' and 'Resource': the trigger starts over as set in 'Options → Start From'";

/** One poll as n8n calls it: returns the items of new events, or null, and stores the state in static data. */
export async function pollNode(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return await fetchTestEvents(context);
	const kind = pollKind(context);
	const entry = enter(context, kind);
	const startedAtMs = clock.now();
	if (entry === undefined) return null;
	try {
		const opened = await openPoll(context);
		const former = resumeState(context, kind, opened.scope.owner);
		if (former === undefined) return null;
		if (former.hasRun && !former.state) logWarning(context, UNREADABLE);
		if (former.hasOnlyOthers || (kind === 'start' && !former.hasRun))
			logWarning(context, NOTHING_KEPT);
		const { events, state, warnings } = await pollList({ ...opened, former });
		polled.add(context);
		if (!entry.isCurrent()) return null;
		for (const warning of warnings) logWarning(context, warning);
		const items = events.map(opened.toItem);
		const next = { serial: Math.max(former.serial + 1, opened.nowMs), state };
		storeState(context, next, kind, items.length > 0);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const shown = await toPollError(error, context, kind);
		if (!isForgiven(error, kind)) throw shown;
		polled.add(context);
		memoryOf(context).firstTried = fromMs(startedAtMs);
		logWarning(context, `The first poll failed and will be repeated: ${shown.message}`);
		return null;
	} finally {
		entry.end();
	}
}

/** An event of each kind, for the user to build with. Stores nothing: n8n never saves the static data of a manual execution. */
async function fetchTestEvents(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	try {
		const { fetchPage, settings, toItem } = await openPoll(context);
		return [(await findTestEvents(fetchPage, settings)).map(toItem)];
	} catch (error) {
		throw await toPollError(error, context);
	}
}

/**
 * A first poll that throws when n8n starts would end the trigger silently (docs/n8n-engine.md, Polling), so it never throws. When
 * a user publishes, it throws only errors that the user can correct. A throw on a tick is a failed execution, as it should be.
 */
const isForgiven = (error: unknown, kind: PollKind): boolean =>
	kind === 'start' ||
	(kind === 'activation' && error instanceof ServiceFailure && isTemporary(error.failure));

/** The error as n8n shows it: only its message when a user publishes. After a 429, it has the time that the service asks to wait. */
async function toPollError(error: unknown, context: IPollFunctions, kind?: PollKind) {
	const shownIn = kind === 'activation' ? 'messageOnly' : undefined;
	const shown = toNodeError(await withoutApiKey(error, context), context.getNode(), shownIn);
	const { status, retryAfterMs } = error instanceof ServiceFailure ? error.failure : {};
	if (shown instanceof NodeApiError && status === TOO_MANY_REQUESTS) askToWait(shown, retryAfterMs);
	return shown;
}

/** @throws {InputError} for a parameter @throws {CredentialError} */
async function openPoll(context: IPollFunctions) {
	const settings = readSettings(context);
	const forReadingMs = readingMs(context);
	const transport = await openTransport(context, {
		retryBudgetMs: forReadingMs * SHARE_FOR_RETRIES,
		settings: { timeout: REQUEST_TIMEOUT_MS },
	});
	const deadlineMs = clock.elapsed() + forReadingMs;
	const options = { ...settings, apiKey: transport.apiKey };
	return {
		settings,
		scope: scopeOf(context, transport, settings),
		fetchPage: pageFetcher(transport, settings, deadlineMs),
		toItem: (event: RecordEvent): INodeExecutionData => ({ json: eventItem(event, options) }),
		nowMs: clock.now(),
		deadlineMs,
	};
}

/** One of each chosen kind, of the records at both ends of the list. @throws {ReportedError} if none matches */
async function findTestEvents(
	fetchPage: FetchPage,
	{ resource, events, filters, statuses }: PollSettings,
): Promise<RecordEvent[]> {
	const first = await fetchPage(1);
	// If the oldest come first, the newest are on the last pages.
	const last = Math.ceil((first.count ?? 0) / Math.max(1, first.rows.length));
	const others = [last - 1, last].filter((number) => number > 1);
	const pages = [first, ...(await Promise.all(others.map(fetchPage)))];
	const newestFirst = pages
		.flatMap(({ rows }) => rows.filter((row) => row !== undefined))
		.filter((row) => statuses.matches(row))
		.sort((one, other) => compareTexts(other.created, one.created));
	const found = testEvents(events, newestFirst);
	if (found.length > 0) return found;
	const isFiltered = statuses.isSet || Object.keys(filters).length > 0;
	const what = isFiltered ? `matching ${resource.noun}` : resource.noun;
	throw new ReportedError(
		`No ${what} was found for a test event${isFiltered ? '' : ' yet'}`,
		`${isFiltered ? "Change 'Filters', or try" : 'Try'} again once there is one. You can publish the workflow without a test event.`,
	);
}
