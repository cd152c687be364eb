import type { IDataObject } from 'n8n-workflow';
import { refundTotal } from '../service/charge';
import type { ModelCharge } from '../service/charge';
import { textOf } from '../n8n/deliveries';
import type { Deliveries } from '../n8n/deliveries';
import type { Oracle } from './oracle';
import type { PollResult } from '../n8n/poll';
import { hasStatus, isWanted } from '../userChoices';
import type { TriggerSettings } from '../userChoices';
import type { Verdict } from './verdict';

/** Whether the trigger is to tell what happens to it, by its filters. */
const isShown = (charge: ModelCharge, settings: TriggerSettings): boolean =>
	hasStatus(charge, settings) && isWanted(charge, settings.filters);

/** The same for refunds and changes of status: each is told once, if it stands until somebody looks. */
export class ChangeOracle {
	/** The service's count of events when a charge was told as created. */
	private readonly toldAt = new Map<ModelCharge, number>();

	constructor(
		private readonly oracle: Oracle,
		private readonly deliveries: Deliveries,
		private readonly verdict: Verdict,
	) {}

	endPoll(result: PollResult): void {
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
		if (charge.refunds.length === 0 || charge.refundSequence <= life.baselineEndSequence) {
			return false;
		}
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
		if (charge.statusSequence <= life.baselineEndSequence) return false;
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
