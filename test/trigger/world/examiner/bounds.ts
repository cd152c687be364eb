import { isWatched } from '../../../../nodes/shared/records/chargeEvents';
import type { Defect } from '../schedule';
import { isTransient } from '../service/answers';
import type { Charge } from '../service/charge';
import type { PollResult } from '../n8n/host';
import { growsWithList, isByDate, servedSize } from '../service/traits';
import { HOUR_MS, MINUTE_MS } from '../time';
import { textOf, type Examiner } from './examiner';

const MAX_STATE_BYTES = 256_000;
/** Largest state in a cheap world: bytes for all but the keys, and bytes for the key of each recent charge. */
const PLAIN_STATE_BYTES = 900;
const KEY_BYTES = 14;
/** Bytes for each watched charge whose status or refunds differ from most. */
const FACT_BYTES = 30;
/** How often a poll can read each page, and requests besides, to find the end or to retry. */
const READINGS = 3;
const SPARE_REQUESTS = 8;
/** Largest absurd count that is plausible for a list of a few hundred charges. */
const MAX_BELIEVED = 300;
const SPARE_OF_FAILURE = 12;
/** Polls after which an event must have been emitted if the count shows a new charge. */
const FEW_POLLS = 4;
/** Polls and time in all other cases: a wrong count can lead to one reading in six hours. */
const SLOWEST = { polls: 8, ms: 7 * HOUR_MS };
const LONG_MS = 8_000;
/** Page size that the trigger requests. */
const ASKED_SIZE = 100;

/** All warnings of the trigger in n8n's log. */
const LOG = [
	/^Rows without a readable ID or creation time: [1-9]\d*\. /,
	/^Charges whose status or refund_total can’t be read: [1-9]\d*\. /,
	/^A page of the list could not be read and will be read again: (\d{3}|[a-z]\w+)$/,
	/^Too many records within 'Lookback': a record created before .* UTC that is listed late /,
	/^Too many charges were refunded or changed status: /,
	/^The API key was changed: the Payment Collection Trigger skips records created from /,
	/^The stored state of the Payment Collection Trigger is damaged /,
	/^n8n has no stored state of the Payment Collection Trigger /,
	/^The first poll failed and will be repeated: /,
];

/** Checks laws 4, 5 and 6 after each poll. */
export class Bounds {
	private readonly chances = new Map<Charge, { polls: number; since: number }>();
	private lastReadingAt = Number.NEGATIVE_INFINITY;
	private lastSequence = 0;
	private polls = 0;

	constructor(
		private readonly examiner: Examiner,
		private readonly isCheap: boolean,
	) {}

	/** @param together number of polls that ran at once, whose requests can't be separated */
	check(result: PollResult, pages: readonly Charge[][], together: number): void {
		const { settings } = this.examiner;
		const { items, requests, stateBytes, tookMs, budgetMs } = result;
		const unbounded = (isTooMuch: boolean, what: string) => {
			if (isTooMuch) this.examiner.blame('unbounded', what);
		};
		const charges = new Set(items.map(({ id }) => id)).size;
		unbounded(charges > settings.maxCharges, `${charges} charges`);
		unbounded(stateBytes >= MAX_STATE_BYTES, `${stateBytes} bytes`);
		unbounded(tookMs > budgetMs, `${tookMs} ms`);
		const spare = this.examiner.service.hasFailed ? SPARE_OF_FAILURE : SPARE_REQUESTS;
		// If pages past the end repeat the last page, each reading receives it once more.
		const again = this.examiner.service.traits.end === 'lastAgain' ? 1 : 0;
		// A plausible wrong count costs requests for the pages that it claims.
		const size = Math.max(1, pages[0]?.length ?? 1);
		const said = this.examiner.service.hasMiscounted ? Math.ceil(MAX_BELIEVED / size) : 0;
		const most = together * (READINGS * (pages.length + again) + said + spare);
		unbounded(requests > most, `${requests} requests for ${pages.length} pages`);
		// If polls ran at once, failed requests can't be assigned to one of them.
		if (together === 1) this.checkEnd(result);
		if (together === 1 && result.goodAnswers > 0) this.checkLog(result);
		this.checkOrder(result);
		if (result.isAccepted) this.checkDelay(result, pages);
		if (this.isCheap) this.checkCost(result);
	}

	private checkEnd({ end, items, error, kind, goodAnswers, requests, tookMs }: PollResult): void {
		const { service } = this.examiner;
		const stuck = (what: string) =>
			this.examiner.blame('stuck', `${what}: ${error?.message ?? ''}`);
		if (end === 'items' && items.length === 0) stuck('an execution without items');
		// If one response takes all the time, the next poll begins with another page.
		const hadTime = tookMs < LONG_MS;
		if (end === 'nothing' && kind === 'tick' && hadTime && requests > 0 && goodAnswers === 0)
			stuck('no page came, and no error was shown');
		if (end !== 'threw') return;
		if (!service.hasFailed) stuck('it threw though nothing failed');
		else if (goodAnswers > 0) stuck('it threw though a page came');
		else if (kind === 'activation' && service.faults.every(isTransient))
			stuck('a first poll threw');
	}

	private checkLog({ end, warnings }: PollResult): void {
		for (const text of warnings)
			if (!LOG.some((known) => known.test(text))) this.examiner.blame('unsaid', text);
		const { service, keys, settings } = this.examiner;
		const { events, filters } = settings;
		if (end !== 'items' && end !== 'nothing') return;
		const says = (what: string) => warnings.some((text) => text.startsWith(what));
		const unsaid = (isWrong: boolean, what: string) =>
			isWrong && this.examiner.blame('unsaid', what);
		const has = (...of: Defect[]) => of.some((defect) => service.defects.has(defect));
		const hasRow = has('createdNull', 'createdText', 'noId', 'noRecord');
		unsaid(says('Rows without a readable ID or creation time: ') !== hasRow, 'rows');
		const asksForStatus = events.includes('charge.statusChanged') || filters.statuses !== undefined;
		const hasChange =
			(has('noStatus') && asksForStatus) ||
			(has('noRefundTotal') && events.includes('charge.refunded'));
		const saysChange = says('Charges whose status or refund_total can’t be read: ');
		// Charges that wait for room are read later.
		const mayWait = settings.maxCharges < service.charges.length;
		unsaid(saysChange ? !hasChange : hasChange && !mayWait, 'changes');
		const saysFailed = says('A page of the list could not be read and will be read again: ');
		// A page past the end may be answered with an error.
		const mayFail = service.hasFailed || service.traits.end === 500;
		unsaid(saysFailed ? !mayFail : service.hasPoisonedPage, 'page');
		unsaid(keys === 0 && says('Too many records'), 'too many');
	}

	private checkOrder({ items }: PollResult): void {
		let latest = 0;
		for (const item of items) {
			if (item['event'] !== this.examiner.service.created) continue;
			const created = msOf(textOf(item, 'created'));
			if (created < latest) this.examiner.blame('disordered', textOf(item, 'event_id'));
			latest = created;
		}
	}

	/** Fails if an event on readable pages waits too long. */
	private checkDelay(
		{ fromSequence, items, tookMs }: PollResult,
		pages: readonly Charge[][],
	): void {
		const { examiner } = this;
		const { service, settings } = examiner;
		const { now } = service.time;
		const missing = examiner.missing();
		if (missing.length === 0) return;
		// The watched days are read page by page, and charges that move may be read only the next time.
		const sweeps = 2 * Math.ceil(pages.length / settings.sweepPages);
		const isFull = new Set(items.map(({ id }) => id)).size >= settings.maxCharges;
		const isOdd = service.faults.length > 0 || service.miscount !== undefined;
		const canFail = isOdd || tookMs > LONG_MS || service.traits.tiesMove;
		const failing = new Set(pages.filter(fails).flat());
		const isEndFailing = pages.length > 0 && (fails(pages[0]) || fails(pages.at(-1)));
		if (isFull || canFail || isEndFailing) return;
		for (const { charge, id } of missing) {
			if (charge.shownSequence > fromSequence || failing.has(charge)) continue;
			const chance = this.chances.get(charge) ?? { polls: 0, since: now };
			chance.polls += 1;
			this.chances.set(charge, chance);
			const isNew = id.startsWith(service.created) && settings.filters.statuses === undefined;
			const { polls, ms } = isNew ? this.limits() : SLOWEST;
			const isLate = chance.polls > polls + (isNew ? 0 : sweeps) && now - chance.since >= ms;
			if (isLate) examiner.blame('late', id);
		}
	}

	private limits(): typeof SLOWEST {
		const { service, settings } = this.examiner;
		const { count } = service.traits;
		// The event may have to wait for room.
		if (settings.maxCharges < service.charges.length) return SLOWEST;
		const isCounted = growsWithList(service.traits);
		const lookbackMs = settings.lookbackMinutes * MINUTE_MS;
		// A charge that was counted before it could be read hides a new one from the count until a round reads it.
		const hidesOne = ({ readableAt, shownAt }: Charge): boolean =>
			readableAt !== shownAt && service.time.now - readableAt < lookbackMs;
		if (isCounted && !service.charges.some(hidesOne)) return { polls: FEW_POLLS, ms: 0 };
		// The next round finds the charge.
		const hasRounds = isCounted || count === 'absent' || count === 'null';
		return hasRounds ? { polls: FEW_POLLS, ms: lookbackMs } : SLOWEST;
	}

	/**
	 * “Idle: 1 request. k new charges: ceil(k / page size) + 1. Besides, once in half a lookback, one reading.” In a list that
	 * is not by date, new charges cost a reading of all of it; what is watched costs some pages more.
	 */
	private checkCost({ requests, at, stateBytes }: PollResult): void {
		const { service, settings, hasBegun } = this.examiner;
		const isNew = ({ shownSequence }: Charge) => shownSequence > this.lastSequence;
		const arrived = service.charges.filter(isNew).length;
		this.lastSequence = service.sequence;
		this.polls += 1;
		const size = servedSize(service.traits, ASKED_SIZE);
		const { events, filters, sweepPages } = settings;
		const isWatching = events.some(isWatched) || filters.statuses !== undefined;
		const watched = isWatching ? sweepPages : 0;
		const plain = watched + (arrived === 0 ? 1 : Math.ceil(arrived / size) + 1);
		const isSorted = isByDate(service.traits);
		const lookbackMs = settings.lookbackMinutes * MINUTE_MS;
		const newestMs = Math.max(...service.charges.map(({ createdMs }) => createdMs));
		const from = Math.min(at, newestMs) - 2.5 * lookbackMs;
		const { length: inWindow } = service.charges.filter(({ createdMs }) => createdMs >= from);
		const changed = service.charges.filter(hasChanged).length;
		const most = PLAIN_STATE_BYTES + KEY_BYTES * inWindow + (isWatching ? FACT_BYTES * changed : 0);
		if (stateBytes > most)
			this.examiner.blame('unbounded', `${stateBytes} bytes for ${inWindow} charges`);
		if (requests <= plain) return;
		const reading = Math.ceil((isSorted ? inWindow : service.charges.length) / size) + 1;
		const sinceMs = at - this.lastReadingAt;
		this.lastReadingAt = at;
		// The first polls read the whole list.
		if (!hasBegun || this.polls <= 4) return;
		const text = `${requests} requests for ${arrived} charges`;
		if (requests > plain + reading) this.examiner.blame('dear', `${text} and ${reading} pages`);
		if (sinceMs < lookbackMs / 2 && (isSorted || arrived === 0))
			this.examiner.blame('dear', `${text}, again after ${sinceMs / 1000} s`);
	}
}

/** True if its status or refunds differ from most charges of a cheap world. */
const hasChanged = ({ statuses, refunds }: Charge): boolean =>
	statuses.length + refunds.length > 1 || statuses[0]?.name !== 'authorised';

const fails = (page: readonly Charge[] | undefined): boolean =>
	page?.some(({ poisonedAt }) => poisonedAt !== null) ?? false;

const msOf = (created: string): number =>
	Date.parse(/Z|\+\d\d:\d\d$/.test(created) ? created : `${created}Z`);
