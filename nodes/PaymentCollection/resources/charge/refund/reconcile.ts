import { sleepUnlessAborted } from '../../../../shared/clock';
import { TOO_MANY_REQUESTS, hasStatus } from '../../../../shared/errors/failure';
import type { ReportedError } from '../../../../shared/errors/reportedError';
import { failureTexts } from '../../../../shared/errors/failureTable';
import { amountText, subtractAmounts } from '../../../../shared/money';
import { withoutSecrets } from '../../../../shared/redaction/secretTexts';
import type { Transport } from '../../../../shared/service/transport';
import { asError } from '../../../../shared/values';
import { ContradictoryRows } from '../../../run/oneRecord';
import { notCarriedOut, unknownOutcome, type WriteWords } from '../../../writes/outcome';
import { readChargeBalance, showsRefund, type ChargeBalance } from './balance';
import { holdText, type ChargeLedger, type PendingRefund, type Refund } from './ledger';

type Finding =
	| { outcome: 'carriedOut'; after: ChargeBalance }
	/** `seen` says in words what the charge showed. */
	| { outcome: 'unknown'; error: ReportedError; seen: string };

export const checkCharge = (total = 'the refund total from before this refund'): string =>
	`Don’t run this again until you know the outcome: check the charge in the payment collection service. If you refund it again, set 'Expected Refund Total' to ${total}, so that a second refund is refused if this one was carried out. An 'Idempotency Key' that was used stays used: choose a new one.`;

export const refundWords = (id: string): WriteWords => ({
	whether: `charge ${id} was refunded`,
	not: `charge ${id} was NOT refunded`,
});

/** Reads the charge as the ledger counts it. @throws {ReportedError} see readChargeBalance */
export const readBalance = async (
	transport: Transport,
	ledger: ChargeLedger,
	id: string,
): Promise<ChargeBalance> => ledger.counted(await readChargeBalance(transport, id));

/** A refund can appear on the charge shortly after the connection broke. */
const LATER_LOOK_AFTER_MS = 2_000;

/** Another operation can be in progress for the charge (409), or the refund is sent again (429). */
const isReadLater = hasStatus(409, TOO_MANY_REQUESTS);

/**
 * Reads the charge again to find the outcome of a pending refund. A new refund of exactly its amount proves it: this process
 * refunds nothing else of the charge meanwhile. Without one it stays unknown, since the refund can still appear.
 */
export async function reconcile(
	transport: Transport,
	ledger: ChargeLedger,
	refund: PendingRefund,
): Promise<Finding> {
	for (let look = 1; ; look++) {
		const after = await readBalance(transport, ledger, refund.before.id).catch(asError);
		if (after instanceof Error) return unknown(refund, failedLook(after, refund));
		if (showsRefund(after, refund.before, refund.amount)) return { outcome: 'carriedOut', after };
		const grown = subtractAmounts(after.refunded, refund.before.refunded);
		if (grown.units !== 0n) {
			return unknown(
				refund,
				`its refund total has changed by ${amountText(grown)} since, without a refund of ${amountText(refund.amount)}`,
			);
		}
		if (look === 2) return unknown(refund, 'it shows no new refund so far');
		await waitBeforeLook(transport);
	}
}

/**
 * A refusal (failure.ts) is believed unless the charge shows a new refund of this amount: then the refund stays pending.
 *
 * @returns the charge after the refusal; undefined if it was not read, or can't be
 * @throws {ReportedError} UNKNOWN
 */
export async function checkRefusal(
	transport: Transport,
	ledger: ChargeLedger,
	refund: PendingRefund,
): Promise<ChargeBalance | undefined> {
	const { failure, before, amount } = refund;
	// The request never left n8n, so the charge shows nothing new.
	if (failure?.kind !== 'http') return undefined;
	if (isReadLater(failure)) await waitBeforeLook(transport);
	const after = await readBalance(transport, ledger, before.id).catch(asError);
	if (after instanceof ContradictoryRows) throw unknown(refund, failedLook(after, refund)).error;
	if (after instanceof Error) return undefined;
	if (!showsRefund(after, before, amount)) return after;
	throw unknown(refund, SHOWN_ANYWAY).error;
}

const SHOWN_ANYWAY = 'it shows a new refund of this amount, although the service refused it';

/** If the execution is stopped meanwhile, the next read fails. */
async function waitBeforeLook({ signal }: Transport): Promise<void> {
	await sleepUnlessAborted(LATER_LOOK_AFTER_MS, signal).catch(() => undefined);
}

const failedLook = ({ message }: Error, { before }: Refund): string =>
	`it could not be read (${withoutSecrets(message, before.secrets)})`;

/** The texts of the failure, without the charge's secrets that they can repeat. */
function cameOf({ failure, before }: Refund): { message: string; advice: string } {
	if (failure === undefined) return { message: 'No response was received', advice: '' };
	const { message, advice } = failureTexts(failure);
	return { message: withoutSecrets(message, before.secrets), advice };
}

/** @param after returned by {@link checkRefusal} */
export function refused(refund: Refund, after: ChargeBalance | undefined): ReportedError {
	const { message, advice } = cameOf(refund);
	const { before, failure } = refund;
	const isUnsure = failure?.kind === 'http' && after === undefined;
	const doubt = isUnsure ? ' The charge could not be read again to make sure.' : '';
	return notCarriedOut(refundWords(before.id), message, advice + doubt, failure);
}

function unknown(refund: PendingRefund, seen: string) {
	const { before, failure } = refund;
	const { currency } = before;
	const error = unknownOutcome(
		refundWords(before.id),
		cameOf(refund).message,
		`The refund of ${amountText(refund.amount)} ${currency} was sent and might still be carried out; this run does not send it again. ${checkCharge(amountText(before.refunded))} Result of reading the charge again: ${seen}. Until ${holdText(refund)}, this n8n process sends no other refund of this charge, unless the charge shows this one.`,
		failure,
	);
	return { outcome: 'unknown', error, seen } as const;
}
