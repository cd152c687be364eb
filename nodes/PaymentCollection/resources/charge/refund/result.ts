import type { IDataObject } from 'n8n-workflow';
import { InputError, quotedText } from '../../../../shared/errors/inputError';
import { textsOf } from '../../../../shared/errors/messageKind';
import {
	NOTHING,
	amountText,
	compareAmounts,
	currencyDigits,
	readAmount,
	withScale,
	type Amount,
} from '../../../../shared/money';
import { plainText } from '../../../../shared/plainText';
import { lagText, type ChargeBalance } from './balance';
import { REFUND_MESSAGES } from './messages';
import type { RefundRequest } from './request';

/** The record of one refund: charge_id, amount, currency, message, refund_total and remaining after it. */
export function refundResult(after: ChargeBalance, amount: Amount, message: string): IDataObject {
	// Of a currency that ISO 4217 does not list, the charge itself shows how it is written.
	const digits = currencyDigits(after.currency) ?? after.total.scale;
	const inCurrency = (value: Amount): string => amountText(withScale(value, digits));
	return {
		charge_id: after.id,
		amount: inCurrency(amount),
		currency: after.currency,
		message,
		refund_total: inCurrency(after.refunded),
		remaining: inCurrency(after.left),
	};
}

/** One refund in words, for the error of another item; undefined when none was sent. */
export function describeRefund({
	amount,
	currency,
	charge_id: id,
}: IDataObject): string | undefined {
	const refunded = readAmount(amount);
	return refunded === undefined || refunded.units === 0n
		? undefined
		: `${plainText(amount)} ${plainText(currency)} of charge ${plainText(id)} refunded`;
}

/**
 * The record of the charge as it is, when nothing is to be refunded: somebody refunded since Expected Refund Total was
 * known, or nothing is left. Undefined when the refund is to be made, or refused for its amount.
 *
 * @throws {InputError} when the user wants it to fail
 */
export function existingRefund(
	balance: ChargeBalance,
	{ expectedRefundTotal: expected, onAlreadyRefunded }: RefundRequest,
): IDataObject | undefined {
	const { id, currency, refunded, left } = balance;
	const isAsExpected = expected === undefined || compareAmounts(refunded, expected) === 0;
	const hasNothingLeft = compareAmounts(left, NOTHING) <= 0;
	const total = amountText(refunded);
	if (onAlreadyRefunded === 'returnExisting') {
		if (isAsExpected && !hasNothingLeft) return undefined;
		const facts = `${total} ${currency} of charge ${id} is refunded already`;
		const why = isAsExpected
			? 'and nothing is left'
			: `not ${quotedText(amountText(expected))} as expected`;
		return refundResult(balance, NOTHING, `Not refunded again: ${facts}, ${why}.`);
	}
	if (isAsExpected) return undefined;
	const facts = {
		id,
		refunded: total,
		currency,
		expected: quotedText(amountText(expected)),
		lag: lagText(balance),
	};
	throw new InputError(...textsOf(REFUND_MESSAGES.alreadyRefunded, facts));
}
