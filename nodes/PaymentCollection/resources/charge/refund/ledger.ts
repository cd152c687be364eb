import type { IDataObject } from 'n8n-workflow';
import { clock, throwIfCancelled, utcText } from '../../../../shared/clock';
import type { Failure } from '../../../../shared/errors/failure';
import { NOTHING, amountText, compareAmounts, type Amount } from '../../../../shared/money';
import { executionOf } from '../../../../shared/n8nFeatures';
import type { Transport } from '../../../../shared/service/transport';
import type { Item, WriteId } from '../../../operation';
import { Queues } from '../../../writes/queues';
import { sentWrites } from '../../../writes/sentWrites';
import { readChargeBalance, refundResult, type ChargeBalance } from './balance';

/**
 * How long a pending refund keeps others of its charge back, unless a look shows its outcome earlier; and how long a
 * confirmed one counts after the list has shown it, in case it lags again.
 */
export const MAX_HOLD_MS = 10 * 60_000;
/** How long a confirmed refund counts that the list has not shown: refunds may take a day to be carried out. */
export const MAX_UNSHOWN_MS = 24 * 3_600_000;

const RECONCILED = 'Refunded: no confirmation arrived, but the charge now shows the refund.';

export interface Refund {
	readonly writeId: WriteId;
	/** The charge just before the refund was sent, with what is known to have been refunded since. */
	readonly before: ChargeBalance;
	readonly amount: Amount;
	/** The Idempotency Key that it is for, if there is one. */
	readonly key: string | undefined;
	/** Whether a model asked for it. */
	readonly isTool: boolean;
	/** What came instead of a confirmation; missing while nothing has come. */
	readonly failure?: Failure;
}

/** A refund that was sent and not confirmed. */
export interface PendingRefund extends Refund {
	/** When it was sent, then when its answer was lost, by the clock's elapsed milliseconds: it holds its charge from then. */
	readonly heldFrom: number;
}

interface CarriedOutRefund extends PendingRefund {
	/** True if its own run reported it. False if that reported UNKNOWN, and the charge showed the refund later. */
	readonly isReported: boolean;
}

/** How long a refund still holds its charge, in milliseconds. Not by the host's clock: set forward, it would let go. */
const heldForMs = ({ heldFrom }: PendingRefund): number => heldFrom + MAX_HOLD_MS - clock.elapsed();

/** The moment until which it does, as the user reads it. */
export const holdText = (refund: PendingRefund): string => utcText(clock.now() + heldForMs(refund));

const isHeld = (refund: PendingRefund): boolean => heldForMs(refund) > 0;

/** What this process knows of one charge's refunds besides what the service's list shows, which may lag behind. */
export class ChargeLedger {
	/** The refund total after the last refund that is known to have been carried out. */
	refundTotal = NOTHING;

	/** Until when that total counts where the list shows less, by the clock's elapsed milliseconds. */
	private countsUntil = 0;

	/** Only its outcome, or time, lets another refund of the charge go out. */
	pending: PendingRefund | undefined;

	/** The latest refunds that a run may mean which asks for the same amount again: a model's, and those that turned up. */
	carriedOut: readonly CarriedOutRefund[] = [];

	/** The charge as it is now: what was confirmed counts as refunded, though the list may not show it yet. */
	async readBalance(transport: Transport, id: string): Promise<ChargeBalance> {
		const shown = await readChargeBalance(transport, id);
		const { refundTotal: refunded } = this;
		if (compareAmounts(shown.refunded, refunded) >= 0) {
			this.countsUntil = Math.min(this.countsUntil, clock.elapsed() + MAX_HOLD_MS);
			return shown;
		}
		const until = utcText(clock.now() + this.countsUntil - clock.elapsed());
		const remark = ` (the service has confirmed refunds of ${amountText(refunded)} in total, but its list shows only ${amountText(shown.refunded)} so far: the confirmed total counts until the list shows it, or until ${until})`;
		const { refunds: _, ...others } = shown;
		return { ...others, refunded, remark };
	}

	/** The refund is about to go out, or more is known of why its outcome is not. */
	notePending(refund: Refund): PendingRefund {
		sentWrites.note(refund.writeId, { state: 'unknown', subject: refund.before.id });
		this.pending = { ...refund, heldFrom: clock.elapsed() };
		return this.pending;
	}

	/** @param said the service's confirmation; without one, the list shows the refund. @returns its record */
	noteCarriedOut(refund: Refund, after: ChargeBalance, said?: string): IDataObject {
		const result = refundResult(after, refund.amount, said ?? RECONCILED);
		if (compareAmounts(after.refunded, this.refundTotal) > 0) {
			this.refundTotal = after.refunded;
			this.countsUntil = clock.elapsed() + (said === undefined ? MAX_HOLD_MS : MAX_UNSHOWN_MS);
		}
		this.noLongerPending(refund.writeId);
		// Only a model is taken to repeat itself, and what is kept holds secrets of the charge.
		if (refund.isTool) this.noteEarlier({ heldFrom: clock.elapsed(), ...refund, isReported: true });
		sentWrites.note(refund.writeId, { state: 'carriedOut', result });
		return result;
	}

	noteEarlier(refund: CarriedOutRefund): void {
		this.carriedOut = [...this.carriedOut, refund];
	}

	/** The refund was not carried out: nothing of it is remembered, and it may be sent again. */
	release(writeId: WriteId): void {
		this.noLongerPending(writeId);
		sentWrites.release(writeId);
	}

	/** Forgets what no longer counts. @returns whether anything is left */
	expire(): boolean {
		if (this.pending !== undefined && !isHeld(this.pending)) this.pending = undefined;
		this.carriedOut = this.carriedOut.filter(isHeld);
		if (this.countsUntil < clock.elapsed()) this.refundTotal = NOTHING;
		return this.pending !== undefined || this.carriedOut.length > 0 || this.refundTotal !== NOTHING;
	}

	private noLongerPending({ step }: WriteId): void {
		if (this.pending?.writeId.step === step) this.pending = undefined;
	}
}

/**
 * By address and charge, for the whole process: executions that run at once refund a charge one after another. Not by the
 * API key, which may be replaced, and of which an account may have several. The same ID at another address may be another
 * charge, as in a copy of the service to test with.
 */
const ledgers = new Map<string, ChargeLedger>();

const byCharge = new Queues<string>();

/** By n8n's object for the execution: an agent's model may ask for several refunds at once. */
const byExecution = new Queues<object>();

/**
 * Runs a task while no other one of the same charge is run, in the order of the calls, whatever execution they are of;
 * and none of another charge in the same execution.
 *
 * @throws {CancelledError} when the execution is stopped while it waits
 */
export async function inTurn<T>(
	{ context, transport: { baseUrl, signal } }: Pick<Item, 'context' | 'transport'>,
	chargeId: string,
	task: (ledger: ChargeLedger) => Promise<T>,
): Promise<T> {
	const key = `${baseUrl} ${chargeId.toLowerCase()}`;
	const withLedger = async (): Promise<T> => {
		throwIfCancelled(signal);
		const ledger = ledgers.get(key) ?? new ChargeLedger();
		ledger.expire();
		try {
			return await task(ledger);
		} finally {
			ledgers.set(key, ledger);
			for (const [one, known] of ledgers) if (!known.expire()) ledgers.delete(one);
		}
	};
	const execution = executionOf(context);
	return await byExecution.inTurn(execution, async () => await byCharge.inTurn(key, withLedger));
}

/** As when the process starts. */
export const forgetAll = (): void => ledgers.clear();
