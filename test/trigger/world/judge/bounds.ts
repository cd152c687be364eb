import { isWatched } from '../../../../nodes/shared/records/chargeEvents';
import type { Defect } from '../schedule';
import { isTransient } from '../service/answers';
import type { Charge } from '../service/charge';
import type { PollResult } from '../n8n/host';
import { growsWithList, isByDate, servedSize } from '../service/traits';
import { HOUR_MS, MINUTE_MS } from '../time';
import { textOf, type Judge } from './judge';

const MAX_STATE_BYTES = 256_000;
/** And in a cheap world: for what is not a key, and for each charge of the window. */
const PLAIN_STATE_BYTES = 900;
const KEY_BYTES = 14;
/** For each watched charge that is not as most are. */
const FACT_BYTES = 30;
/** Each page a few times, and some more to find the end, or where requests are sent again. */
const READINGS = 3;
const SPARE_REQUESTS = 8;
/** The largest of the absurd counts that a list of a few hundred charges can have. */
const MOST_BELIEVED = 300;
const SPARE_OF_FAILURE = 12;
/** A charge that could be told has to be after so many polls, at once where the count shows that it came in, */
const FEW_POLLS = 4;
/** and else after so long: a wrong count may cost a reading in six hours. */
const SLOWEST = { polls: 8, ms: 7 * HOUR_MS };
const LONG_MS = 8_000;
/** What the trigger asks for. */
const ASKED_SIZE = 100;

/** All that the trigger may say to n8n's log. */
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

/** Laws 4, 5 and 6, poll by poll. */
export class Bounds {
	private readonly chances = new Map<Charge, { polls: number; since: number }>();
	private lastReadingAt = Number.NEGATIVE_INFINITY;
	private lastSequence = 0;
	private polls = 0;

	constructor(
		private readonly judge: Judge,
		private readonly isCheap: boolean,
	) {}

	/** @param together polls that ran at once, whose requests can't be told apart */
	check(result: PollResult, pages: readonly Charge[][], together: number): void {
		const { settings } = this.judge;
		const { items, requests, stateBytes, tookMs, budgetMs } = result;
		const unbounded = (isTooMuch: boolean, what: string) => {
			if (isTooMuch) this.judge.blame('unbounded', what);
		};
		const charges = new Set(items.map(({ id }) => id)).size;
		unbounded(charges > settings.maxCharges, `${charges} charges`);
		unbounded(stateBytes >= MAX_STATE_BYTES, `${stateBytes} bytes`);
		unbounded(tookMs > budgetMs, `${tookMs} ms`);
		const spare = this.judge.service.hasFailed ? SPARE_OF_FAILURE : SPARE_REQUESTS;
		// Where the last page is what is answered past the end, each reading takes it once more.
		const again = this.judge.service.traits.end === 'lastAgain' ? 1 : 0;
		// A wrong count that can be right costs the pages that it speaks of.
		const size = Math.max(1, pages[0]?.length ?? 1);
		const said = this.judge.service.hasMiscounted ? Math.ceil(MOST_BELIEVED / size) : 0;
		const most = together * (READINGS * (pages.length + again) + said + spare);
		unbounded(requests > most, `${requests} requests for ${pages.length} pages`);
		// Of polls that ran at once, nobody knows whose requests failed.
		if (together === 1) this.checkEnd(result);
		if (together === 1 && result.goodAnswers > 0) this.checkLog(result);
		this.checkOrder(result);
		if (result.isAccepted) this.checkDelay(result, pages);
		if (this.isCheap) this.checkCost(result);
	}

	private checkEnd({ end, items, error, kind, goodAnswers, requests, tookMs }: PollResult): void {
		const { service } = this.judge;
		const stuck = (what: string) => this.judge.blame('stuck', `${what}: ${error?.message ?? ''}`);
		if (end === 'items' && items.length === 0) stuck('an execution without items');
		// Where one answer takes all the time, the next poll begins with another page.
		const hadTime = tookMs < LONG_MS;
		if (end === 'nothing' && kind === 'tick' && hadTime && requests > 0 && goodAnswers === 0)
			stuck('no page came, and nobody was told');
		if (end !== 'threw') return;
		if (!service.hasFailed) stuck('it threw though nothing failed');
		else if (goodAnswers > 0) stuck('it threw though a page came');
		else if (kind === 'activation' && service.faults.every(isTransient))
			stuck('a first poll threw');
	}

	private checkLog({ end, warnings }: PollResult): void {
		for (const text of warnings)
			if (!LOG.some((known) => known.test(text))) this.judge.blame('unsaid', text);
		const { service, keys, settings } = this.judge;
		const { events, filters } = settings;
		if (end !== 'items' && end !== 'nothing') return;
		const says = (what: string) => warnings.some((text) => text.startsWith(what));
		const unsaid = (isWrong: boolean, what: string) => isWrong && this.judge.blame('unsaid', what);
		const has = (...of: Defect[]) => of.some((defect) => service.defects.has(defect));
		const hasRow = has('createdNull', 'createdText', 'noId', 'noRecord');
		unsaid(says('Rows without a readable ID or creation time: ') !== hasRow, 'rows');
		const asksForStatus = events.includes('charge.statusChanged') || filters.statuses !== undefined;
		const hasChange =
			(has('noStatus') && asksForStatus) ||
			(has('noRefundTotal') && events.includes('charge.refunded'));
		const saysChange = says('Charges whose status or refund_total can’t be read: ');
		// Those that wait for room are looked at later.
		const mayWait = settings.maxCharges < service.charges.length;
		unsaid(saysChange ? !hasChange : hasChange && !mayWait, 'changes');
		const saysFailed = says('A page of the list could not be read and will be read again: ');
		// A page behind the end may be answered by an error.
		const mayFail = service.hasFailed || service.traits.end === 500;
		unsaid(saysFailed ? !mayFail : service.hasBroken, 'page');
		unsaid(keys === 0 && says('Too many records'), 'too many');
	}

	private checkOrder({ items }: PollResult): void {
		let latest = 0;
		for (const item of items) {
			if (item['event'] !== this.judge.service.created) continue;
			const created = msOf(textOf(item, 'created'));
			if (created < latest) this.judge.blame('disordered', textOf(item, 'event_id'));
			latest = created;
		}
	}

	/** What stands on pages that can be read does not wait for ever. */
	private checkDelay(
		{ fromSequence, items, tookMs }: PollResult,
		pages: readonly Charge[][],
	): void {
		const { judge } = this;
		const { service, settings } = judge;
		const { now } = service.time;
		const missing = judge.missing();
		if (missing.length === 0) return;
		// The watched days are read page by page, and what moves may have to wait for the next time.
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
			if (isLate) judge.blame('late', id);
		}
	}

	private limits(): typeof SLOWEST {
		const { service, settings } = this.judge;
		const { count } = service.traits;
		// It may have to wait for room.
		if (settings.maxCharges < service.charges.length) return SLOWEST;
		const isCounted = growsWithList(service.traits);
		const lookbackMs = settings.lookbackMinutes * MINUTE_MS;
		// Until a round has met it, one that was counted before it could be read is taken for one that came in.
		const isTaken = ({ readableAt, shownAt }: Charge): boolean =>
			readableAt !== shownAt && service.time.now - readableAt < lookbackMs;
		if (isCounted && !service.charges.some(isTaken)) return { polls: FEW_POLLS, ms: 0 };
		// The next round finds it.
		const hasRounds = isCounted || count === 'absent' || count === 'null';
		return hasRounds ? { polls: FEW_POLLS, ms: lookbackMs } : SLOWEST;
	}

	/**
	 * “Idle: 1 request. k new charges: ceil(k / page size) + 1. Besides, once in half a lookback, one reading.” In a list that
	 * is not by date, new charges cost a reading of all of it; what is watched costs some pages more.
	 */
	private checkCost({ requests, at, stateBytes }: PollResult): void {
		const { service, settings, hasBegun } = this.judge;
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
			this.judge.blame('unbounded', `${stateBytes} bytes for ${inWindow} charges`);
		if (requests <= plain) return;
		const reading = Math.ceil((isSorted ? inWindow : service.charges.length) / size) + 1;
		const sinceMs = at - this.lastReadingAt;
		this.lastReadingAt = at;
		// The first polls begin, and read it all.
		if (!hasBegun || this.polls <= 4) return;
		const text = `${requests} requests for ${arrived} charges`;
		if (requests > plain + reading) this.judge.blame('dear', `${text} and ${reading} pages`);
		if (sinceMs < lookbackMs / 2 && (isSorted || arrived === 0))
			this.judge.blame('dear', `${text}, again after ${sinceMs / 1000} s`);
	}
}

/** Whether it is not as most are where a cheap world begins. */
const hasChanged = ({ statuses, refunds }: Charge): boolean =>
	statuses.length + refunds.length > 1 || statuses[0]?.name !== 'authorised';

const fails = (page: readonly Charge[] | undefined): boolean =>
	page?.some(({ poisonedAt }) => poisonedAt !== null) ?? false;

const msOf = (created: string): number =>
	Date.parse(/Z|\+\d\d:\d\d$/.test(created) ? created : `${created}Z`);
