import type { IDataObject } from 'n8n-workflow';
import { ServiceFailure } from '../../../../shared/errors/reportedError';
import { wasNotCarriedOut, type Failure } from '../../../../shared/errors/failure';
import { sentWrites } from '../../../writes/sentWrites';
import { amountText, compareAmounts, withoutSpareZeros } from '../../../../shared/money';
import { plainText } from '../../../../shared/values';
import { shownText } from '../../../../shared/redaction/redactText';
import { withoutSecrets } from '../../../../shared/redaction/secretTexts';
import type { Item, WriteId } from '../../../operation';
import { oncePerKey } from '../../../writes/idempotencyKey';
import { NOT_STORED, notRefunded, notRepeated } from '../../../writes/outcome';
import { balanceAfter } from './balance';
import { amountToSend, askedAgain, existingRefund } from './checks';
import { readRefundInput, type RefundInput } from './fields';
import { holdText, inTurn, type ChargeLedger, type PendingRefund, type Refund } from './ledger';
import { checkCharge, checkRefusal, reconcile, refundWords, refused } from './reconcile';

/** Of what the service says, in the output. */
const MAX_MESSAGE_LENGTH = 1_000;

interface Turn {
	readonly item: Item;
	readonly writeId: WriteId;
	readonly chargeId: string;
	readonly ledger: ChargeLedger;
}

/**
 * Refunds one charge (docs/service.md, Refunds): reads it, refuses what can't be right before anything is sent, sends
 * the refund at most once per item whatever Retry On Fail does, and after a lost answer reads the charge again to say
 * what happened. Refunds of one execution go strictly one after another, those of one charge whatever execution they are of.
 *
 * Whether a refund may be sent, or sent again, is decided in this order, which is also that of the functions below:
 * 1. an earlier attempt of this item (Retry On Fail) has sent one, by the item's run and, once its values are read, by
 *    these: `earlierAttempt` finds its outcome
 * 2. a value is bad, or Amount is above Maximum Amount: `readRefundInput` in fields.ts
 * 3. the Idempotency Key can't be used here, or was used before: `oncePerKey` in idempotencyKey.ts
 * 4. another refund of the charge is still pending: `reconcileOther`, for as long as ledger.ts says
 * 5. the charge is read, and an earlier refund of the same amount was not confirmed and has turned up since, or a model
 *    repeats itself: `askedAgain` in checks.ts
 * 6. Expected Refund Total differs, or nothing is left and Return Existing is set: `existingRefund` in checks.ts
 * 7. it is more than what is left, or all of it and that is nothing or above Maximum Amount: `amountToSend` in checks.ts
 * 8. it was sent and answered 429, and the charge has changed since: `stopIfChanged`, before it goes out again
 * 9. its answer was no confirmation: a refusal is believed unless the charge contradicts it, and after anything else, the
 *    charge decides (reconcile.ts); only what was certainly not carried out is released for another attempt
 *
 * @returns one record, see refundResult in balance.ts; none for a repeated key that is to be skipped
 * @throws errors whose message alone says NOT refunded, UNKNOWN or that the key was used before: a model may see no more
 */
export async function refundCharge(item: Item): Promise<IDataObject[]> {
	// By its run alone: whatever the item's values are by now, what an earlier attempt has sent decides.
	const writeId = item.writeId();
	const known = sentWrites.recall(writeId);
	if (known?.state === 'carriedOut') return [known.result];
	if (known?.chargeId !== undefined) {
		const { chargeId } = known;
		return await inTurn(item, chargeId, async (ledger) => [
			await earlierAttempt({ item, writeId, chargeId, ledger }),
		]);
	}
	const input = readRefundInput(item);
	return await inTurn(item, input.chargeId, async (ledger) => refundOnce(item, input, ledger));
}

async function refundOnce(item: Item, input: RefundInput, ledger: ChargeLedger) {
	const { chargeId, amount } = input;
	// All that is left is the same, whatever is left by then; so is an amount, however it is written.
	const asked = amount === 'full' ? amount : withoutSpareZeros(amountText(amount.amount));
	const what = [chargeId.toLowerCase(), asked];
	// With the values: an execution that is run anew has another run, under the same ID.
	const turn = { item, writeId: item.writeId(what), chargeId, ledger };
	if (sentWrites.recall(turn.writeId) !== undefined) return [await earlierAttempt(turn)];
	return await oncePerKey(item, turn.writeId, what, async () => refundAfresh(turn, input));
}

/** The record of this refund, which an earlier attempt has sent. @throws {ReportedError} when its outcome is unknown */
async function earlierAttempt(turn: Turn): Promise<IDataObject> {
	const { writeId, chargeId, ledger } = turn;
	const known = sentWrites.recall(writeId);
	if (known?.state === 'carriedOut') return known.result;
	const { pending } = ledger;
	if (pending?.writeId.step === writeId.step) return await reconcileOwn(turn, pending);
	// Others may have refunded since, so that no look shows whose refund it is.
	throw notRepeated(refundWords(chargeId), NOT_STORED, checkCharge());
}

async function refundAfresh(turn: Turn, input: RefundInput): Promise<IDataObject> {
	const { item, writeId, chargeId, ledger } = turn;
	const { transport, isTool } = item;

	await reconcileOther(turn);

	const before = await ledger.readBalance(transport, chargeId);
	const existing =
		askedAgain(input, writeId, isTool, ledger, before) ?? existingRefund(before, input);
	if (existing !== undefined) return existing;

	const amount = amountToSend(input, before);
	const refund = { writeId, before, amount, key: input.key, isTool };
	const answer = await send(turn, refund);
	if (answer instanceof ServiceFailure) {
		const pending = ledger.notePending({ ...refund, failure: answer.failure });
		if (!wasNotCarriedOut(answer.failure)) return await reconcileOwn(turn, pending);
		const after = await checkRefusal(transport, ledger, pending);
		ledger.release(writeId);
		throw refused(pending, after);
	}
	const said = withoutSecrets(answer.message, before.secrets);
	const message = shownText(said, transport.apiKey, MAX_MESSAGE_LENGTH);
	if (answer.isUnderWay) {
		item.warn(
			`The refund of charge ${chargeId} was accepted but might not be final: the service says “${shownText(message, '')}”. Check the charge later.`,
		);
	}
	return ledger.noteCarriedOut(refund, balanceAfter(before, amount), message);
}

/**
 * Another refund of this charge, of any execution, may still be on its way: with a second one, more might be
 * refunded than the charge has, and nothing would distinguish the two.
 *
 * @throws {ReportedError} as long as the other one is unknown
 */
async function reconcileOther({ item, chargeId, ledger }: Turn): Promise<void> {
	const { pending } = ledger;
	if (pending === undefined) return;
	const found = await reconcile(item.transport, ledger, pending);
	if (found.outcome === 'carriedOut') {
		ledger.noteCarriedOut(pending, found.after);
		ledger.noteEarlier({ ...pending, isReported: false });
		return;
	}
	throw notRefunded(
		`it is unknown whether an earlier refund of charge ${chargeId} was carried out`,
		`The earlier refund of ${amountText(pending.amount)} ${pending.before.currency} might still be carried out, so this one was not sent. Result of reading the charge again: ${found.seen}. No refund of this charge is sent before ${holdText(pending)}, unless the charge shows the earlier one. Check the charge in the payment collection service before you refund it again.`,
	);
}

const ACCEPTED = 202;
const UNDER_WAY =
	/\b(?:accepted|being|in progress|initiated|pending|processing|queued|requested|scheduled|submitted|under ?way|will be)\b/i;

/** @returns the message that confirms it, or the failure that came instead; any other error ends the run */
async function send(turn: Turn, refund: Refund) {
	const { item, chargeId, ledger } = turn;
	const body = { amount: amountText(refund.amount) };
	let httpStatus = 0;
	const options = {
		beforeSend: () => void ledger.notePending(refund),
		onSuccess: (code: number) => {
			httpStatus = code;
		},
		beforeRetry: async (failure: Failure) =>
			await stopIfChanged(turn, ledger.notePending({ ...refund, failure })),
	};
	const answer = await item.transport
		.send({ endpoint: item.endpoint, id: chargeId, body }, options)
		.catch((error: unknown) => {
			if (error instanceof ServiceFailure) return error;
			throw error;
		});
	if (answer instanceof ServiceFailure) return answer;
	const message = plainText(answer['message']);
	const isSaid = UNDER_WAY.test(`${message} ${plainText(answer['status'])}`);
	return { message, isUnderWay: isSaid || httpStatus === ACCEPTED };
}

/**
 * Before the refund goes out again after a 429: the wait may have been long, and what was checked before the
 * first time must still be so.
 */
async function stopIfChanged({ item, chargeId, ledger }: Turn, refund: PendingRefund) {
	const after = await checkRefusal(item.transport, ledger, refund);
	if (after !== undefined && compareAmounts(after.refunded, refund.before.refunded) === 0) return;
	ledger.release(refund.writeId);
	if (after === undefined) throw refused(refund, after);
	throw notRefunded(
		`the service refused this refund (HTTP 429), and charge ${chargeId} was refunded by someone else since`,
		'It was not sent again. Check the charge before you run this again.',
	);
}

/** @returns the record when it was carried out @throws {ReportedError} when that is unknown */
async function reconcileOwn({ item, ledger }: Turn, refund: PendingRefund): Promise<IDataObject> {
	const found = await reconcile(item.transport, ledger, refund);
	if (found.outcome === 'carriedOut') return ledger.noteCarriedOut(refund, found.after);
	throw found.error;
}
