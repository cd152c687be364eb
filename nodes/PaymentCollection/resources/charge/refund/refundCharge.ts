import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../../contract/constants';
import { clock } from '../../../../shared/clock';
import {
	InputError,
	ReportedError,
	ServiceFailure,
	UnknownOutcome,
} from '../../../../shared/errors/reportedError';
import type { Failure } from '../../../../shared/errors/failure';
import type { WriteId } from '../../../writes/sentWrites';
import { amountText, compareAmounts } from '../../../../shared/money';
import { plainText, isRecord } from '../../../../shared/values';
import { redactText } from '../../../../shared/redaction/redactText';
import { withoutSecrets } from '../../../../shared/redaction/secretTexts';
import type { Item } from '../../../run/item';
import { RepeatedKey, oncePerKey } from '../../../writes/idempotencyKey';
import { balanceAfter, readChargeBalance } from './balance';
import { amountToSend, askedAgain, existingRefund } from './checks';
import { amountOf, readRefundInput, type RefundInput } from './fields';
import { holdText, inTurn, sentRefunds, type ChargeLedger, type PendingRefund } from './ledger';
import { CHECK_FIRST, checkRefusal, reconcile } from './reconcile';

const endpoint = ENDPOINTS.chargeRefund;

const RECONCILED = 'Refunded: the answer was lost, and reading the charge again shows the refund.';

/** One item's turn at its charge. */
interface Turn {
	readonly item: Item;
	readonly write: WriteId;
	readonly chargeId: string;
	readonly ledger: ChargeLedger;
}

/**
 * Refunds one charge (docs/service.md, Refunds): reads it, refuses what can't be right before anything is sent, sends
 * the refund at most once per item whatever Retry On Fail does, and after a lost answer reads the charge again to tell
 * what happened. Refunds of one execution go strictly one after another, those of one charge whatever execution they are of.
 *
 * Whether a refund may be sent, or sent again, is decided in this order (fields.ts refuses bad values after 1):
 * 1. an earlier try of this item (Retry On Fail) sent it: sentWrites.ts knows, and `earlierTry` tells
 * 2. the Idempotency Key was used before: idempotencyKey.ts
 * 3. another refund of the charge is still pending: `reconcileOther`, for as long as ledger.ts says
 * 4. another run's refund of as much, whose outcome was unknown, has turned up since: askedAgain in checks.ts
 * 5. Expected Refund Total differs: existingRefund in checks.ts, where Return Existing also ends when nothing is left;
 *    more than what is left, or all of it where nothing is: amountToSend in checks.ts
 * 6. after a 429 it is sent again (transport.ts), if the charge is as it was: `stopIfChanged`
 * 7. afterwards: the answer says what became of it (failure.ts), and where it does not, the charge does
 *    (reconcile.ts); only what was certainly not carried out is released for another try
 *
 * @returns one record, see refundResult in balance.ts; none for a repeated key that is to be skipped
 * @throws errors whose message alone says NOT refunded or UNKNOWN: an agent's model may see nothing else
 */
export async function refundCharge(item: Item): Promise<IDataObject[]> {
	const refund = async (): Promise<IDataObject[]> => {
		// Whatever the item's values are by now: what an earlier try has sent decides.
		const unread = item.writeId({ endpoint });
		const sent = chargeOfEarlierTry(unread);
		if (sent !== undefined) {
			return await inTurn(item, sent, async (ledger) => {
				const result = await earlierTry({ item, write: unread, chargeId: sent, ledger });
				return result === undefined ? [] : [result];
			});
		}
		const input = readChecked(item);
		const { chargeId, amount } = input;
		// A try of all that is left is the same try, whatever is left by then.
		const asked = amount === 'full' ? amount : plainText(amount.given);
		const write = item.writeId({ endpoint, id: chargeId, body: { amount: asked } });
		return await inTurn(item, chargeId, async (ledger) => {
			return await refundOnce({ item, write, chargeId, ledger }, input);
		});
	};
	return await refund().catch(rethrow);
}

/** Undefined when no earlier try of this item has sent a refund. */
function chargeOfEarlierTry(write: WriteId): string | undefined {
	const known = sentRefunds.recall(write);
	if (known?.state === 'done') return plainText(known.result['charge_id']);
	return known?.state === 'unknown' ? known.about : undefined;
}

/** Before the service was asked for anything. */
function readChecked(item: Item): RefundInput {
	try {
		return readRefundInput(item);
	} catch (error) {
		// Of any kind: an expression that fails is n8n's own error, and stays one.
		throw asNotRefunded(error);
	}
}

async function refundOnce(turn: Turn, input: RefundInput): Promise<IDataObject[]> {
	const result = await earlierTry(turn);
	if (result !== undefined) return [result];
	return await oncePerKey(turn.item, input.keyOptions, {
		operation: `${endpoint.method} ${endpoint.path}`,
		write: async () => await refundAfresh(turn, input),
		mayBeCarriedOut: () => sentRefunds.recall(turn.write) !== undefined,
	});
}

/**
 * The record of this refund when an earlier try has sent it; undefined when none has.
 *
 * @throws {ReportedError} when it was sent and not carried out, or nobody knows
 */
async function earlierTry(turn: Turn): Promise<IDataObject | undefined> {
	const { write, chargeId, ledger } = turn;
	const known = sentRefunds.recall(write);
	if (known === undefined) return undefined;
	if (known.state === 'done') {
		ledger.forgetTurnedUp(write);
		return known.result;
	}
	const { pending } = ledger;
	if (pending?.write.place === write.place) return await reconcileOwn(turn, pending);
	// Others may have refunded since, so that no look can tell whose refund it shows.
	throw new UnknownOutcome(
		`UNKNOWN whether charge ${chargeId} was refunded: check before you retry`,
		`The refund was sent in an earlier try, and what came of it is no longer kept. It was not sent again. ${CHECK_FIRST}`,
	);
}

/** No earlier try of this item has sent the refund. */
async function refundAfresh(turn: Turn, input: RefundInput): Promise<IDataObject> {
	const { item, write, chargeId: id, ledger } = turn;
	const { transport, isTool } = item;

	await reconcileOther(turn);

	const before = await readChargeBalance(transport, ledger.refundTotal, id);
	const existing =
		askedAgain(input, write, isTool, ledger, before) ?? existingRefund(before, input);
	if (existing !== undefined) return existing;

	const text = amountToSend(input, before);
	const pending = {
		write,
		before,
		amount: amountOf(text),
		heldFrom: clock.elapsed(),
		hasKey: input.keyOptions !== undefined,
	};
	const answer = await send(turn, pending, text);
	const confirmed = confirmation(answer);
	if (confirmed !== undefined) {
		const message = withoutSecrets(redactText(confirmed, transport.apiKey), before.secrets);
		return ledger.recordDone(pending, balanceAfter(before, pending.amount), message);
	}
	const lost = {
		...pending,
		heldFrom: clock.elapsed(),
		...(answer instanceof ServiceFailure ? { failure: answer.failure } : {}),
	};
	ledger.recordPending(lost);
	return await reconcileOwn(turn, lost);
}

/** @returns the answer, or the failure that the charge has to tell about; anything else ends the run */
async function send(turn: Turn, refund: PendingRefund, amount: string): Promise<unknown> {
	const { item, write, chargeId: id, ledger } = turn;
	const request = { endpoint, id, body: { amount } };
	const options = {
		beforeSend: () => ledger.recordPending(refund),
		beforeRetry: async (failure: Failure) => await stopIfChanged(turn, { ...refund, failure }),
	};
	return await item.transport.send(request, options).catch((error: unknown) => {
		if (error instanceof ServiceFailure) return error;
		// It was not sent, or refused by a 429 and not sent again.
		const isUnsent = error instanceof ReportedError && !(error instanceof UnknownOutcome);
		if (isUnsent) ledger.release(write);
		throw error;
	});
}

/**
 * Another refund of this charge, of any execution, may still be on its way: with a second one, more might be
 * refunded than the charge has, and nobody could tell the two apart.
 *
 * @throws {ReportedError} as long as the other one is unknown
 */
async function reconcileOther({ item, chargeId, ledger }: Turn): Promise<void> {
	const { pending } = ledger;
	if (pending === undefined) return;
	const found = await reconcile(item.transport, ledger, pending);
	if (found.outcome === 'notCarriedOut') {
		ledger.release(pending.write);
		return;
	}
	if (found.outcome === 'carriedOut') {
		ledger.recordDone(pending, found.after, RECONCILED);
		ledger.turnedUp = [...ledger.turnedUp, pending];
		return;
	}
	throw new ReportedError(
		`NOT refunded: it is unknown whether an earlier refund of charge ${chargeId} was carried out`,
		`The earlier refund of ${amountText(pending.amount)} ${pending.before.currency} may still be carried out, and this one was not sent. The charge was read again: ${found.seen}. No refund of this charge is sent before ${holdText(pending)}, unless the charge shows the earlier one. Look at the charge in the payment collection service before you refund it again.`,
	);
}

/** @returns the record when it was carried out @throws {ReportedError} when it was not, or nobody knows */
async function reconcileOwn({ item, ledger }: Turn, refund: PendingRefund): Promise<IDataObject> {
	const found = await reconcile(item.transport, ledger, refund);
	if (found.outcome === 'carriedOut') return ledger.recordDone(refund, found.after, RECONCILED);
	if (found.outcome === 'notCarriedOut') ledger.release(refund.write);
	throw found.error;
}

/**
 * Before the refund goes out again after a 429: the wait may have been long, and what was checked before the
 * first time must still be so.
 */
async function stopIfChanged(
	{ item, chargeId, ledger }: Turn,
	refused: PendingRefund,
): Promise<void> {
	const found = await checkRefusal(item.transport, ledger, refused);
	if (found.outcome === 'unknown' || found.after === undefined) throw found.error;
	if (compareAmounts(found.after.refunded, refused.before.refunded) === 0) return;
	throw new InputError(
		`NOT refunded: somebody else refunded charge ${chargeId} while the service asked to wait`,
		'Look at the charge before you run this again.',
	);
}

/** The text by which the service confirms a refund; undefined when the answer is no proper confirmation. */
function confirmation(answer: unknown): string | undefined {
	if (!isRecord(answer) || answer instanceof Error) return undefined;
	const { message } = answer;
	return typeof message === 'string' && message.trim() !== '' ? message : undefined;
}

/** @throws the error; what failed before anything was refunded says so in its message */
function rethrow(error: unknown): never {
	// A repeated key says that nothing was sent this time; the first time may well have refunded.
	const isOwnWord = error instanceof UnknownOutcome || error instanceof RepeatedKey;
	throw error instanceof ReportedError && !isOwnWord ? asNotRefunded(error) : error;
}

function asNotRefunded(error: unknown): unknown {
	if (error instanceof Error && !error.message.includes('NOT refunded')) {
		error.message += ' – NOT refunded';
	}
	return error;
}
