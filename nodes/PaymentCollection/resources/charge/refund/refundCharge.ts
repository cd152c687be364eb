import { ServiceFailure } from '../../../../shared/errors/reportedError';
import { wasNotCarriedOut, type Failure } from '../../../../shared/errors/failure';
import { withoutSpareZeros } from '../../../../shared/money';
import { plainText } from '../../../../shared/values';
import { shownText } from '../../../../shared/redaction/redactText';
import type { AnyItem, WriteId } from '../../../operation';
import type { WriteParts } from '../../../writes/onceOnly';
import { NOT_STORED, notRefunded, notRepeated } from '../../../writes/outcome';
import { amountToSend, askedAgain, resultWithoutRefund } from './checks';
import { readRefundInput, type RefundInput } from './fields';
import { expiryText, inTurn, type ChargeLedger, type PendingRefund, type Refund } from './ledger';
import {
	checkChargeAdvice,
	checkRefusal,
	readBalance,
	reconcile,
	refundWords,
	refusedError,
	unknownError,
} from './reconcile';

const MAX_MESSAGE_LENGTH = 1_000;

/**
 * Refunds one charge (docs/service.md, Refunds), at most once per item in all attempts of Retry On Fail. Refunds of one
 * execution run one after another, and so do those of one charge in all executions.
 *
 * These decide in this order whether a refund is sent, or sent again:
 * 1. An earlier attempt of this item (Retry On Fail) has sent one: onceOnly.ts, and `resolve` finds its outcome.
 * 2. A value is bad, or Amount is above Maximum Amount: `readRefundInput` in fields.ts.
 * 3. The Idempotency Key can't be used here, or was used before: idempotencyKey.ts.
 * 4. Another refund of the charge is still pending: `reconcileOther`, for as long as ledger.ts says.
 * 5. The charge is read. An earlier refund of the same amount was not confirmed and appeared since, or a model repeats
 *    itself: `askedAgain` in checks.ts.
 * 6. Expected Refund Total differs, or nothing is left and Return Existing is set: `resultWithoutRefund` in checks.ts.
 * 7. Partial asks for more than is left. Full finds nothing left, or is above Maximum Amount: `amountToSend` in checks.ts.
 * 8. It got a 429, and the charge has changed since or can't be read: `stopIfChanged`, before it goes out again.
 * 9. It got no confirmation. A refusal is believed unless the charge contradicts it. After any other failure, the charge is
 *    read to find the outcome (reconcile.ts). Only what was certainly not carried out is released for another attempt.
 *
 * Each error says NOT refunded, UNKNOWN, or that the key was used before in its message: a model may see nothing else.
 */
export const refundCharge: WriteParts<RefundInput, ChargeLedger> = {
	read: readRefundInput,
	subjectOf: ({ chargeId }) => chargeId,
	contentOf: refundContent,
	key: { standsFor: 'the charge and the amount of a refund', binds: refundContent },
	inTurn,
	resolve: async (item, { step }, ledger) => {
		const { pending } = ledger;
		// Only a pending entry shows which refund is this item's. Without one, a new refund could be anyone's.
		if (pending?.writeId.step !== step) return undefined;
		return await reconcileOwn(item, ledger, pending);
	},
	inDoubt: ({ subject = 'of an earlier attempt' }) =>
		notRepeated(refundWords(subject), NOT_STORED, checkChargeAdvice()),
	send: sendNew,
};

/** 'Full' is always the same, whatever amount is left. 5 and 5.00 are the same amount. */
function refundContent({ chargeId, amount }: RefundInput): string[] {
	const asked = amount === 'full' ? amount : withoutSpareZeros(amount.value.text);
	return [chargeId.toLowerCase(), asked];
}

async function sendNew(item: AnyItem, input: RefundInput, writeId: WriteId, ledger: ChargeLedger) {
	const { transport, isTool } = item;
	const { chargeId } = input;

	await reconcileOther(item, ledger);

	const before = await readBalance(transport, ledger, chargeId);
	const existing =
		askedAgain(input, writeId, isTool, ledger, before) ?? resultWithoutRefund(before, input);
	if (existing !== undefined) return existing;

	const amount = amountToSend(input, before);
	const refund = { writeId, before, amount, key: input.key, isTool };
	const answer = await sendRefund(item, ledger, refund);
	if (answer instanceof ServiceFailure) {
		const pending = ledger.notePending({ ...refund, failure: answer.failure });
		if (!wasNotCarriedOut(answer.failure)) return await reconcileOwn(item, ledger, pending);
		const look = await checkRefusal(transport, ledger, pending);
		ledger.release(writeId);
		throw refusedError(pending, look);
	}
	const confirmation = before.redact(answer.message);
	const message = shownText(confirmation, transport.apiKey, MAX_MESSAGE_LENGTH);
	if (answer.isUnderWay) {
		item.warn(
			`The refund of charge ${chargeId} was accepted but might not be final: the service says “${shownText(message, '')}”. Check the charge later.`,
		);
	}
	const after = { ...before, refunded: before.refunded.plus(amount) };
	return ledger.noteCarriedOut(refund, after, message);
}

/**
 * Finds the outcome of another pending refund of this charge. Two at once could refund more than the charge has, and nothing
 * would distinguish them. @throws {ReportedError} while the outcome of the other one is unknown
 */
async function reconcileOther(item: AnyItem, ledger: ChargeLedger): Promise<void> {
	const { pending } = ledger;
	if (pending === undefined) return;
	const look = await reconcile(item.transport, ledger, pending);
	if (look.state === 'refunded') {
		ledger.noteCarriedOut(pending, look.after, undefined, false);
		return;
	}
	throw notRefunded(
		`it is unknown whether an earlier refund of charge ${pending.before.id} was carried out`,
		`The earlier refund of ${pending.amount.text} ${pending.before.currency} might still be carried out, so this one was not sent. Result of reading the charge again: ${look.seen}. No refund of this charge is sent before ${expiryText(pending)}, unless the charge shows the earlier one. Check the charge in the payment collection service before you refund it again.`,
	);
}

const ACCEPTED = 202;
const UNDER_WAY =
	/\b(?:accepted|being|in progress|initiated|pending|processing|queued|requested|scheduled|submitted|under ?way|will be)\b/i;

/** @returns the service's confirmation, or the failure; any other error is thrown */
async function sendRefund(item: AnyItem, ledger: ChargeLedger, refund: Refund) {
	const body = { amount: refund.amount.text };
	let httpStatus = 0;
	const options = {
		beforeSend: () => void ledger.notePending(refund),
		onSuccess: (code: number) => {
			httpStatus = code;
		},
		beforeRetry: async (failure: Failure) =>
			await stopIfChanged(item, ledger, ledger.notePending({ ...refund, failure })),
	};
	const answer = await item.transport
		.send({ endpoint: item.endpoint, id: refund.before.id, body }, options)
		.catch((error: unknown) => {
			if (error instanceof ServiceFailure) return error;
			throw error;
		});
	if (answer instanceof ServiceFailure) return answer;
	const message = plainText(answer['message']);
	const saysUnderWay = UNDER_WAY.test(`${message} ${plainText(answer['status'])}`);
	return { message, isUnderWay: saysUnderWay || httpStatus === ACCEPTED };
}

/** Reads the charge again after the wait of a 429. The refund is sent again only if the charge could be read and is unchanged. */
async function stopIfChanged(item: AnyItem, ledger: ChargeLedger, refund: PendingRefund) {
	const look = await checkRefusal(item.transport, ledger, refund);
	if (look?.state === 'unchanged') return;
	ledger.release(refund.writeId);
	if (look?.state !== 'changed') throw refusedError(refund, look);
	throw notRefunded(
		`the service refused this refund (HTTP 429), and charge ${refund.before.id} was refunded by someone else since`,
		'It was not sent again. Check the charge before you run this again.',
	);
}

/** @throws {ReportedError} UNKNOWN */
async function reconcileOwn({ transport }: AnyItem, ledger: ChargeLedger, refund: PendingRefund) {
	const look = await reconcile(transport, ledger, refund);
	if (look.state === 'refunded') return ledger.noteCarriedOut(refund, look.after);
	throw unknownError(refund, look.seen);
}
