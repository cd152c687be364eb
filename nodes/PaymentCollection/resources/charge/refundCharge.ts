import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import { scopeOf } from '../../../shared/executionScope';
import { InputError } from '../../../shared/inputError';
import { ReportedError, ServiceFailure } from '../../../shared/failures';
import { plainText } from '../../../shared/plainText';
import type { Item } from '../../run/item';
import { balanceAfter, readChargeBalance } from './chargeBalance';
import { RefundErrand } from './refundErrand';
import { UnknownRefund, notRefunded, nothingSent } from './refundErrors';
import { amountOf, checkAgainstCharge, readRefundRequest } from './refundRequest';
import type { RefundRequest } from './refundRequest';
import { existingRefund } from './refundResult';
import type { UnsettledRefund } from './settleRefund';

/**
 * Refunds one charge (service-interface.md, POST /v1/charges/{id}/refund): reads it, refuses what can't be right
 * before anything is sent, sends the refund at most once per item whatever Retry On Fail does, and after a lost
 * answer reads the charge again to tell what happened. Refunds of one execution go strictly one after another.
 *
 * @returns one record, see refundResult.ts
 * @throws errors whose message alone says NOT refunded or UNKNOWN: an agent's model may see nothing else
 */
export async function refundCharge(item: Item): Promise<IDataObject[]> {
	const refund = async (): Promise<IDataObject> => {
		const request = await readRefundRequest(item).catch(nothingSent);
		return await scopeOf(item.execution).oneAtATime(async () => await refundOnce(item, request));
	};
	return [await refund().catch(notRefunded)];
}

async function refundOnce(item: Item, request: RefundRequest): Promise<IDataObject> {
	const { transport } = item;
	const { chargeId: id, amount: given } = request;
	const endpoint = ENDPOINTS.chargeRefund;
	const slot = item.writeSlot({ endpoint, id, body: { amount: plainText(given) } });
	const errand = new RefundErrand(item, slot, id);

	const earlier = await errand.earlierTry();
	if (earlier !== undefined) return earlier;

	await errand.settleOthers();
	const before = await readChargeBalance(transport, errand.notes, id);
	const existing = existingRefund(before, request);
	if (existing !== undefined) return existing;

	const amount = checkAgainstCharge(given, before);
	const refund: UnsettledRefund = { before, amount: amountOf(amount) };
	// Before the request goes out, so that no error, whatever its kind, can make a sent refund look unsent.
	errand.open(refund);
	const answer = await transport
		.send(
			{ endpoint, id, body: { amount } },
			{ beforeRetry: async (failure) => await errand.stopIfChanged(refund, failure) },
		)
		.catch(lostAnswer(errand));
	const message = confirmation(answer);
	if (message !== undefined) {
		return errand.close(refund, balanceAfter(before, refund.amount), message);
	}
	const unsettled =
		answer instanceof ServiceFailure ? { ...refund, failure: answer.failure } : refund;
	errand.open(unsettled);
	return await errand.settle(unsettled);
}

/** A failed request is what has to be settled; anything else, a cancelled execution too, ends the run. */
const lostAnswer =
	(errand: RefundErrand) =>
	(error: unknown): ServiceFailure => {
		if (error instanceof ServiceFailure) return error;
		const isUnsent = error instanceof ReportedError || error instanceof InputError;
		if (isUnsent && !(error instanceof UnknownRefund)) errand.release();
		throw error;
	};

/** The text by which the service confirms a refund; undefined when the answer is no proper confirmation. */
function confirmation(answer: unknown): string | undefined {
	if (typeof answer !== 'object' || answer === null || answer instanceof Error) return undefined;
	const { message, error } = answer as { message?: unknown; error?: unknown };
	const hasError = error !== undefined && error !== null;
	return typeof message === 'string' && message.trim() !== '' && !hasError ? message : undefined;
}
