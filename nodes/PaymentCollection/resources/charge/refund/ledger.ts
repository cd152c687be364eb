import { clock, throwIfCancelled, utcText } from '../../../../shared/clock';
import type { Failure } from '../../../../shared/errors/failure';
import { Amount } from '../../../../shared/money';
import { executionOf } from '../../../../shared/n8nAdapter';
import type { Item, WriteId } from '../../../operation';
import { Queues } from '../../../writes/queues';
import { sentWrites } from '../../../writes/sentWrites';
import { refundResult, type ChargeBalance } from './balance';

/** How long a pending refund blocks its charge. Also how long a confirmed one still counts after a list showed it: the next can be older. */
export const MAX_HOLD_MS = 10 * 60_000;
/** How long a confirmed refund counts before the list shows it: refunds can take a day to be carried out. */
export const MAX_UNSHOWN_MS = 24 * 3_600_000;

const RECONCILED = 'Refunded: no confirmation arrived, but the charge now shows the refund.';

export interface Refund {
	readonly writeId: WriteId;
	/** The charge just before the refund was sent, including confirmed refunds that the list did not show yet. */
	readonly before: ChargeBalance;
	readonly amount: Amount;
	readonly key: string | undefined;
	readonly isTool: boolean;
	/** Missing until a request has failed. */
	readonly failure?: Failure;
}

export interface PendingRefund extends Refund {
	/** When it was last sent or failed, in milliseconds of clock.elapsed(): it blocks its charge from then. */
	readonly heldFrom: number;
}

export interface EarlierRefund extends PendingRefund {
	/** True if its own run reported it. False if that run reported UNKNOWN and the charge showed the refund later. */
	readonly isReported: boolean;
}

/** Ignores the host's clock: set forward, it would unblock the charge too early. */
const leftMs = ({ heldFrom }: PendingRefund): number => heldFrom + MAX_HOLD_MS - clock.elapsed();

export const expiryText = (refund: PendingRefund): string => utcText(clock.now() + leftMs(refund));

const isRecent = (refund: PendingRefund): boolean => leftMs(refund) > 0;

/** Refunds of one charge that this process knows: the service's list may lag behind. */
export class ChargeLedger {
	/** The refund total after the last refund that was certainly carried out. */
	refundTotal = Amount.ZERO;
	/** When `refundTotal` stops counting if the list shows less, in milliseconds of clock.elapsed(). */
	private countsUntil = 0;
	/** Blocks other refunds of the charge until its outcome is known, or for MAX_HOLD_MS. */
	pending: PendingRefund | undefined;
	/** Refunds that a new request for the same amount may repeat: a model's, and those whose run reported UNKNOWN. */
	earlier: readonly EarlierRefund[] = [];

	/** The charge with all confirmed refunds, listed or not. Once the list shows them, they count for MAX_HOLD_MS at most. */
	withConfirmed(shown: ChargeBalance): ChargeBalance {
		const { refundTotal: refunded } = this;
		if (!refunded.isMoreThan(shown.refunded)) {
			this.countsUntil = Math.min(this.countsUntil, clock.elapsed() + MAX_HOLD_MS);
			return shown;
		}
		const until = utcText(clock.now() + this.countsUntil - clock.elapsed());
		const remark = ` (the service has confirmed refunds of ${refunded.text} in total, but its list shows only ${shown.refunded.text} so far: the confirmed total counts until the list shows it, or until ${until})`;
		return { ...shown, refunds: undefined, refunded, remark };
	}

	/** Called before the refund goes out, and with each failure while its outcome is unknown. */
	notePending(refund: Refund): PendingRefund {
		sentWrites.note(refund.writeId, { state: 'unknown', subject: refund.before.id });
		this.pending = { ...refund, heldFrom: clock.elapsed() };
		return this.pending;
	}

	/** @param confirmation by the service; without one, the list shows the refund. @returns the refund's record */
	noteCarriedOut(refund: Refund, after: ChargeBalance, confirmation?: string, isReported = true) {
		const result = refundResult(after, refund.amount, confirmation ?? RECONCILED);
		if (after.refunded.isMoreThan(this.refundTotal)) {
			this.refundTotal = after.refunded;
			const countsMs = confirmation === undefined ? MAX_HOLD_MS : MAX_UNSHOWN_MS;
			this.countsUntil = clock.elapsed() + countsMs;
		}
		this.noLongerPending(refund.writeId);
		// Kept only if someone might ask for it again: a model always, a person after UNKNOWN. It contains secrets of the charge.
		if (refund.isTool || !isReported) {
			this.earlier = [...this.earlier, { heldFrom: clock.elapsed(), ...refund, isReported }];
		}
		sentWrites.note(refund.writeId, { state: 'carriedOut', result });
		return result;
	}

	/** The refund was not carried out: forgets it, so that it can be sent again. */
	release(writeId: WriteId): void {
		this.noLongerPending(writeId);
		sentWrites.release(writeId);
	}

	forgetExpired(): void {
		if (this.pending !== undefined && !isRecent(this.pending)) this.pending = undefined;
		this.earlier = this.earlier.filter(isRecent);
		if (this.countsUntil < clock.elapsed()) this.refundTotal = Amount.ZERO;
	}

	get isEmpty(): boolean {
		return !this.pending && this.earlier.length === 0 && !this.refundTotal.isPositive;
	}

	private noLongerPending({ step }: WriteId): void {
		if (this.pending?.writeId.step === step) this.pending = undefined;
	}
}

/**
 * One ledger per base URL and charge, shared by all executions of this process. Not per API key: an account can have several,
 * and they change. The same ID at another URL can be another charge, as in a copy of the service for tests.
 */
const ledgers = new Map<string, ChargeLedger>();

const byCharge = new Queues<string>();

/** An agent's model may ask for several refunds at once. */
const byExecution = new Queues<object>();

/** Runs a task while no other refund of its charge or its execution is in progress. @throws {CancelledError} when stopped while it waits */
export async function inTurn<T>(
	{ context, transport: { baseUrl, signal } }: Pick<Item, 'context' | 'transport'>,
	chargeId: string,
	task: (ledger: ChargeLedger) => Promise<T>,
): Promise<T> {
	const key = `${baseUrl} ${chargeId.toLowerCase()}`;
	const withLedger = async (): Promise<T> => {
		throwIfCancelled(signal);
		const ledger = ledgers.get(key) ?? new ChargeLedger();
		ledger.forgetExpired();
		try {
			return await task(ledger);
		} finally {
			ledgers.set(key, ledger);
			for (const [one, known] of ledgers) {
				known.forgetExpired();
				if (known.isEmpty) ledgers.delete(one);
			}
		}
	};
	const execution = executionOf(context);
	return await byExecution.inTurn(execution, async () => await byCharge.inTurn(key, withLedger));
}

/** Does in tests what a restart of the process does. */
export const forgetAll = (): void => ledgers.clear();
