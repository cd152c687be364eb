import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../../../shared/errors/inputError';
import { ReportedError, type Failure } from '../../../../shared/errors/failures';
import { textsOf } from '../../../../shared/errors/messageKind';
import { amountText, compareAmounts } from '../../../../shared/money';
import { plainText } from '../../../../shared/plainText';
import type { Item } from '../../../run/item';
import { AttemptLedger, type AttemptKey } from '../../../writes/attemptLedger';
import { UnknownOutcome } from '../../../writes/unknownOutcome';
import type { ChargeBalance } from './balance';
import { closeOpen, noteRefund, type ChargeLedger, type OpenRefund } from './chargeLedger';
import { REFUND_MESSAGES } from './messages';
import { holdText, reconcile } from './reconcile';
import { refundResult } from './result';

/** The refund of each item, over all tries of Retry On Fail. */
const attempts = new AttemptLedger<OpenRefund>();

const RECONCILED = 'Refunded: the answer was lost, and reading the charge again shows the refund.';

/** One item's refund and what is known of it. */
export class RefundAttempt {
	constructor(
		private readonly item: Item,
		readonly key: AttemptKey,
		private readonly chargeId: string,
		private readonly ledger: ChargeLedger,
	) {}

	/** The charge that an earlier try of this item has refunded, or may have; undefined when none was sent. */
	static earlierCharge(key: AttemptKey): string | undefined {
		const known = attempts.recall(key);
		if (known?.state === 'done') return plainText(known.result['charge_id']);
		return known?.state === 'unknown' ? known.about.before.id : undefined;
	}

	/**
	 * The record of this refund when an earlier try has sent it; undefined when none has.
	 *
	 * @throws {ReportedError} when it was sent and not carried out, or nobody knows
	 */
	async earlierTry(): Promise<IDataObject | undefined> {
		const known = attempts.recall(this.key);
		if (known === undefined) return undefined;
		if (known.state === 'done') {
			// This try takes the record of it, so nobody else needs to be told that it has turned up.
			this.ledger.turnedUp = this.ledger.turnedUp.filter(
				({ attempt }) => attempt.key !== this.key.key,
			);
			return known.result;
		}
		if (known.state === 'dropped') {
			throw new UnknownOutcome(...textsOf(REFUND_MESSAGES.noLongerKept, { id: this.chargeId }));
		}
		return await this.reconcile(known.about);
	}

	/** Whether the refund was carried out, or may have been. */
	mayBeCarriedOut(): boolean {
		return attempts.recall(this.key) !== undefined;
	}

	/**
	 * Another refund of this charge, of any execution, may still be on its way: with a second one, more might be
	 * refunded than the charge has, and nobody could tell the two apart.
	 *
	 * @throws {ReportedError} as long as the earlier one is unknown
	 */
	async reconcileEarlier(): Promise<void> {
		const { open } = this.ledger;
		if (open === undefined) return;
		const found = await reconcile(this.item.transport, this.ledger, open);
		if (found.outcome === 'unknown') {
			const facts = {
				id: this.chargeId,
				earlier: `${amountText(open.amount)} ${open.before.currency}`,
				seen: found.seen,
				until: holdText(open),
			};
			throw new ReportedError(...textsOf(REFUND_MESSAGES.heldByEarlier, facts));
		}
		if (found.outcome === 'notCarriedOut') {
			release(this.ledger, open.attempt);
			return;
		}
		this.close(open, found.after, RECONCILED);
		this.ledger.turnedUp.push(open);
	}

	/** The refund is about to go out: nothing but knowing what became of it makes another one possible. */
	open(refund: OpenRefund): void {
		attempts.record(this.key, { state: 'unknown', about: refund });
		this.ledger.open = refund;
	}

	/** A refund of this charge was carried out: this one, or an earlier one that was open. */
	close(refund: OpenRefund, after: ChargeBalance, message: string): IDataObject {
		const result = refundResult(after, refund.amount, message);
		noteRefund(this.ledger, refund.amount, after);
		closeOpen(this.ledger, refund.attempt);
		attempts.record(refund.attempt, { state: 'done', result });
		return result;
	}

	/** @returns the record when it was carried out @throws {ReportedError} when it was not, or nobody knows */
	async reconcile(refund: OpenRefund): Promise<IDataObject> {
		const found = await reconcile(this.item.transport, this.ledger, refund);
		if (found.outcome === 'carriedOut') return this.close(refund, found.after, RECONCILED);
		if (found.outcome === 'notCarriedOut') this.release();
		else if (refund.failure?.notExecuted === true) this.open({ ...refund, isContradicted: true });
		throw found.error;
	}

	/**
	 * Before the refund goes out again after a 429: the wait may have been long, and what was checked before the
	 * first time must still be so.
	 */
	async stopIfChanged(refund: OpenRefund, failure: Failure): Promise<void> {
		const refused = { ...refund, failure };
		const found = await reconcile(this.item.transport, this.ledger, refused);
		if (found.outcome === 'unknown') {
			this.open({ ...refused, isContradicted: true });
			throw found.error;
		}
		const { after } = found;
		if (after !== undefined && compareAmounts(after.refunded, refund.before.refunded) === 0) return;
		throw found.outcome === 'notCarriedOut' && after === undefined
			? found.error
			: new InputError(...textsOf(REFUND_MESSAGES.changedMeanwhile, { id: this.chargeId }));
	}

	/** The refund was certainly not carried out and may be sent again. */
	release(): void {
		release(this.ledger, this.key);
	}
}

function release(ledger: ChargeLedger, attempt: AttemptKey): void {
	closeOpen(ledger, attempt);
	attempts.release(attempt);
}
