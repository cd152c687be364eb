import { sleepUnlessAborted } from '../../../shared/clock';
import { ReportedError, failureTexts } from '../../../shared/failures';
import type { Failure } from '../../../shared/failures';
import { amountText, compareAmounts, subtractAmounts } from '../../../shared/money';
import type { Amount } from '../../../shared/money';
import type { Transport } from '../../../shared/transport';
import { readChargeBalance } from './chargeBalance';
import type { ChargeBalance } from './chargeBalance';

/** A refund that was sent and whose answer was lost. */
export interface UnsettledRefund {
	/** The charge just before the refund was sent. */
	readonly before: ChargeBalance;
	readonly amount: Amount;
	/** What came instead of a proper answer; missing when something came that was no proper answer. */
	readonly failure?: Failure;
}

/** A refund on its way may show a little later than the connection broke. */
const SECOND_LOOK_AFTER_MS = 2_000;
/** The service itself answered that it failed, so nothing is under way any more. A gateway's 502 and 504 say less. */
const ANSWERED_BY_THE_SERVICE: ReadonlySet<number> = new Set([500, 501, 503]);

/**
 * Finds out by reading the charge again whether a refund with a lost answer was carried out.
 *
 * @returns when it was: the charge's refund total has grown by just the amount
 * @throws {ReportedError} "NOT refunded" when it was not, or that it is unknown, in plain words
 */
export async function settleRefund(
	transport: Transport,
	{ before, amount, failure }: UnsettledRefund,
): Promise<void> {
	const isFinal = failure?.status !== undefined && ANSWERED_BY_THE_SERVICE.has(failure.status);
	for (let look = 1; look <= 2; look++) {
		const grown = await refundedSince(transport, before, failure);
		if (compareAmounts(grown, amount) === 0) return;
		if (grown.units !== 0n) {
			throw unknown(
				before,
				`the refund total has changed by ${amountText(grown)} since, and not by ${amountText(amount)}`,
				failure,
			);
		}
		if (isFinal) throw notCarriedOut(before, failure);
		if (look === 1) await sleepUnlessAborted(SECOND_LOOK_AFTER_MS, transport.signal);
	}
	throw unknown(before, 'the charge shows no new refund so far', failure);
}

async function refundedSince(
	transport: Transport,
	before: ChargeBalance,
	failure: Failure | undefined,
): Promise<Amount> {
	const after = await readChargeBalance(transport, before.id).catch((error: unknown): never => {
		transport.signal?.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		throw unknown(before, `the charge could not be read again (${reason})`, failure);
	});
	return subtractAmounts(after.refunded, before.refunded);
}

function lostAnswer(failure: Failure | undefined): string {
	return failure === undefined
		? 'The answer to the refund is not what the service documents'
		: failureTexts(failure).message;
}

function notCarriedOut({ id }: ChargeBalance, failure: Failure | undefined): ReportedError {
	return new ReportedError(
		`${lostAnswer(failure)} – charge ${id} was NOT refunded`,
		'The charge was read again and shows no new refund. This run will not send the refund again; run the workflow again to do so.',
		failure,
	);
}

function unknown(
	{ id, refunded, currency }: ChargeBalance,
	finding: string,
	failure: Failure | undefined,
): ReportedError {
	return new ReportedError(
		`UNKNOWN whether charge ${id} was refunded: check before you retry. ${lostAnswer(failure)}`,
		`The refund was sent once and will not be sent again in this run. The charge was read again: ${finding}. Before it was sent, ${amountText(refunded)} ${currency} was refunded. Look at the charge in the payment collection service before you run this again, or set Expected Refund Total so that a second refund is refused.`,
		failure,
	);
}
