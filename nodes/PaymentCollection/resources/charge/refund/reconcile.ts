import { sleepUnlessAborted, utcText } from '../../../../shared/clock';
import { ReportedError, failureTexts } from '../../../../shared/errors/failures';
import { textsOf } from '../../../../shared/errors/messageKind';
import { amountText, compareAmounts, subtractAmounts } from '../../../../shared/money';
import type { Transport } from '../../../../shared/service/transport';
import { UnknownOutcome } from '../../../writes/unknownOutcome';
import {
	ContradictoryCharge,
	readChargeBalance,
	withoutSecretsOf,
	type ChargeBalance,
} from './balance';
import { heldUntil, type ChargeLedger, type OpenRefund } from './chargeLedger';
import { REFUND_MESSAGES } from './messages';

/**
 * What became of a refund that was not confirmed. `after` is the charge as it was read again, where that was possible;
 * `seen` says in words what it showed.
 */
export type Reconciled =
	| { readonly outcome: 'carriedOut'; readonly after: ChargeBalance }
	| {
			readonly outcome: 'notCarriedOut';
			readonly error: ReportedError;
			readonly after?: ChargeBalance;
	  }
	| { readonly outcome: 'unknown'; readonly error: UnknownOutcome; readonly seen: string };

const CONTRADICTED = 'its refund total has grown by the amount, though the service refused it';

/** A refund on its way may show a little later than the connection broke. */
const LATER_LOOK_AFTER_MS = 2_000;

/**
 * Finds out by reading the charge again what became of a refund without a proper confirmation. It counts as carried
 * out when the refund total has grown by just its amount, other refunds of this process left out.
 *
 * A refusal (see failure.ts) is believed, unless a look at the charge a little later shows otherwise: then one of
 * the two is wrong. That nothing shows is never taken for proof that nothing will: such a refund stays unknown.
 */
export async function reconcile(
	transport: Transport,
	ledger: ChargeLedger,
	refund: OpenRefund,
): Promise<Reconciled> {
	const { failure } = refund;
	const wasRefused = failure?.notExecuted === true;
	// What never left n8n was not carried out: there is nothing to look at.
	if (wasRefused && failure.kind !== 'http') return refused(refund);
	if (refund.isContradicted === true) return unknown(refund, CONTRADICTED);
	if (wasRefused) await waitBeforeLook(transport);
	for (let look = 1; ; look++) {
		const after = await lookAt(transport, ledger, refund.before.id);
		if (after instanceof Error) {
			const isRefused = wasRefused && !(after instanceof ContradictoryCharge);
			const why = withoutSecretsOf(refund.before, after.message);
			return isRefused ? refused(refund) : unknown(refund, `that failed (${why})`);
		}
		const grown = grownBy(refund, after);
		const isGrownByAmount = compareAmounts(grown, refund.amount) === 0;
		if (wasRefused) {
			return isGrownByAmount ? unknown(refund, CONTRADICTED) : refused(refund, after);
		}
		if (isGrownByAmount) return { outcome: 'carriedOut', after };
		if (grown.units !== 0n) {
			return unknown(
				refund,
				`its refund total has changed by ${amountText(grown)} since, and not by ${amountText(refund.amount)}`,
			);
		}
		if (look === 2) return unknown(refund, 'it shows no new refund so far');
		await waitBeforeLook(transport);
	}
}

/** When the execution is stopped meanwhile, the look that follows fails, which leaves the refund in doubt. */
async function waitBeforeLook({ signal }: Transport): Promise<void> {
	await sleepUnlessAborted(LATER_LOOK_AFTER_MS, signal).catch(() => undefined);
}

/** What the refund total has grown by since before the refund, without other refunds of this process. */
const grownBy = ({ before }: OpenRefund, after: ChargeBalance) =>
	subtractAmounts(
		subtractAmounts(after.refunded, before.refunded),
		subtractAmounts(after.refundedHere, before.refundedHere),
	);

/** The charge as it is now, or why it can't be read. */
async function lookAt(
	transport: Transport,
	ledger: ChargeLedger,
	id: string,
): Promise<ChargeBalance | Error> {
	return await readChargeBalance(transport, ledger, id).catch((error: unknown) =>
		error instanceof Error ? error : new Error(String(error)),
	);
}

const cameOf = ({ failure }: OpenRefund): string =>
	failure === undefined
		? 'The answer to the refund is not what the service documents'
		: failureTexts(failure).message;

function refused(refund: OpenRefund, after?: ChargeBalance): Reconciled {
	const { before, failure } = refund;
	const advice = failure === undefined ? '' : failureTexts(failure).advice;
	const facts = { id: before.id, came: cameOf(refund), advice };
	const error = new ReportedError(...textsOf(REFUND_MESSAGES.refused, facts), failure);
	return { outcome: 'notCarriedOut', error, ...(after === undefined ? {} : { after }) };
}

function unknown(refund: OpenRefund, seen: string): Reconciled {
	const { before, amount, failure } = refund;
	const facts = {
		id: before.id,
		came: cameOf(refund),
		amount: amountText(amount),
		currency: before.currency,
		before: amountText(before.refunded),
		seen,
		until: holdText(refund),
	};
	const error = new UnknownOutcome(...textsOf(REFUND_MESSAGES.unknown, facts), failure);
	return { outcome: 'unknown', error, seen };
}

/** The moment until which a refund holds its charge, as the user reads it. */
export const holdText = (refund: OpenRefund): string => utcText(heldUntil(refund));
