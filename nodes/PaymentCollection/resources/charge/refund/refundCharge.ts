import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../../contract/endpoints';
import { clock } from '../../../../shared/clock';
import { InputError } from '../../../../shared/errors/inputError';
import { ReportedError, ServiceFailure, type Failure } from '../../../../shared/errors/failures';
import { isRecord } from '../../../../shared/isRecord';
import { plainText } from '../../../../shared/plainText';
import { redactText } from '../../../../shared/redaction/redactText';
import { isTakenBack } from '../../../../shared/service/answers';
import type { Item } from '../../../run/item';
import { oncePerKey } from '../../../writes/idempotencyKey';
import { Queues } from '../../../writes/queues';
import { UnknownOutcome } from '../../../writes/unknownOutcome';
import { askedAgain } from './askedAgain';
import { balanceAfter, readChargeBalance, withoutSecretsOf } from './balance';
import { inTurn, type ChargeLedger, type OpenRefund } from './chargeLedger';
import { rethrowRefundError, rethrowAsNotRefunded } from './errors';
import { RefundAttempt } from './refundAttempt';
import { amountOf } from './fields';
import { amountToSend, readRefundRequest, type RefundRequest } from './request';
import { existingRefund } from './result';

const endpoint = ENDPOINTS.chargeRefund;

/** By n8n's object for the execution. */
const byExecution = new Queues<object>();

/**
 * Refunds one charge (docs/service.md, Refunds): reads it, refuses what can't be right
 * before anything is sent, sends the refund at most once per item whatever Retry On Fail does, and after a lost answer
 * reads the charge again to tell what happened.
 *
 * Refunds of one execution go strictly one after another; those of one charge do so whatever execution they are of.
 *
 * Whether a refund may be sent, or sent again, is decided in this order (request.ts refuses bad values after 1):
 * 1. an earlier try of this item (Retry On Fail) sent it: attemptLedger.ts knows, and RefundAttempt.earlierTry tells
 * 2. the Idempotency Key was used before: idempotencyKey.ts
 * 3. another refund of the charge is still unknown: RefundAttempt.reconcileEarlier, for as long as chargeLedger.ts says
 * 4. an earlier run's unknown refund of as much has turned up since: askedAgain.ts
 * 5. Expected Refund Total differs: existingRefund in result.ts, where Return Existing also ends when nothing is left;
 *    more than what is left, or all of it where nothing is: amountToSend in request.ts
 * 6. after a 429 it is sent again (retry.ts), if the charge is as it was: RefundAttempt.stopIfChanged
 * 7. afterwards: the answer says what became of it (writeOutcome.ts), and where it does not, the charge does
 *    (reconcile.ts); only what was certainly not carried out is released for another try: RefundAttempt.release,
 *    by `lostAnswer` below where it was never sent
 *
 * @returns one record, see result.ts
 * @throws errors whose message alone says NOT refunded or UNKNOWN: an agent's model may see nothing else
 */
export async function refundCharge(item: Item): Promise<IDataObject[]> {
	const { transport, execution } = item;
	const { baseUrl, signal } = transport;
	const oneAfterAnother = async <T>(
		chargeId: string,
		task: (ledger: ChargeLedger) => Promise<T>,
	): Promise<T> =>
		await byExecution.inTurn(
			execution,
			async () => await inTurn({ baseUrl, chargeId }, signal, task),
		);

	const refund = async (): Promise<IDataObject[]> => {
		// Whatever the item's values are by now: what an earlier try has sent decides.
		const key = item.attemptKey({ endpoint });
		const sent = RefundAttempt.earlierCharge(key);
		if (sent !== undefined) {
			return await oneAfterAnother(sent, async (ledger) => {
				const result = await new RefundAttempt(item, key, sent, ledger).earlierTry();
				return result === undefined ? [] : [result];
			});
		}
		const request = readChecked(item);
		return await oneAfterAnother(
			request.chargeId,
			async (ledger) => await refundOnce(item, request, ledger),
		);
	};
	return await refund().catch(rethrowRefundError);
}

function readChecked(item: Item): RefundRequest {
	try {
		return readRefundRequest(item);
	} catch (error) {
		return rethrowAsNotRefunded(error);
	}
}

async function refundOnce(
	item: Item,
	request: RefundRequest,
	ledger: ChargeLedger,
): Promise<IDataObject[]> {
	const { chargeId: id, amount, keyOptions } = request;
	// A try of all that is left is the same try, whatever is left by then.
	const asked = amount === 'full' ? amount : plainText(amount.given);
	const key = item.attemptKey({ endpoint, id, body: { amount: asked } });
	const attempt = new RefundAttempt(item, key, id, ledger);

	const earlierTry = await attempt.earlierTry();
	if (earlierTry !== undefined) return [earlierTry];

	return await oncePerKey(item, keyOptions, {
		operation: `${endpoint.method} ${endpoint.path}`,
		write: async () => await refundAfresh(item, request, ledger, attempt),
		mayBeCarriedOut: () => attempt.mayBeCarriedOut(),
	});
}

/** No earlier try of this item has sent the refund. */
async function refundAfresh(
	item: Item,
	request: RefundRequest,
	ledger: ChargeLedger,
	attempt: RefundAttempt,
): Promise<IDataObject> {
	const { chargeId: id } = request;
	const { transport } = item;

	await attempt.reconcileEarlier();

	const before = await readChargeBalance(transport, ledger, id);
	const existing =
		askedAgain(item, attempt.key, request, ledger, before) ?? existingRefund(before, request);
	if (existing !== undefined) return existing;

	const clean = (text: string): string =>
		withoutSecretsOf(before, redactText(text, transport.apiKey));
	const amount = amountToSend(request, before);
	const open: OpenRefund = {
		attempt: attempt.key,
		hasKey: request.keyOptions !== undefined,
		before,
		amount: amountOf(amount),
		sentAt: clock.elapsed(),
	};
	const answer = await transport
		.send(
			{ endpoint, id, body: { amount } },
			{
				beforeSend: () => attempt.open(open),
				keptBack: () => attempt.release(),
				beforeRetry: async (failure) => await attempt.stopIfChanged(open, cleaned(failure, clean)),
			},
		)
		.catch(lostAnswer(attempt));
	const message = confirmation(answer);
	if (message !== undefined) {
		return attempt.close(open, balanceAfter(before, open.amount), clean(message));
	}
	const lost =
		answer instanceof ServiceFailure ? { ...open, failure: cleaned(answer.failure, clean) } : open;
	attempt.open(lost);
	return await attempt.reconcile(lost);
}

/** A failed request is what has to be reconciled; anything else, a cancelled execution too, ends the run. */
const lostAnswer =
	(attempt: RefundAttempt) =>
	(error: unknown): ServiceFailure => {
		if (error instanceof ServiceFailure) return error;
		const isUnsent = error instanceof ReportedError || error instanceof InputError;
		if (isUnsent && !(error instanceof UnknownOutcome)) attempt.release();
		throw error;
	};

/** What the service says of a failure, without what its charge holds. */
function cleaned(failure: Failure, clean: (text: string) => string): Failure {
	const { serviceMessage, serviceCode } = failure;
	return {
		...failure,
		...(serviceMessage === undefined ? {} : { serviceMessage: clean(serviceMessage) }),
		...(serviceCode === undefined ? {} : { serviceCode: clean(serviceCode) }),
	};
}

/** The text by which the service confirms a refund; undefined when the answer is no proper confirmation. */
function confirmation(answer: unknown): string | undefined {
	if (!isRecord(answer) || answer instanceof Error) return undefined;
	const { message, error } = answer;
	const isNone = (error ?? undefined) !== undefined || isTakenBack(answer);
	return typeof message === 'string' && message.trim() !== '' && !isNone ? message : undefined;
}
