import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { apiKeyRemover } from '../../shared/errors/apiKeyRemover';
import { REQUEST_TIMEOUT_MS, openTransport } from '../../shared/service/transport';
import { unsearchedWarning } from '../../shared/redaction/fixedFields';
import { eventItem } from '../../shared/charges/chargeEvents';
import type { ChargeEvent } from '../../shared/charges/chargeEvents';
import type { ItemOptions } from '../../shared/records/recordItem';
import { findTestEvent } from '../changes/testEvent';
import { accountFingerprint, listFilters } from '../cursor/account';
import { readSettings } from '../description/settings';
import { ChargeList } from '../list/chargeList';
import { chargePages } from '../list/chargePages';
import { pollCharges } from '../poll';
import { firstCursor } from '../reading/begin';
import { accountOf } from '../reading/knownCharges';
import { isListOf, readingAhead } from '../reading/sameAccount';
import { isForgiven, toPollError } from './faults';
import { enter, markPolled, pollBudgetMs, pollKind, readingMs } from './pollGuard';
import { mayAsk, mayAskAgain, stopWaiting, whenAskedFirst } from './patience';
import { isStale, loadState, storeState } from './stateStore';

/** Of the time for reading, for all tries of one request. */
const SHARE_FOR_RETRIES = 1 / 3;

/** Accounts that are remembered to have been polled: those that were polled last. */
const MAX_ACCOUNTS = 20;

const DAMAGED =
	'The stored state of the Payment Collection Trigger can’t be read: it begins anew, and tells charges that come in from now on';

const NOTHING_KEPT =
	'n8n has started, and holds nothing that the Payment Collection Trigger knew: it begins as Start From says';

const OTHER_VERSION =
	'The stored state of the Payment Collection Trigger is of another version of the package: it goes on with charges created since the last poll, but for late ones and those that had to wait';

const UNRECOGNISED =
	'The key or base URL is another one, and a page that may show whether the account is the same could not be read: the next poll asks again';

/** What n8n asks of a polling trigger: the items of new events, or null; what is remembered goes into static data. */
export async function pollNode(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return await fetchTestEvent(context);
	const kind = pollKind(context);
	const turn = enter(context, kind);
	if (turn === undefined) return null;
	try {
		const reading = await openReading(context);
		const { account, settings, deadlineMs } = reading;
		const { state, underOtherKey, serial, isDamaged, accounts } = loadState(context, account);
		if (isStale(context, serial)) return null;
		if (state !== undefined) stopWaiting(context);
		const known = accounts.find((each) => each.account === account);
		if (isDamaged && state === undefined) context.logger.warn(known ? OTHER_VERSION : DAMAGED);
		if (kind === 'start' && serial === 0 && !isDamaged) context.logger.warn(NOTHING_KEPT);
		const { ahead, after } = readingAhead(reading.fetchPage);
		const former = mayAsk(context, account) ? underOtherKey?.cursor : undefined;
		const whose = former && (await isListOf(former, ahead, deadlineMs));
		const { nowMs } = reading;
		if (whose?.kind === 'unknown') {
			const isOpen = mayAskAgain(context, account, { ...whose, nowMs });
			if (isOpen) context.logger.warn(UNRECOGNISED);
			if (isOpen || whose.isOutOfTime) {
				markPolled(context);
				return null;
			}
		}
		const { events, cursor, warnings } = await pollCharges({
			...reading,
			fetchPage: after,
			stored: former && whose?.kind === 'same' ? { ...former, account } : state?.cursor,
			former:
				known ??
				(settings.startFrom.kind === 'now'
					? whenAskedFirst(context, account, settings.lookbackMs)
					: undefined),
			settings: isDamaged ? { ...settings, startFrom: { kind: 'now' } } : settings,
		});
		if (!turn.isCurrent()) return null;
		for (const warning of warnings) context.logger.warn(warning);
		const items = events.map((event) => toItem(event, reading.options));
		const others = accounts.filter((each) => each.account !== account).slice(0, MAX_ACCOUNTS - 1);
		storeState(
			context,
			{
				serial: Math.max(serial + 1, nowMs),
				accounts: [accountOf(cursor, nowMs), ...others],
				cursor,
			},
			items.length > 0,
		);
		// Until a poll finds the state, n8n may throw items away.
		if (items.length === 0) stopWaiting(context);
		markPolled(context);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const shown = toPollError(error, context.getNode(), await apiKeyRemover(context));
		if (!isForgiven(error, kind)) throw shown;
		markPolled(context);
		context.logger.warn(`The first poll failed and will be repeated: ${shown.message}`);
		return null;
	} finally {
		turn.end();
	}
}

const toItem = (event: ChargeEvent, options: ItemOptions): INodeExecutionData => ({
	json: eventItem(event, event.charge.record, options),
});

/** One event to build with: a manual execution, whose static data n8n never saves. */
async function fetchTestEvent(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	try {
		const { settings, fetchPage, deadlineMs, filters, options, nowMs } = await openReading(context);
		const cursor = firstCursor('', filters, nowMs);
		const list = new ChargeList(fetchPage, cursor, deadlineMs);
		return [[toItem(await findTestEvent(list, cursor, settings), options)]];
	} catch (error) {
		throw toPollError(error, context.getNode(), await apiKeyRemover(context));
	}
}

/**
 * @throws {InputError} for a parameter
 * @throws {CredentialError}
 */
async function openReading(context: IPollFunctions) {
	const settings = readSettings(context);
	const forReadingMs = readingMs(pollBudgetMs(context));
	const transport = await openTransport(context, {
		retryBudgetMs: forReadingMs * SHARE_FOR_RETRIES,
		settings: { timeout: REQUEST_TIMEOUT_MS },
	});
	const deadlineMs = clock.elapsed() + forReadingMs;
	return {
		settings,
		account: accountFingerprint(transport),
		filters: listFilters(settings.filters),
		fetchPage: chargePages(transport, settings.filters, deadlineMs),
		options: {
			...settings,
			apiKey: transport.apiKey,
			onTooDeep: unsearchedWarning((text) => context.logger.warn(text)),
		},
		nowMs: clock.now(),
		deadlineMs,
	};
}
