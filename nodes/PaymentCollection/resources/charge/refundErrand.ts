import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../../../shared/failures';
import { compareAmounts } from '../../../shared/money';
import type { Item } from '../../run/item';
import { WriteMemory } from '../../run/writeMemory';
import type { WriteSlot } from '../../run/writeMemory';
import type { ChargeBalance } from './chargeBalance';
import { changedMeanwhile, earlierRefundOpen, outcomeDropped } from './refundErrors';
import { noteRefund, noteSettled, notesOf } from './refundNotes';
import type { ChargeNotes } from './refundNotes';
import { refundResult } from './refundResult';
import { settleRefund } from './settleRefund';
import type { Finding, UnsettledRefund } from './settleRefund';

const outcomes = new WriteMemory<UnsettledRefund>();

/** One item's refund and what is known of it, over all tries of Retry On Fail. */
export class RefundErrand {
	readonly notes: ChargeNotes;

	constructor(
		private readonly item: Item,
		private readonly slot: WriteSlot,
		private readonly chargeId: string,
	) {
		this.notes = notesOf(item.execution, chargeId);
	}

	/**
	 * The record of this refund when an earlier try has sent it; undefined when none has.
	 *
	 * @throws {ReportedError} when it was sent and not carried out, or nobody knows
	 */
	async earlierTry(): Promise<IDataObject | undefined> {
		const known = outcomes.recall(this.slot);
		if (known === undefined) return undefined;
		if (known.state === 'done') return known.result;
		if (known.state === 'dropped') throw outcomeDropped(this.chargeId);
		return await this.settle(known.about);
	}

	/**
	 * Another refund of this charge in this execution may still be on its way: with a second one, more might be
	 * refunded than the charge has, and nobody could tell the two apart.
	 */
	async settleOthers(): Promise<void> {
		if (this.notes.unsettled === undefined) return;
		const { slot, refund } = this.notes.unsettled;
		const other = new RefundErrand(this.item, slot, this.chargeId);
		if ((await other.lookAgain(refund)).state === 'unknown') throw earlierRefundOpen(this.chargeId);
	}

	/** The refund is out, or may be: nothing but a finding about it makes another one possible. */
	open(refund: UnsettledRefund): void {
		outcomes.remember(this.slot, { state: 'unknown', about: refund });
		this.notes.unsettled = { slot: this.slot, refund };
	}

	/** The refund was carried out. */
	close({ amount }: UnsettledRefund, after: ChargeBalance, message: string): IDataObject {
		const result = refundResult(after, amount, message);
		noteRefund(this.notes, amount, after);
		noteSettled(this.notes, this.slot);
		outcomes.remember(this.slot, { state: 'done', result });
		return result;
	}

	/** The refund was certainly not carried out and may be sent again. */
	release(): void {
		noteSettled(this.notes, this.slot);
		outcomes.forget(this.slot);
	}

	/** @returns the record when it was carried out @throws {ReportedError} when it was not, or nobody knows */
	async settle(refund: UnsettledRefund): Promise<IDataObject> {
		const finding = await this.lookAgain(refund);
		if (finding.state === 'refunded') return finding.result;
		throw finding.error;
	}

	/**
	 * Before the refund goes out again after a 429: the wait may have been long, and what was checked before the
	 * first time must still be so.
	 */
	async stopIfChanged(refund: UnsettledRefund, failure: Failure): Promise<void> {
		const refused = { ...refund, failure };
		const finding = await settleRefund(this.item.transport, this.notes, refused);
		if (finding.state === 'unknown') {
			this.open(refused);
			throw finding.error;
		}
		const { after } = finding;
		if (after !== undefined && compareAmounts(after.refunded, refund.before.refunded) === 0) return;
		throw finding.state === 'notRefunded' && after === undefined
			? finding.error
			: changedMeanwhile(this.chargeId);
	}

	/** Finds out what became of a refund that was not confirmed, and keeps it. */
	private async lookAgain(
		refund: UnsettledRefund,
	): Promise<
		| { readonly state: 'refunded'; readonly result: IDataObject }
		| Exclude<Finding, { state: 'refunded' }>
	> {
		const finding = await settleRefund(this.item.transport, this.notes, refund);
		if (finding.state === 'refunded') {
			const message =
				'Refunded: the answer was lost, and reading the charge again shows the refund.';
			return { state: 'refunded', result: this.close(refund, finding.after, message) };
		}
		if (finding.state === 'notRefunded') {
			if (refund.failure?.notExecuted === true) this.release();
			// A failure of the service is no refusal: the next try reads the charge again rather than refund again.
			else noteSettled(this.notes, this.slot);
		}
		// A list that turned out to lag takes back what an earlier look found.
		if (finding.state === 'unknown') this.notes.unsettled ??= { slot: this.slot, refund };
		return finding;
	}
}
