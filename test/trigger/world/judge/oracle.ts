import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import type { ModelCharge } from '../service/charge';
import { textOf } from '../n8n/deliveries';
import type { Deliveries } from '../n8n/deliveries';
import {
	doubtsAtBeginning,
	hasTrueCount,
	hasFailingPage,
	isBlind,
	isByDate,
	isCountWrong,
	isDateless,
	isEndless,
	isNeverRead,
	isPageDenied,
	isUnsteady,
} from './doubts';
import { sideAfterChange } from './filterChange';
import { beginLife, forgetBaseline, interruptLife, keepPoll, showsNewEnd } from './life';
import type { Life } from './life';
import { Overflow } from './overflow';
import type { PollResult } from '../n8n/poll';
import type { ModelService } from '../service/service';
import { MINUTE_MS, SECOND_MS, START_MS } from '../time';
import { servedSize } from '../service/traits';
import {
	asksForStatuses,
	hasStatus,
	holdsAll,
	isWanted,
	lookbackMs,
	showsItself,
	watchMs,
} from '../userChoices';
import type { Choice, TriggerSettings, Tuning } from '../userChoices';
import type { Verdict } from './verdict';

/** Knows of the charges of one account what the trigger must tell, and what it may not (laws 1 and 3). */
export class Oracle {
	/** There when the trigger began, or when a filter that would have held them was set. */
	readonly old = new Set<ModelCharge>();
	/** Nobody can say whether they are to be told. */
	readonly grey = new Set<ModelCharge>();
	life: Life | undefined;
	readonly overflow: Overflow;
	/** Seen while Charge Created was not chosen, or another Status filter was: it need not be told as created. */
	private readonly passedOver = new Set<ModelCharge>();
	/** Since then changes are promised, though the filters were changed: the former list held all charges of the present one. */
	private watchedSince = Number.POSITIVE_INFINITY;
	/** By what was chosen, changes of status are promised since then, by the service's sequence. */
	statusesSince = 0;
	/** The service's sequence when other events or another Status filter were chosen last. */
	private chosenAt = 0;
	/** The service's sequence when the last poll ended. */
	private pollEndedAt = 0;
	private shortestWatchMs: number;
	/** Listed when a trigger began that is to tell everything. */
	private readonly backlog = new Set<ModelCharge>();
	private firstAnswer = Number.POSITIVE_INFINITY;
	private wasUnsteady = false;
	private hasOtherFilters = false;
	private hasLostState = false;
	/** The last poll that ended well told as many as it may. */
	private wasFull = false;
	private mayRemember = false;
	/** Of those that were ever chosen. */
	private shortestLookbackMs: number;
	private longestLookbackMs: number;
	private readonly byId = new Map<string, ModelCharge>();
	/** The date with which a charge may last have looked like a new one. */
	private readonly excused = new Map<ModelCharge, number>();

	constructor(
		public settings: TriggerSettings,
		readonly service: ModelService,
		private readonly deliveries: Deliveries,
		private readonly verdict: Verdict,
		keysKept?: number,
	) {
		this.overflow = new Overflow(keysKept);
		this.shortestLookbackMs = lookbackMs(settings);
		this.longestLookbackMs = lookbackMs(settings);
		this.shortestWatchMs = watchMs(settings);
	}

	/** Before a poll. `isSilent`: a state that can't be read begins a baseline, whatever Start From says. */
	beginPoll(knows: boolean, isSilent: boolean): void {
		if (this.life === undefined || !knows) this.begin(isSilent);
		this.overflow.beginPoll(this.service.sequence, this.service.time.now);
		this.mayRemember = false;
		this.firstAnswer = Number.POSITIVE_INFINITY;
		this.wasUnsteady = isUnsteady(this.service);
		this.service.onGoodAnswer = () => {
			this.firstAnswer = Math.min(this.firstAnswer, this.service.sequence);
			this.excuseMoved();
		};
	}

	/**
	 * A charge older than the lookback is no longer remembered, so that with another date it looks like one that comes in:
	 * once for each such date, from the answer on that may show it.
	 */
	private excuseMoved(): void {
		const { charges, time } = this.service;
		const forgottenMs = time.now - this.shortestLookbackMs;
		const moved = charges.filter(
			(charge) =>
				charge.firstCreatedMs < forgottenMs &&
				charge.createdMs !== (this.excused.get(charge) ?? charge.firstCreatedMs),
		);
		for (const charge of moved) this.excused.set(charge, charge.createdMs);
		this.deliveries.forgive(moved);
	}

	private begin(isSilent: boolean): void {
		this.watchedSince = Number.POSITIVE_INFINITY;
		const { startFrom } = this.settings;
		const listed = this.listed();
		this.hasLostState = this.life !== undefined;
		// What a former life left untold is gone with it.
		if (this.life !== undefined) for (const charge of listed) this.grey.add(charge);
		// What is away now nobody will know to have been there.
		const away = this.service.charges.filter(({ isListed }) => !isListed);
		this.deliveries.forgive(away);
		for (const charge of this.old) if (!charge.isListed) this.grey.add(charge);
		for (const charge of this.grey) this.old.delete(charge);
		// A trigger that knows nothing and is to tell everything tells it again.
		const isAgain = this.life !== undefined && startFrom !== 'now' && !isSilent;
		if (isAgain) this.deliveries.forgiveSince(0);
		for (const charge of listed) this.decideAtStart(charge, isSilent);
		// Nobody knows any more that it had a wanted status before.
		this.deliveries.forgive(listed.filter((charge) => !hasStatus(charge, this.settings)));
		// By a slow clock, what was told looks as if it came in now.
		const mayLookNew = (charge: ModelCharge) => this.mayLookNew(charge);
		this.deliveries.forgive(this.service.listed().filter(mayLookNew));
		const { service, life } = this;
		// What has happened since it was asked first is not old, if no poll has left a state behind.
		const isAskedAgain = life?.lastPollSequence === Number.POSITIVE_INFINITY;
		this.life = {
			...beginLife(service.time.now, service.sequence, this.mayRemember ? [] : service.listed()),
			...(isAskedAgain && { before: life.before }),
		};
	}

	private decideAtStart(charge: ModelCharge, isSilent: boolean): void {
		const { startFrom } = this.settings;
		if (!hasStatus(charge, this.settings)) this.old.delete(charge);
		if (this.grey.has(charge)) return;
		const isBefore = startFrom === 'date' && charge.createdMs < START_MS;
		if (startFrom === 'now' || isSilent || isBefore) {
			// A charge that is there with another status is told when it gets one of those that are wanted.
			if (hasStatus(charge, this.settings)) this.old.add(charge);
		} else this.backlog.add(charge);
	}

	listed(): ModelCharge[] {
		return this.service.listed().filter((charge) => isWanted(charge, this.settings.filters));
	}

	/** After a poll. `knows`: whether the next one can know of it. */
	endPoll(result: PollResult, knows: boolean): void {
		const { service, life } = this;
		this.pollEndedAt = service.sequence;
		if (life?.baselineEndSequence === Number.POSITIVE_INFINITY) this.doubtBeginning(life);
		// Of a poll whose items were thrown away nothing is kept either.
		const isGood = result.isAccepted || result.end === 'nothing';
		if (life !== undefined && isGood && knows && result.goodAnswers > 0) {
			this.wasFull = result.items.length >= this.settings.maxCharges;
			keepPoll(life, {
				firstAnswer: this.firstAnswer,
				sequence: service.sequence,
				now: service.time.now,
				tookMs: result.tookMs,
				isFaulty: service.faults.length > 0,
				pages: this.pages(),
				newestMs: this.newestMs(),
				isFull: this.wasFull,
				isHeldUp: this.wasFull && !hasTrueCount(service, this.settings.filters),
				fastMs: Math.max(0, service.time.hostErrorMs),
				hasUnreadable:
					isUnsteady(service) ||
					isEndless(service, this.settings.filters) ||
					service.lists.quirk !== undefined ||
					this.wasUnsteady ||
					service.listed().some(({ defect, isPoisoned }) => defect !== null || isPoisoned),
				hasArrivals: service.charges.some(({ shownSequence }) => shownSequence > this.firstAnswer),
				isCountWrong: isCountWrong(service),
				leftOutForMs:
					hasFailingPage(service) &&
					(service.time.hostErrorMs > 0 || !hasTrueCount(service, this.settings.filters))
						? this.longestLookbackMs / 2
						: 0,
			});
		}
		if (result.isAccepted) for (const item of result.items) this.look(item);
	}

	private doubtBeginning(life: Life): void {
		const { ofOld, ofArrivals, ofBacklog } = doubtsAtBeginning(
			this.service,
			life.beganSequence,
			this.pages(),
		);
		// A page that fails before one that lies behind the end looks like the end itself.
		const isEndOpen =
			this.service.lists.next !== 'present' && !hasTrueCount(this.service, this.settings.filters);
		const isEndGuessed = hasFailingPage(this.service) && isEndOpen;
		const isEndFalse = isPageDenied(this.service, this.settings.filters);
		if (ofOld || isEndFalse || (this.hasOtherFilters && isEndGuessed)) this.doubtSides();
		const hasMoved = this.service.orderSequence > life.beganSequence;
		if (ofBacklog || (hasMoved && this.hasOtherFilters)) this.backlog.clear();
		life.isDoubtful ||= ofArrivals;
		life.hasFailed ||= hasFailingPage(this.service);
		life.wasDateless ||= isDateless(this.service);
		// What can't be read is taken for something that was there.
		const unreadable = this.service.listed().filter(({ defect }) => defect !== null);
		this.deliveries.forgive(unreadable);
		for (const charge of unreadable) {
			this.grey.add(charge);
			this.old.delete(charge);
		}
	}

	private look(item: IDataObject): void {
		const charge = this.find(textOf(item['id']));
		if (charge === undefined) return;
		const id = textOf(item['event_id']);
		if (!isWanted(charge, this.settings.filters)) this.verdict.unwanted.push(id);
		// It may have moved behind the start date.
		const isSince = this.settings.startFrom === 'date' && charge.createdMs >= START_MS;
		// With another date, one that was too old to be remembered looks like one that comes in.
		const isMoved = charge.createdMs !== charge.firstCreatedMs;
		const isOld = this.old.has(charge) && !isSince && !isMoved && !this.mayLookNew(charge);
		if (item['event'] === 'charge.created' && isOld) this.verdict.old.push(id);
	}

	find(id: string): ModelCharge | undefined {
		const { charges } = this.service;
		for (let index = this.byId.size; index < charges.length; index++) {
			const charge = charges[index];
			if (charge !== undefined) this.byId.set(charge.id, charge);
		}
		return this.byId.get(id);
	}

	/** Whether a poll has ended well and left something to go on from. */
	get hasBegun(): boolean {
		return (this.life?.baselineSequence ?? Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY;
	}

	/** Pages of the whole list. */
	pages(): number {
		const { charges, lists } = this.service;
		const { quirk, pageSize } = lists;
		const size = quirk?.kind === 'resized' ? Math.min(...quirk.caps) : servedSize(pageSize, 100);
		return Math.ceil((charges.length * (quirk?.kind === 'twice' ? 2 : 1)) / size);
	}

	/** The same list, but other options. */
	tune(options: Tuning): void {
		this.settings = { ...this.settings, ...options };
		this.shortestLookbackMs = Math.min(this.shortestLookbackMs, lookbackMs(options));
		this.longestLookbackMs = Math.max(this.longestLookbackMs, lookbackMs(options));
	}

	/** Other events, another Status filter or other Watch Days. */
	choose(choice: Partial<Choice>): void {
		const { settings: before, service } = this;
		const settings = { ...before, ...choice };
		this.settings = settings;
		const { lastPollSequence: seenAt = 0, beganSequence = 0 } = this.life ?? {};
		this.shortestWatchMs = Math.min(this.shortestWatchMs, watchMs(settings));
		for (const charge of service.charges) {
			if (charge.shownSequence <= this.pollEndedAt) this.passedOver.add(charge);
			// It got its status after the last poll, or gets one of them later.
			const isChanged = charge.statuses.length > 1 && charge.statusSequence > seenAt;
			// Or before it, and no poll has come to it since.
			const event = `charge.statusChanged:${charge.id}:${charge.status}`;
			const isUnseen =
				asksForStatuses(before) &&
				charge.statusSequence > beganSequence &&
				!this.deliveries.told.has(event);
			if (isChanged || isUnseen || !hasStatus(charge, settings)) this.old.delete(charge);
		}
		this.chosenAt = service.sequence;
		if (isDeepStrictEqual(before.statuses, settings.statuses)) return;
		// It is told once more when it gets one of the statuses.
		this.deliveries.forgive(service.charges);
	}

	/** Since when every change is promised that stands until somebody looks, by the service's sequence. */
	get promisedSince(): number {
		return Math.min(this.watchedSince, this.life?.baselineEndSequence ?? Number.POSITIVE_INFINITY);
	}

	/** Other filters from now on. */
	changeSettings(next: TriggerSettings, worstErrorMs: number): void {
		this.hasOtherFilters = true;
		const { life, old, grey, service } = this;
		if (life !== undefined) {
			const change = { before: this.settings, next, life, worstErrorMs };
			// Not all of it was read, and nobody can say what.
			const isBeginning = life.baselineEndSequence === Number.POSITIVE_INFINITY;
			// Only for want of room: what was overtaken by others that left, the next reading would have found.
			const isByRoom =
				this.wasFull &&
				isByDate(service) &&
				showsNewEnd(life) &&
				service.leftSequence <= life.beganSequence;
			const waiting = (isByRoom ? this.missing() : []).filter(
				(charge) => isWanted(charge, next.filters) && charge.shownSequence <= life.lastPollSequence,
			);
			this.watchedSince = holdsAll(change.before.filters, next.filters)
				? this.promisedSince
				: Number.POSITIVE_INFINITY;
			if (isBeginning && (isUnsteady(service) || isCountWrong(service))) this.backlog.clear();
			forgetBaseline(life, service.sequence);
			life.beganAt = life.lastPollAt + worstErrorMs + 2 * SECOND_MS;
			for (const charge of service.charges) {
				// Nobody will know that it was there.
				if (!charge.isListed && old.delete(charge)) grey.add(charge);
				if (!charge.isListed) continue;
				// What the former filters left out is known as old by its date alone.
				const isKnown = old.has(charge) && isWanted(charge, change.before.filters);
				const side = isKnown ? undefined : sideAfterChange(charge, change);
				if (side !== undefined) old.delete(charge);
				if (side === 'old') old.add(charge);
				if (side === 'grey') grey.add(charge);
				// A state that was lost held its key.
				if (side === 'grey' && this.hasLostState) this.deliveries.forgive([charge]);
			}
			// The row shows that both have it.
			const isCounted = [this.settings, next].every(({ filters }) =>
				hasTrueCount(service, filters),
			);
			if (isCounted && showsItself(this.settings.filters))
				for (const charge of waiting) this.backlog.add(charge);
		}
		this.settings = next;
	}

	/** The state from before a change of filters is back: what the change made old came after that state. */
	forgetSides(): void {
		if (this.hasOtherFilters) this.doubtSides();
	}

	/** Nobody can say any more of what is old that it is. */
	private doubtSides(): void {
		this.watchedSince = Number.POSITIVE_INFINITY;
		this.deliveries.forgive(this.service.listed());
		for (const charge of this.old) this.grey.add(charge);
		this.old.clear();
	}

	/** Whether the charges that are listed show under another key that the account is the same: some it must know. */
	isRecognised(): boolean {
		const { life, service } = this;
		if (life === undefined || !isByDate(service) || hasFailingPage(service)) return false;
		// By a slow clock, what comes in seems to stand in no order, and without a count nothing else tells where it is.
		if (service.time.hostErrorMs < 0 && !hasTrueCount(service, this.settings.filters)) return false;
		// Those that are known may stand behind as many pages as it says there are.
		if (isCountWrong(service)) return false;
		const newest = this.newestMs();
		return this.listed().some(
			({ createdMs, defect, shownSequence }) =>
				defect === null &&
				shownSequence < life.lastPollSequence &&
				createdMs > newest - this.shortestLookbackMs &&
				createdMs <= newest,
		);
	}

	/** Nobody knows it any more, and what Start From says counts again. */
	beginAgain(): void {
		this.forgetListed();
		if (this.settings.startFrom !== 'now') this.old.clear();
		this.interrupt();
		this.deliveries.forgiveSince(0);
	}

	/** Another account was asked meanwhile. */
	interrupt(): void {
		if (this.life === undefined) return;
		for (const charge of this.service.listed()) if (!this.old.has(charge)) this.grey.add(charge);
		// By a slow clock, or dated ahead of time, it looks as if it came in since.
		const { lastPollAt } = this.life;
		const { time } = this.service;
		const mayLookNew = ({ createdMs }: ModelCharge) => createdMs > lastPollAt - time.worstErrorMs;
		this.deliveries.forgive(this.service.charges.filter(mayLookNew));
		interruptLife(this.life);
		this.watchedSince = Number.POSITIVE_INFINITY;
		if (this.settings.startFrom !== 'now') this.deliveries.forgiveSince(0);
	}

	/** Nobody knows any more what is to be told of what is listed: the process may go on from what it remembers, or begin. */
	forgetListed(): void {
		this.watchedSince = Number.POSITIVE_INFINITY;
		this.mayRemember = true;
		for (const charge of this.service.listed()) this.grey.add(charge);
	}

	/** What must have been told and was not. */
	missing(): ModelCharge[] {
		if (!this.settings.events.includes('charge.created')) return [];
		const { told } = this.deliveries;
		return this.service.charges.filter(
			(charge) =>
				!told.has(`charge.created:${charge.id}`) &&
				hasStatus(charge, this.settings) &&
				(charge.statuses.length === 1 || this.settings.statuses === null
					? !this.passedOver.has(charge) && this.isPromised(charge)
					: this.isStatusPromised(charge)),
		);
	}

	/** Whether a charge must be told, whatever its status. */
	isPromised(charge: ModelCharge): boolean {
		const { life, settings } = this;
		if (life === undefined || !charge.isListed || charge.defect !== null) return false;
		if (!isWanted(charge, settings.filters)) return false;
		if (this.old.has(charge) || this.grey.has(charge)) return false;
		if (this.mayHide(charge) || isBlind(this.service, settings.filters)) return false;
		// It moved to another place while the backlog was being read, or was gone for a while: it counts as come anew.
		const isStill = charge.createdMs === charge.firstCreatedMs && !charge.wasAway;
		if (this.backlog.has(charge) && isStill) return true;
		if (settings.startFrom === 'date' && charge.earliestCreatedMs < START_MS) return false;
		// It came before the trigger could know of anything.
		if (charge.shownSequence <= life.baselineSequence) return false;
		if (charge.shownAt - charge.earliestCreatedMs > this.shortestLookbackMs - SECOND_MS)
			return false;
		if (this.overflow.mayMiss(charge, this.writtenMs(charge))) return false;
		// Late, not created after the trigger began, while the baseline was being read.
		// Under a wrong count, what is dated within a second of the beginning is not sure to come after it.
		const isWrong = isCountWrong(this.service);
		// By a fast clock, two polls that overlap begin at one time of it, and end at another.
		const secondMs = isWrong || this.service.time.hostErrorMs > 0 ? SECOND_MS : 0;
		// Nothing but the clock tells, and it may have been put right since.
		const isByClock = !hasTrueCount(this.service, settings.filters);
		const closeMs = Math.max(secondMs, isByClock ? this.service.time.worstErrorMs : 0);
		const isDated = this.writtenMs(charge) <= life.beganAt + closeMs;
		const before = [...life.before.keys()].filter((each) => isWanted(each, settings.filters));
		// By a fast clock, where the count is too high, it looks as if it was there on a page that can't be read.
		if (isDated && isWrong && this.service.time.worstErrorMs > 0) return false;
		if (isDated && isNeverRead(this.service, before.length)) return false;
		// By a fast clock, it looks as if it was there when the filters were changed, until missing pages count as the end.
		const isEndOpen =
			this.service.lists.next !== 'present' && !hasTrueCount(this.service, settings.filters);
		if (isDated && this.hasOtherFilters && isEndOpen && this.service.time.hostErrorMs > 0)
			return false;
		const isBefore = life.isDoubtful || life.wasDateless || isDated;
		return !(isBefore && charge.shownSequence < life.baselineEndSequence);
	}

	private hasNewerBelow({ createdMs, shownSequence }: ModelCharge): boolean {
		return this.service.charges.some(
			(other) => other.shownSequence > shownSequence && other.createdMs < createdMs,
		);
	}

	/** By another date than at first it stands on the other side of the charge. */
	private hasOneMovedPast({ createdMs: ms }: ModelCharge): boolean {
		return this.service.charges.some(
			({ createdMs, firstCreatedMs }) => createdMs < ms !== firstCreatedMs < ms,
		);
	}

	private newestMs(): number {
		const { time, charges } = this.service;
		const present = time.now + time.worstErrorMs + 20 * MINUTE_MS;
		const dates = charges.map(({ createdMs }) => createdMs).filter((ms) => ms < present);
		return Math.max(0, ...dates);
	}

	/** Of a service that writes whole seconds, nobody can tell what came within one. */
	private writtenMs({ earliestCreatedMs: ms }: ModelCharge): number {
		return ['seconds', 'mixed'].includes(this.service.lists.timestamps)
			? Math.floor(ms / SECOND_MS) * SECOND_MS
			: ms;
	}

	/** Without a count only dates tell what was there: a slow clock, or a date ahead of time, puts a charge behind the beginning. */
	private mayLookNew({ createdMs }: ModelCharge): boolean {
		const { service, settings } = this;
		const { time } = service;
		const beganAt = this.life?.startedAt ?? time.now;
		const isDoubtful = this.life?.hasFailed === true || this.life?.wasDateless === true;
		const isShown = hasTrueCount(service, settings.filters) && !isDoubtful;
		return !isShown && createdMs > beganAt - time.worstErrorMs;
	}

	/** n8n died. */
	forgetBaseline(): void {
		this.watchedSince = Number.POSITIVE_INFINITY;
		if (this.life !== undefined) forgetBaseline(this.life, this.service.sequence);
	}

	/**
	 * A row that changes its place between two requests can hide from every reading: only one that began after the
	 * list became still is sure to see it.
	 */
	private mayHide({ createdMs, shownAt }: ModelCharge): boolean {
		const { settledAt, unsteadyOrder, charges } = this.service;
		if (settledAt === undefined || shownAt > settledAt - this.longestLookbackMs / 2) return false;
		return (
			unsteadyOrder === 'shuffled' ||
			charges.filter((charge) => charge.createdMs === createdMs).length > 1
		);
	}

	/** Under a Status filter: it came to its status later, within Watch Days. */
	private isStatusPromised(charge: ModelCharge): boolean {
		const { settings, life } = this;
		// With it, what comes later is told as a change.
		if (settings.events.includes('charge.statusChanged')) return false;
		if (life === undefined || this.old.has(charge)) return false;
		if (
			charge.statusSequence <= Math.max(life.baselineEndSequence, this.chosenAt, this.statusesSince)
		)
			return false;
		// It had one of the statuses before, when others were asked for.
		const isFirst = !charge.statuses.slice(0, -1).some((each) => settings.statuses?.includes(each));
		if (this.passedOver.has(charge) && !isFirst) return false;
		return this.isWatched(charge) && (this.isPromised(charge) || this.wasThere(charge));
	}

	/** It was there when the trigger began, and has been since. */
	wasThere(charge: ModelCharge): boolean {
		return (
			this.life?.before.has(charge) === true &&
			charge.isListed &&
			!charge.wasAway &&
			charge.defect === null &&
			!this.grey.has(charge) &&
			isWanted(charge, this.settings.filters)
		);
	}

	/** Young enough for its changes to be found, whatever the newest charge is. */
	isWatched(charge: ModelCharge): boolean {
		const { now } = this.service.time;
		if (this.overflow.mayStopWatching(charge, this.service.charges)) return false;
		return charge.earliestCreatedMs > now - this.shortestWatchMs / 2 && charge.createdMs <= now;
	}

	/** Whether charges were there when it began whose dates show at which end of the list new ones come in. */
	private get hasShownItsEnd(): boolean {
		const before = [...(this.life?.before.keys() ?? [])];
		return new Set(before.map(({ createdMs }) => createdMs)).size > 1;
	}

	/** The last word, when there was time enough for everything. */
	close(): void {
		for (const charge of this.missing()) {
			const since = charge.readableAt - charge.earliestCreatedMs;
			const wasUnread = since > this.shortestLookbackMs - SECOND_MS;
			// Where others come in below it or leave, or in no order by date, only the lookback shows that it is new.
			const hasMoved =
				!this.hasShownItsEnd ||
				this.hasNewerBelow(charge) ||
				this.hasOneMovedPast(charge) ||
				this.service.leftSequence > charge.shownSequence;
			if (wasUnread && (!isByDate(this.service) || hasMoved)) continue;
			(wasUnread ? this.verdict.unread : this.verdict.lost).push(charge.id);
		}
	}
}
