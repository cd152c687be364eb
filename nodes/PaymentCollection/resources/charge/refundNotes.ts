import { NOTHING, addAmounts, compareAmounts } from '../../../shared/money';
import type { Amount } from '../../../shared/money';
import type { WriteSlot } from '../../run/writeMemory';
import type { ChargeBalance } from './chargeBalance';
import type { UnsettledRefund } from './settleRefund';

/**
 * What one execution knows of a charge that it refunds, beside what the service's list shows: the list may lag
 * behind, and a refund whose answer was lost may still be on its way.
 */
export interface ChargeNotes {
	/** The refund total after the last refund that is known to have been carried out. */
	refundTotal: Amount;
	/** Sum of the refunds of this execution that are known to have been carried out. */
	refundedHere: Amount;
	/** The refund of which it is not known whether it was, or will be, carried out. */
	unsettled?: { readonly slot: WriteSlot; readonly refund: UnsettledRefund };
}

const notesByExecution = new WeakMap<object, Map<string, ChargeNotes>>();

/** @param execution the object that n8n keeps for one execution */
export function notesOf(execution: object, chargeId: string): ChargeNotes {
	const notes = notesByExecution.get(execution) ?? new Map<string, ChargeNotes>();
	notesByExecution.set(execution, notes);
	const key = chargeId.toLowerCase();
	const found = notes.get(key) ?? { refundTotal: NOTHING, refundedHere: NOTHING };
	notes.set(key, found);
	return found;
}

/** A refund is known to have been carried out. */
export function noteRefund(notes: ChargeNotes, amount: Amount, after: ChargeBalance): void {
	notes.refundedHere = addAmounts(notes.refundedHere, amount);
	if (compareAmounts(after.refunded, notes.refundTotal) > 0) notes.refundTotal = after.refunded;
}

/** It is settled what became of a slot's refund; another slot's may be open still. */
export function noteSettled(notes: ChargeNotes, slot: WriteSlot): void {
	if (notes.unsettled?.slot.key === slot.key) delete notes.unsettled;
}
