import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import { refundTotal } from '../service/charge';
import type { ModelCharge } from '../service/charge';
import { textOf } from '../n8n/deliveries';
import type { Deliveries } from '../n8n/deliveries';
import type { Oracle } from './oracle';
import type { PollResult } from '../n8n/poll';
import { hasFailingPage } from './doubts';
import { SECOND_MS } from '../time';
import { asksForStatuses, hasStatus, holdsAll, isWanted, isWatching } from '../userChoices';
import type { Choice, EventName, TriggerSettings } from '../userChoices';
import type { Verdict } from './verdict';

const NEVER = Number.POSITIVE_INFINITY;
/** A poll that takes longer may not have had time for all. */
const LONG_MS = 8 * SECOND_MS;
/** Charges come in and move others to the next pages, and a page may be read in vain. */
const SPARE_POLLS = 4;

/** Whether the trigger is to tell what happens to it, by its filters. */
const isShown = (charge: ModelCharge, settings: TriggerSettings): boolean =>
	hasStatus(charge, settings) && isWanted(charge, settings.filters);

/** The same for refunds and changes of status: each is told once, if it stands until somebody looks. */
export class ChangeOracle {
	/** The service's count of events when a charge was told as created. */
	private readonly toldAt = new Map<ModelCharge, number>();
	/** By the same count, since when refunds are promised by what was chosen. */
	private refundsSince = 0;
	/** Polls with time for all that are to come before that is so, where they were not watched before. */
	private pollsToSettle = 0;

	constructor(
		private readonly oracle: Oracle,
		private readonly deliveries: Deliveries,
		private readonly verdict: Verdict,
	) {}

	/** Other events, another Status filter or other Watch Days. */
	choose(choice: Partial<Choice>): void {
		const { settings: before, service } = this.oracle;
		this.oracle.choose(choice);
		const { settings } = this.oracle;
		const isNew = isWatching(settings) && !isWatching(before);
		const areStatusesNew = asksForStatuses(settings) && !asksForStatuses(before);
		const hasOtherStatuses = !isDeepStrictEqual(settings.statuses, before.statuses);
		const asked = (event: EventName) => !before.events.includes(event) || hasOtherStatuses;
		if (asked('charge.refunded')) this.refundsSince = Math.max(this.refundsSince, service.sequence);
		if (asked('charge.statusChanged'))
			this.oracle.statusesSince = Math.max(this.oracle.statusesSince, service.sequence);
		if (isNew) this.refundsSince = NEVER;
		if (isNew || areStatusesNew) {
			this.oracle.statusesSince = NEVER;
			this.pollsToSettle = Math.ceil(this.oracle.pages() / settings.sweepPages) + SPARE_POLLS;
		}
	}

	/** Other filters: of charges that the former ones left out, and of things without a date, only a round tells more. */
	changeFilters(next: TriggerSettings, worstErrorMs: number): void {
		const { settings, service } = this.oracle;
		const isPlain = service.lists.isUndated !== true || holdsAll(settings.filters, next.filters);
		this.oracle.changeSettings(next, worstErrorMs);
		if (!isPlain) this.unsettle();
	}

	private unsettle(): void {
		const { settings } = this.oracle;
		this.refundsSince = NEVER;
		this.oracle.statusesSince = NEVER;
		this.pollsToSettle = Math.ceil(this.oracle.pages() / settings.sweepPages) + SPARE_POLLS;
	}

	/** All charges were looked at since they are watched. */
	private settle({ tookMs, goodAnswers, items, end }: PollResult): void {
		const { service, settings } = this.oracle;
		const isClear =
			end !== 'threw' &&
			goodAnswers > 0 &&
			tookMs < LONG_MS &&
			items.length < settings.maxCharges &&
			!hasFailingPage(service);
		if (!isClear || (this.pollsToSettle -= 1) > 0) return;
		if (this.refundsSince === NEVER) this.refundsSince = service.sequence;
		if (this.oracle.statusesSince === NEVER) this.oracle.statusesSince = service.sequence;
	}

	endPoll(result: PollResult): void {
		this.settle(result);
		if (!result.isAccepted) return;
		for (const item of result.items) this.look(item);
	}

	private look(item: IDataObject): void {
		const charge = this.oracle.find(textOf(item['id']));
		if (charge === undefined) return;
		const before = this.oracle.life?.before.get(charge);
		const id = textOf(item['event_id']);
		if (item['event'] === 'charge.created') {
			this.toldAt.set(charge, this.oracle.service.sequence);
		} else if (before !== undefined && this.isSilentAtStart()) {
			const isOldRefund =
				item['event'] === 'charge.refunded' &&
				before.refunds > 0 &&
				item['refund_total'] === refundTotal({ refunds: charge.refunds.slice(0, before.refunds) });
			const isOldStatus =
				item['event'] === 'charge.statusChanged' &&
				item['status'] === before.status &&
				charge.statuses.filter((status) => status === before.status).length === 1;
			if (isOldRefund || isOldStatus) this.verdict.old.push(id);
		}
	}

	private isSilentAtStart(): boolean {
		return this.oracle.settings.startFrom === 'now';
	}

	/** The ids of events that must have been told and were not. */
	missing(): string[] {
		const { settings, service } = this.oracle;
		const { told } = this.deliveries;
		const ids: string[] = [];
		for (const charge of service.charges) {
			if (!this.oracle.isWatched(charge) || !isShown(charge, settings)) continue;
			const refund = `charge.refunded:${charge.id}:${refundTotal(charge)}`;
			if (this.isRefundPromised(charge) && !told.has(refund)) ids.push(refund);
			const status = `charge.statusChanged:${charge.id}:${charge.status}`;
			if (this.isStatusPromised(charge) && !told.has(status)) ids.push(status);
		}
		return ids;
	}

	private isRefundPromised(charge: ModelCharge): boolean {
		const { settings, life } = this.oracle;
		if (life === undefined || !settings.events.includes('charge.refunded')) return false;
		const since = Math.max(this.oracle.promisedSince, this.refundsSince);
		if (charge.refunds.length === 0 || charge.refundSequence <= since) return false;
		// Refunded while the Status filter left it out: nobody was to hear of it.
		if (!charge.statuses.every((status) => settings.statuses?.includes(status) ?? true))
			return false;
		return this.oracle.wasThere(charge) || this.oracle.isPromised(charge);
	}

	/** It was seen with another status, and never had this one before. */
	private isStatusPromised(charge: ModelCharge): boolean {
		const { settings, life } = this.oracle;
		if (life === undefined || !settings.events.includes('charge.statusChanged')) return false;
		const { statuses, status } = charge;
		if (statuses.length === 1 || statuses.indexOf(status) !== statuses.length - 1) return false;
		if (charge.statusSequence <= Math.max(this.oracle.promisedSince, this.oracle.statusesSince))
			return false;
		const toldAt = this.toldAt.get(charge);
		return this.oracle.wasThere(charge)
			? true
			: toldAt !== undefined &&
					toldAt < charge.statusSequence &&
					charge.isListed &&
					!charge.wasAway;
	}

	close(): void {
		this.verdict.lost.push(...this.missing());
	}
}
