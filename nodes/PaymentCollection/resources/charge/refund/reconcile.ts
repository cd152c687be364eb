import { sleepUnlessAborted } from '../../../../shared/clock';
import { TOO_MANY_REQUESTS, hasStatus } from '../../../../shared/errors/failure';
import type { ReportedError } from '../../../../shared/errors/reportedError';
import { failureTexts } from '../../../../shared/errors/failureTable';
import type { Transport } from '../../../../shared/service/transport';
import { asError } from '../../../../shared/values';
import { ContradictoryRows } from '../../../run/oneRecord';
import { notCarriedOut, unknownOutcome, type WriteWords } from '../../../writes/outcome';
import { readChargeBalance, showsRefund, type ChargeBalance } from './balance';
import { expiryText, type ChargeLedger, type PendingRefund, type Refund } from './ledger';

/** Says whether the charge shows a refund that was sent; `seen` does so in words, for messages. */
type Look =
	| { state: 'refunded' | 'unchanged' | 'changed'; after: ChargeBalance; seen: string }
	| { state: 'unread' | 'contradictory'; after?: undefined; seen: string };

export const checkChargeAdvice = (total = 'the refund total from before this refund'): string =>
	`Don’t run this again until you know the outcome: check the charge in the payment collection service. If you refund it again, set 'Expected Refund Total' to ${total}, so that a second refund is refused if this one was carried out. An 'Idempotency Key' that was used stays used: choose a new one.`;

export const refundWords = (id: string): WriteWords => ({
	whether: `charge ${id} was refunded`,
	denial: `charge ${id} was NOT refunded`,
});

/** Reads the charge as the ledger counts it. @throws {ReportedError} see readChargeBalance */
export const readBalance = async (
	transport: Transport,
	ledger: ChargeLedger,
	id: string,
): Promise<ChargeBalance> => ledger.withConfirmed(await readChargeBalance(transport, id));

/** A refund can appear on the charge shortly after the connection broke. */
const LATER_LOOK_AFTER_MS = 2_000;

/** The charge is read after a wait: another operation can be in progress (409), or the refund may be sent again (429). */
const isReadLater = hasStatus(409, TOO_MANY_REQUESTS);

/**
 * Reads the charge again to find the outcome of a pending refund. A new refund of exactly this amount is taken for it: this
 * process refunds nothing else of the charge meanwhile. While the charge shows none, the outcome is unknown: the refund can
 * still appear.
 */
export async function reconcile(
	transport: Transport,
	ledger: ChargeLedger,
	refund: PendingRefund,
): Promise<Look> {
	const look = await lookFor(transport, ledger, refund);
	if (look.state !== 'unchanged') return look;
	await waitBeforeLook(transport);
	return await lookFor(transport, ledger, refund);
}

/**
 * A refusal (failure.ts) is believed, unless the charge shows a new refund of this amount or contradicts itself: it stays pending.
 *
 * @param refund whose failure is a refusal
 * @returns undefined if the request never reached the service @throws {ReportedError} UNKNOWN
 */
export async function checkRefusal(
	transport: Transport,
	ledger: ChargeLedger,
	refund: PendingRefund,
): Promise<Look | undefined> {
	const { failure } = refund;
	// Any other refused request never reached the service, so the charge shows nothing new.
	if (failure?.kind !== 'http') return undefined;
	if (isReadLater(failure)) await waitBeforeLook(transport);
	const look = await lookFor(transport, ledger, refund);
	if (look.state === 'contradictory') throw unknownError(refund, look.seen);
	if (look.state !== 'refunded') return look;
	throw unknownError(refund, `${look.seen}, although the service refused it`);
}

async function lookFor(
	transport: Transport,
	ledger: ChargeLedger,
	{ before, amount }: Refund,
): Promise<Look> {
	const after = await readBalance(transport, ledger, before.id).catch(asError);
	if (after instanceof Error) {
		const state = after instanceof ContradictoryRows ? 'contradictory' : 'unread';
		const reason = before.redact(after.message);
		return { state, seen: `it could not be read (${reason})` };
	}
	if (showsRefund(after, before, amount)) {
		return { state: 'refunded', after, seen: 'it shows a new refund of this amount' };
	}
	const grown = after.refunded.minus(before.refunded);
	if (grown.units === 0n)
		return { state: 'unchanged', after, seen: 'it shows no new refund so far' };
	const seen = `its refund total has changed by ${grown.text} since, without a refund of ${amount.text}`;
	return { state: 'changed', after, seen };
}

/** If the execution is stopped meanwhile, the next read fails. */
async function waitBeforeLook({ signal }: Transport): Promise<void> {
	await sleepUnlessAborted(LATER_LOOK_AFTER_MS, signal).catch(() => undefined);
}

/** The texts of the failure, without the charge's secrets that they can repeat. */
function failureWords({ failure, before }: Refund): { message: string; advice: string } {
	if (failure === undefined) return { message: 'No response was received', advice: '' };
	const { message, advice } = failureTexts(failure);
	return { message: before.redact(message), advice };
}

export function refusedError(refund: Refund, look: Look | undefined): ReportedError {
	const { message, advice } = failureWords(refund);
	const doubt = look?.state === 'unread' ? ' The charge could not be read again to make sure.' : '';
	return notCarriedOut(refundWords(refund.before.id), message, advice + doubt, refund.failure);
}

export function unknownError(refund: PendingRefund, seen: string): ReportedError {
	const { before, failure } = refund;
	return unknownOutcome(
		refundWords(before.id),
		failureWords(refund).message,
		`The refund of ${refund.amount.text} ${before.currency} was sent and might still be carried out; this run does not send it again. ${checkChargeAdvice(before.refunded.text)} Result of reading the charge again: ${seen}. Until ${expiryText(refund)}, this n8n process sends no other refund of this charge, unless the charge shows this one.`,
		failure,
	);
}
