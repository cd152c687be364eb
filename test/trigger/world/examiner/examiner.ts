import type { IDataObject } from 'n8n-workflow';
import type { EventName } from '../../../../nodes/shared/records/recordEvents';
import type { Knowledge, PollResult } from '../n8n/host';
import { FROM_DATE_MS, type Filters, type Settings } from '../schedule';
import {
	LATER,
	LATER_EVENTS,
	eventIdOf,
	isInList,
	isLater,
	isWanted,
	statusOf,
	writtenMs,
} from '../service/charge';
import type { Charge } from '../service/charge';
import type { Service } from '../service/service';
import { DAY_MS, MINUTE_MS } from '../time';
import { MOST_AHEAD_MS, areTooMany, changedAfterLook, isExcused, isOfFirstSecond } from './excuses';
import type { Beginning } from './excuses';
import type { Verdict, Wrong } from './verdict';

/** The examiner's knowledge of a charge, besides the service's record. */
interface Standing {
	/** `old` must not be emitted as created; `free` can be, but doesn't have to be. */
	kind: 'new' | 'old' | 'free';
	/** Changes up to this sequence number must not be emitted, */
	oldUpTo: number;
	/** and changes after this one must be. */
	promisedFrom: number;
	/** When the trigger first read the charge. */
	servedAt?: number;
	/** Statuses with which the trigger read the charge. */
	looks: Array<{ readonly status: string; readonly sequence: number }>;
	/** Status that the charge kept throughout a poll that read it, if it was `old` or emitted as created by then. */
	knownWith?: string;
}

/** A field of an item as text; ids may be numbers. */
export const textOf = (item: IDataObject, name: string): string => {
	const value = item[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const NEVER = Number.POSITIVE_INFINITY;
/** Polls without failures after which a start is over. */
const POLLS_TO_BEGIN = 3;
/** Longer polls may not have had time for all pages. */
const LONG_MS = 8_000;

/** Derives the events that must and must not be emitted from what the service listed when. */
export class Examiner {
	readonly verdict: Verdict = {};
	readonly emitted = new Set<string>();
	readonly beginnings: Beginning[] = [];
	private readonly forgiven = new Set<string>();
	/** When the first poll began, if it failed. */
	private firstTried: Knowledge | undefined;
	private readonly standings = new Map<Charge, Standing>();
	private readonly byEventId = new Map<string, Charge>();
	/** True once a poll of a trigger that knew nothing has received its first page. */
	hasBegun = false;
	/** True if n8n started without a saved state: the next poll takes the listed charges as there before. */
	private nothingWasSaved = false;
	/** True until the first poll has read the page on which new charges appear. */
	private awaitsNewEnd = false;
	private cleanPolls = 0;

	constructor(
		public settings: Settings,
		readonly service: Service,
		/** Number of charges that the trigger can remember; 0 for the usual number. */
		readonly keys: number,
	) {}

	blame(wrong: Wrong, what: string): void {
		(this.verdict[wrong] ??= []).push(what);
	}

	private standingOf(charge: Charge): Standing {
		let standing = this.standings.get(charge);
		if (standing === undefined) {
			const { startFrom, filters } = this.settings;
			const isTooOld =
				startFrom === 'date' && writtenMs(charge, this.service.traits) < FROM_DATE_MS;
			// A charge that reaches a wanted status later is emitted then, however old it is. It may have reached it before it showed.
			const showedLater = charge.shownSequence > (this.beginnings[0]?.sequence ?? NEVER);
			const kindOfOld = showedLater && filters.statuses ? 'free' : 'old';
			const kind = isTooOld && isWanted(charge, filters) ? kindOfOld : 'new';
			standing = { kind, oldUpTo: 0, promisedFrom: 0, looks: [] };
			this.standings.set(charge, standing);
		}
		return standing;
	}

	private listed(): Charge[] {
		return this.service.charges.filter(({ isListed }) => isListed);
	}

	/** Called when a trigger that knows nothing receives its first page. */
	firstPage(): void {
		if (this.hasBegun) return;
		const { service, settings } = this;
		const { sequence, time } = service;
		this.hasBegun = true;
		const isFirst = this.beginnings.length === 0;
		for (const charge of this.listed()) {
			const standing = this.standingOf(charge);
			if (this.nothingWasSaved) this.free(charge);
			if (standing.promisedFrom === NEVER) standing.promisedFrom = sequence;
			if (!isFirst) continue;
			standing.promisedFrom = sequence;
			if (settings.startFrom !== 'now') continue;
			// Charges after a first poll that failed may be new: the process remembers that poll.
			const isAfterTry =
				charge.shownSequence > (this.firstTried?.fromSequence ?? sequence) ||
				this.isDatedAfterTry(charge);
			if (!isAfterTry) standing.oldUpTo = sequence;
			if (charge.defect !== null || isAfterTry) standing.kind = 'free';
			else if (isWanted(charge, settings.filters)) standing.kind = 'old';
		}
		this.nothingWasSaved = false;
		// A charge that comes in right after this page can be dated before the next page is read.
		this.begin(time.now + service.latencyMs + 1, true);
		this.awaitsNewEnd = true;
	}

	/** Called when a poll reads the page of new charges, which shows the service's clock as the trigger begins. */
	newEnd(): void {
		const beginning = this.beginnings.at(-1);
		if (!this.awaitsNewEnd || beginning === undefined) return;
		this.awaitsNewEnd = false;
		const { now, hostErrorMs } = this.service.time;
		beginning.upToMs = Math.max(beginning.upToMs, now + Math.max(0, hostErrorMs));
	}

	/** True if its date is after a first poll that failed, by the host's clock. */
	private isDatedAfterTry(charge: Charge): boolean {
		const { traits } = this.service;
		return writtenMs(charge, traits) > (this.firstTried?.hostAt ?? NEVER);
	}

	/** The trigger begins at this time, or with a newer charge that is within the usual error of a clock. */
	private begin(atMs: number, learns: boolean): void {
		const { sequence, time, traits } = this.service;
		const mostMs = time.now + time.hostErrorMs + MOST_AHEAD_MS;
		const dates = this.listed().map((charge) => writtenMs(charge, traits));
		const newestMs = Math.max(0, ...dates.filter((ms) => ms <= mostMs));
		const upToMs = Math.max(atMs + Math.max(0, time.hostErrorMs), newestMs);
		const { hostErrorMs } = time;
		this.beginnings.push({ upToMs, sequence, overSequence: NEVER, hostErrorMs, learns });
		this.cleanPolls = 0;
	}

	/** When the trigger last polled, as far as it can know. If its clock was ahead, its newest charge counts. */
	private polledAt({ at, hostAt }: Knowledge): number {
		const { time, traits } = this.service;
		if (hostAt <= time.now + time.hostErrorMs) return at;
		const seen = [...this.standings].filter(([, { servedAt }]) => servedAt !== undefined);
		const dates = seen.map(([charge]) => writtenMs(charge, traits)).filter((ms) => ms <= time.now);
		return dates.length === 0 ? time.now : Math.max(...dates);
	}

	/** Excuses all changes since the last look at a charge. */
	private beginAnew({ at }: Knowledge): void {
		for (const charge of this.listed()) {
			const standing = this.standingOf(charge);
			standing.promisedFrom = Math.max(standing.promisedFrom, this.service.sequence);
			delete standing.knownWith;
		}
		this.begin(at, false);
	}

	/** n8n starts without a saved state: all listed charges can be emitted, but don't have to be. */
	private forget(): void {
		this.hasBegun = false;
		for (const charge of this.listed()) this.free(charge);
	}

	private free(charge: Charge): void {
		const standing = this.standingOf(charge);
		delete standing.knownWith;
		if (standing.kind === 'new') standing.kind = 'free';
		standing.promisedFrom = NEVER;
	}

	/** n8n crashed: what only the process remembered is lost. */
	restart(saved: Knowledge | undefined): void {
		if (saved === undefined) {
			this.nothingWasSaved = true;
			this.forget();
			return;
		}
		for (const [charge, standing] of this.standings) {
			standing.looks = standing.looks.filter(({ sequence }) => sequence <= saved.toSequence);
			delete standing.knownWith;
			// The poll that made it old came after the save.
			if (standing.kind === 'old' && charge.shownSequence > saved.fromSequence)
				standing.kind = 'free';
		}
		// The saved state may have other filters, so that the trigger begins again.
		for (const beginning of this.beginnings) {
			if (beginning.sequence > saved.fromSequence) beginning.overSequence = NEVER;
		}
		this.cleanPolls = 0;
	}

	/** The state is lost: the trigger begins again, and charges of the last poll were there before. */
	damage(last: Knowledge | undefined): void {
		for (const standing of this.standings.values()) delete standing.servedAt;
		if (this.settings.startFrom === 'now') {
			for (const charge of this.listed()) {
				const isOld = charge.shownSequence <= (last?.fromSequence ?? 0) && charge.defect === null;
				if (isOld && isWanted(charge, this.settings.filters)) this.standingOf(charge).kind = 'old';
			}
		}
		this.forget();
	}

	/** Other filters: charges that only they show were there at the last poll. */
	change(next: Filters, knowledge: Knowledge | undefined): void {
		const { settings } = this;
		this.settings = { ...settings, filters: next };
		if (!this.hasBegun || knowledge === undefined) return;
		const last = { ...knowledge, at: this.polledAt(knowledge) };
		for (const charge of this.listed()) {
			if (!isInList(charge, next)) continue;
			// A charge that reaches a status of the new filter is emitted as created once more.
			const mayCome = !isWanted(charge, next) || this.hasChangedSince(charge, last);
			if (next.statuses && mayCome) this.forgiven.add(this.createdId(charge));
			const standing = this.standingOf(charge);
			if (standing.servedAt === undefined && writtenMs(charge, this.service.traits) > last.at)
				this.forgiven.add(this.createdId(charge));
			const isNewlyShown = !isInList(charge, settings.filters);
			const isNewlyWanted = isWanted(charge, next) && !isWanted(charge, settings.filters);
			if (isNewlyShown && standing.servedAt === undefined) standing.oldUpTo = last.fromSequence;
			if (isNewlyWanted) standing.kind = this.kindOfNewlyWanted(charge, last);
			// The charge may have reached one of the statuses since the last poll.
			else if (settings.filters.statuses && !next.statuses && charge.statuses.length > 1)
				this.free(charge);
			else if (this.isWaitingUnseen(charge, standing, last, settings)) standing.kind = 'free';
			// A charge may reach a status of another Status filter for the first time.
			const mayReach = !isWanted(charge, next) || (next.statuses && charge.statuses.length > 1);
			if (standing.kind === 'old' && mayReach) standing.kind = 'free';
		}
		this.beginAnew(last);
	}

	private hasChangedSince({ statuses }: Charge, last: Knowledge): boolean {
		return (statuses.at(-1)?.sequence ?? 0) > last.fromSequence;
	}

	private kindOfNewlyWanted(charge: Charge, last: Knowledge): Standing['kind'] {
		// The trigger may have read it with another status under earlier filters.
		if (charge.statuses.length > 1) return 'free';
		const wasCreated = writtenMs(charge, this.service.traits) <= last.at;
		if (charge.shownSequence > last.toSequence) return wasCreated ? 'free' : 'new';
		const wasRead = this.standingOf(charge).servedAt !== undefined && charge.defect === null;
		const wasThere = charge.shownSequence <= last.fromSequence && wasRead;
		return wasThere && this.settings.startFrom === 'now' ? 'old' : 'free';
	}

	/** The user enters another key: charges created up to the last poll, or a Lookback ago, count as listed before. */
	renew(last: Knowledge | undefined): void {
		if (!this.hasBegun || last === undefined) return;
		const { service, settings } = this;
		const lookbackAgo = service.time.now - settings.lookbackMinutes * MINUTE_MS;
		// Publishing and reading take time.
		const upToMs = Math.max(this.polledAt(last), lookbackAgo + LONG_MS);
		for (const charge of this.listed()) {
			const wasCreated = writtenMs(charge, service.traits) <= upToMs;
			if (wasCreated || charge.shownSequence <= last.toSequence) this.free(charge);
		}
		this.beginAnew({ ...last, at: upToMs });
	}

	/** Another account: charges created there long before the last poll are old. */
	changeAccount(charges: readonly Charge[], last: Knowledge | undefined): void {
		if (!this.hasBegun || last === undefined) return;
		const { startFrom, lookbackMinutes, filters } = this.settings;
		const recentMs = last.at - 3 * lookbackMinutes * MINUTE_MS;
		for (const charge of charges) {
			const isOld = startFrom === 'now' && charge.createdMs < recentMs && isWanted(charge, filters);
			const { sequence } = this.service;
			this.standings.set(charge, {
				kind: isOld ? 'old' : 'free',
				oldUpTo: isOld ? sequence : 0,
				promisedFrom: sequence,
				looks: [],
			});
		}
		this.beginAnew(last);
	}

	/** n8n died before saving: these events can be emitted again. */
	forgive({ items }: PollResult): void {
		for (const item of items) this.forgiven.add(textOf(item, 'event_id'));
	}

	endPoll(result: PollResult, pages: number): void {
		const { service } = this;
		if (!this.hasBegun) this.firstTried ??= result;
		this.awaitsNewEnd = false;
		for (const beginning of this.beginnings)
			if (beginning.overSequence === NEVER)
				beginning.hostErrorMs = Math.min(beginning.hostErrorMs, service.time.hostErrorMs);
		if (!result.isAccepted) return;
		const isClean = result.goodAnswers > 0 && !service.hasFailed && result.tookMs < LONG_MS;
		if (isClean) this.cleanPolls += 1;
		if (isClean && this.cleanPolls === POLLS_TO_BEGIN) {
			for (const beginning of this.beginnings)
				beginning.overSequence = Math.min(beginning.overSequence, service.sequence);
		}
		for (const item of result.items) this.examine(item);
		// Until the watched days were read once, the former states of their charges are unknown.
		const pollsToWatch = POLLS_TO_BEGIN + Math.ceil(pages / this.settings.sweepPages);
		const missing = this.missing();
		const waiting = new Set(missing.map(({ charge }) => charge));
		const hadRoom = result.items.length < this.settings.maxCharges;
		for (const charge of service.served) {
			this.standingOf(charge).servedAt ??= service.time.now;
			const { sequence = 0, learns } = this.beginnings.at(-1) ?? {};
			// If the trigger knew nothing of the list, new charges wait until it has begun.
			const pollsToLook = learns ? POLLS_TO_BEGIN : 0;
			const isThere = charge.shownSequence <= sequence;
			const isBeginning = this.cleanPolls < (isThere ? pollsToWatch : pollsToLook);
			// A waiting charge is emitted with its state at the time when there is room.
			if (isBeginning || charge.defect !== null || waiting.has(charge)) continue;
			const standing = this.standingOf(charge);
			const { looks } = standing;
			const status = statusOf(charge);
			const wasStable = (charge.statuses.at(-1)?.sequence ?? 0) <= result.fromSequence;
			const isDone = standing.kind === 'old' || this.emitted.has(this.createdId(charge));
			if (wasStable && isDone && hadRoom) standing.knownWith = status;
			if (looks.at(-1)?.status !== status) looks.push({ status, sequence: service.sequence });
		}
		if (areTooMany(missing.length + result.items.length, this.keys, service))
			for (const charge of this.listed()) this.free(charge);
	}

	private examine(item: IDataObject): void {
		const { settings, service } = this;
		const charge = this.find(textOf(item, 'id'));
		const event = item['event'] as EventName;
		const id = textOf(item, 'event_id');
		if (this.emitted.has(id) && !this.forgiven.delete(id)) this.blame('twice', id);
		this.emitted.add(id);
		const isAsked = settings.events.includes(event) && charge !== undefined;
		const { statuses } = settings.filters;
		const hasStatus = statuses?.includes(textOf(item, 'status')) ?? true;
		if (!isAsked || !hasStatus || !isInList(charge, settings.filters)) {
			this.blame('unwanted', id);
			return;
		}
		const { kind, oldUpTo, looks, knownWith } = this.standingOf(charge);
		// A change from one of the statuses to another only shows if the trigger read the charge before.
		const wasSeen = statuses === undefined || charge.statuses.length === 1 || looks.length > 0;
		if (id !== this.idOf(event, charge, item)) this.blame('unwanted', `${id} by its id`);
		if (event === 'charge.statusChanged' && knownWith === item['status'])
			this.blame('unwanted', `${id}: no change`);
		if (event === service.created && kind === 'old' && wasSeen) this.blame('old', id);
		const later = isLater(event) ? LATER[event] : undefined;
		const sequence = later
			? charge.refunds.find((_, at) => later.state(at + 1) === item[later.field])?.sequence
			: charge.statuses.find(({ name }) => name === item['status'])?.sequence;
		const isOld = event !== service.created && (sequence ?? 0) <= oldUpTo;
		if (isOld && charge.shownSequence < service.sequence) this.blame('old', id);
	}

	private idOf(event: EventName, charge: Charge, item: IDataObject): string {
		const id = `${event}:${eventIdOf(charge, this.service.traits)}`;
		if (event === this.service.created) return id;
		return `${id}:${textOf(item, isLater(event) ? LATER[event].field : 'status')}`;
	}

	private createdId(charge: Charge): string {
		return `${this.service.created}:${eventIdOf(charge, this.service.traits)}`;
	}

	private find(id: string): Charge | undefined {
		const { charges, traits } = this.service;
		for (const charge of charges.slice(this.byEventId.size))
			this.byEventId.set(eventIdOf(charge, traits), charge);
		return this.byEventId.get(id);
	}

	/** Events that must be emitted and were not, of charges that can be read. */
	missing(): Array<{ readonly id: string; readonly charge: Charge }> {
		if (!this.hasBegun) return [];
		const found: Array<{ id: string; charge: Charge }> = [];
		for (const charge of this.listed()) {
			const standing = this.standingOf(charge);
			if (standing.kind === 'free' || charge.defect !== null) continue;
			if (!isWanted(charge, this.settings.filters)) continue;
			for (const id of this.missingOf(charge, standing)) found.push({ id, charge });
		}
		return found;
	}

	private missingOf(charge: Charge, standing: Standing): string[] {
		const { settings, service, emitted } = this;
		const asks = (event: EventName) => settings.events.includes(event);
		const base = eventIdOf(charge, service.traits);
		const created = `${service.created}:${base}`;
		const status = `charge.statusChanged:${base}:${statusOf(charge)}`;
		// Looking for an excuse takes the longest, so it comes last.
		const isPromised = () =>
			standing.kind === 'new' && !isExcused(charge, this) && !this.isNeverShown(charge, standing);
		const isKnown = () => standing.kind === 'old' || isPromised();
		const ids: string[] = [];
		// If both events are chosen, a later status is emitted as a change.
		const isEither = asks('charge.statusChanged') && charge.statuses.length > 1;
		const isEmitted = emitted.has(created) || (isEither && emitted.has(status));
		if (asks(service.created) && !isEmitted && this.canBeCreated(charge, standing) && isPromised())
			ids.push(created);
		const isWatched = this.isWatched(charge);
		const mustShow = (change: { sequence: number; atMs: number } | undefined): boolean =>
			change !== undefined &&
			change.sequence > standing.promisedFrom &&
			!isOfFirstSecond(change.atMs, this);
		const wasAlwaysWanted = charge.statuses.every(
			({ name }) => settings.filters.statuses?.includes(name) ?? true,
		);
		const isRefundMissing =
			isWatched && wasAlwaysWanted && mustShow(charge.refunds.at(-1)) && isKnown();
		for (const name of isRefundMissing ? LATER_EVENTS : []) {
			const later = `${name}:${base}:${LATER[name].state(charge.refunds.length)}`;
			if (asks(name) && !emitted.has(later)) ids.push(later);
		}
		const isStatusMissing =
			asks('charge.statusChanged') &&
			!emitted.has(status) &&
			!ids.includes(created) &&
			isWatched &&
			mustShow(charge.statuses.at(-1)) &&
			changedAfterLook(charge, standing.looks) &&
			isKnown();
		if (isStatusMissing) ids.push(status);
		return ids;
	}

	/** True if it was never on the page that was read, since charges of one timestamp change places with each request. */
	private isNeverShown({ shownAt }: Charge, { servedAt = NEVER }: Standing): boolean {
		const lookbackMs = this.settings.lookbackMinutes * MINUTE_MS;
		return this.service.traits.tiesMove && servedAt - shownAt > lookbackMs;
	}

	/** True if it is new with its status, or reached it in the watched days. */
	private canBeCreated(charge: Charge, { oldUpTo }: Standing): boolean {
		const { startFrom, filters } = this.settings;
		const { statuses } = filters;
		if (statuses === undefined || charge.statuses.length === 1)
			return charge.shownSequence > oldUpTo || startFrom !== 'now';
		const before = charge.statuses.filter(({ name }) => !statuses.includes(name));
		const unwanted = charge.statuses.findIndex((status) => status === before.at(-1));
		const { sequence = 0, atMs = 0 } = charge.statuses[unwanted + 1] ?? {};
		return sequence > oldUpTo && this.isWatched(charge) && !isOfFirstSecond(atMs, this);
	}

	/** True if it is young enough for its changes to be found, with time for a round. */
	private isWatched({ createdMs }: Charge): boolean {
		const { now } = this.service.time;
		return createdMs > now - (this.settings.watchDays * DAY_MS) / 2;
	}

	/**
	 * True if the trigger can't see that a waiting charge matched the former filters. Rows show neither customer nor type, and
	 * a backlog of old charges is emitted by its position in the former list.
	 */
	private isWaitingUnseen(
		charge: Charge,
		{ kind }: Standing,
		last: Knowledge,
		{ filters, startFrom }: Settings,
	): boolean {
		const isHidden = filters.customerId !== undefined || filters.type !== undefined;
		const wasCreated = writtenMs(charge, this.service.traits) <= last.at;
		const wasThere = wasCreated || charge.shownSequence <= last.toSequence;
		return kind === 'new' && wasThere && (isHidden || startFrom !== 'now');
	}
}
