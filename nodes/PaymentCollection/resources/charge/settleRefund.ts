import { throwIfCancelled } from '../../../shared/cancellation';
import { sleepUnlessAborted } from '../../../shared/clock';
import { ReportedError, failureTexts } from '../../../shared/failures';
import type { Failure } from '../../../shared/failures';
import { amountText, compareAmounts, subtractAmounts } from '../../../shared/money';
import type { Amount } from '../../../shared/money';
import type { Transport } from '../../../shared/transport';
import { readChargeBalance } from './chargeBalance';
import type { ChargeBalance } from './chargeBalance';
import { UnknownRefund } from './refundErrors';
import type { ChargeNotes } from './refundNotes';

/** A refund that was sent and did not come back with a proper confirmation. */
export interface UnsettledRefund {
	/** The charge just before the refund was sent. */
	readonly before: ChargeBalance;
	readonly amount: Amount;
	/** What came instead of a proper answer; missing when something came that was no proper answer. */
	readonly failure?: Failure;
}

/** What became of it. `after` is the charge as it was read again, where that was possible. */
export type Finding =
	| { readonly state: 'refunded'; readonly after: ChargeBalance }
	| { readonly state: 'notRefunded'; readonly error: ReportedError; readonly after?: ChargeBalance }
	| { readonly state: 'unknown'; readonly error: UnknownRefund };

/** A refund on its way may show a little later than the connection broke. */
const SECOND_LOOK_AFTER_MS = 2_000;
/** With the document's error body: the service itself has failed, so nothing is under way. A gateway can't know that. */
const FAILED_FOR_GOOD: ReadonlySet<number> = new Set([500, 501, 503]);

/**
 * Finds out by reading the charge again what became of a refund without a proper confirmation. It counts as carried
 * out when the refund total has grown by just its amount, other refunds of this execution left out.
 *
 * A refusal (4xx) is believed, unless the charge shows otherwise: then one of the two is wrong.
 */
export async function settleRefund(
	transport: Transport,
	notes: ChargeNotes,
	refund: UnsettledRefund,
): Promise<Finding> {
	const { before, amount, failure } = refund;
	const wasRefused = failure?.notExecuted === true;
	// What did not reach the service was not carried out: there is nothing to look at.
	if (wasRefused && failure.kind !== 'http') return refused(before, failure);
	for (let look = 1; ; look++) {
		const after = await lookAt(transport, notes, before.id);
		if (typeof after === 'string') {
			if (wasRefused) return refused(before, failure);
			return unknown(refund, `the charge could not be read again (${after})`);
		}
		const grown = subtractAmounts(
			subtractAmounts(after.refunded, before.refunded),
			subtractAmounts(after.refundedHere, before.refundedHere),
		);
		const isGrownByAmount = compareAmounts(grown, amount) === 0;
		if (wasRefused && isGrownByAmount) {
			return unknown(refund, 'the service refused it, but the refund total has grown all the same');
		}
		if (wasRefused) return refused(before, failure, after);
		if (isGrownByAmount) return { state: 'refunded', after };
		if (grown.units !== 0n) {
			return unknown(
				refund,
				`the refund total has changed by ${amountText(grown)} since, and not by ${amountText(amount)}`,
			);
		}
		if (look === 2) {
			return hasFailedForGood(failure) && !after.listIsBehind
				? { state: 'notRefunded', error: failedForGood(before, failure), after }
				: unknown(refund, 'it shows no new refund so far');
		}
		await sleepUnlessAborted(SECOND_LOOK_AFTER_MS, transport.signal);
	}
}

/** The charge as it is now, or why it can't be read. */
async function lookAt(
	transport: Transport,
	notes: ChargeNotes,
	id: string,
): Promise<ChargeBalance | string> {
	return await readChargeBalance(transport, notes, id).catch((error: unknown) => {
		throwIfCancelled(transport.signal);
		return error instanceof Error ? error.message : String(error);
	});
}

function hasFailedForGood(failure: Failure | undefined): failure is Failure {
	if (failure?.status === undefined || !FAILED_FOR_GOOD.has(failure.status)) return false;
	return failure.serviceMessage !== undefined;
}

function refused({ id }: ChargeBalance, failure: Failure, after?: ChargeBalance): Finding {
	const { message, advice } = failureTexts(failure);
	const error = new ReportedError(`${message} – charge ${id} was NOT refunded`, advice, failure);
	return { state: 'notRefunded', error, ...(after === undefined ? {} : { after }) };
}

function failedForGood({ id }: ChargeBalance, failure: Failure): ReportedError {
	return new ReportedError(
		`${failureTexts(failure).message} – charge ${id} was NOT refunded`,
		'The charge was read again and shows no new refund. This run will not send the refund again; run the workflow again to do so.',
		failure,
	);
}

function unknown({ before, failure }: UnsettledRefund, finding: string): Finding {
	const { id, refunded, currency } = before;
	const came =
		failure === undefined
			? 'The answer to the refund is not what the service documents'
			: failureTexts(failure).message;
	const error = new UnknownRefund(
		`UNKNOWN whether charge ${id} was refunded: check before you retry. ${came}`,
		`The refund was sent and will not be sent again in this run. The charge was read again: ${finding}. Before it was sent, ${amountText(refunded)} ${currency} was refunded. Look at the charge in the payment collection service before you run this again, or set Expected Refund Total so that a second refund is refused.`,
		failure,
	);
	return { state: 'unknown', error };
}
