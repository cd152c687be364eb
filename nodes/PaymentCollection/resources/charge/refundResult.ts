import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../../shared/inputError';
import {
	NOTHING,
	amountText,
	compareAmounts,
	currencyDigits,
	withScale,
} from '../../../shared/money';
import type { Amount } from '../../../shared/money';
import { plainText } from '../../../shared/plainText';
import type { ChargeBalance } from './chargeBalance';
import type { RefundRequest } from './refundRequest';

/** The record of one refund: charge_id, amount, currency, message, refund_total and remaining after it. */
export function refundResult(after: ChargeBalance, amount: Amount, message: string): IDataObject {
	const digits = currencyDigits(after.currency) ?? 0;
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

/** One refund in words, for the error of a later item. */
export const describeRefund = ({ amount, currency, charge_id: id }: IDataObject): string =>
	`${plainText(amount)} ${plainText(currency)} of charge ${plainText(id)} refunded`;

/**
 * The record when somebody refunded since Expected Refund Total was known; undefined when nobody did.
 *
 * @throws {InputError} when the user wants it to fail
 */
export function existingRefund(
	balance: ChargeBalance,
	{ expectedRefundTotal: expected, onAlreadyRefunded }: RefundRequest,
): IDataObject | undefined {
	if (expected === undefined || compareAmounts(balance.refunded, expected) === 0) return undefined;
	const facts = `${amountText(balance.refunded)} ${balance.currency} of charge ${balance.id} is refunded already, not ${amountText(expected)} as expected`;
	if (onAlreadyRefunded === 'returnExisting') {
		return refundResult(balance, NOTHING, `Not refunded again: ${facts}.`);
	}
	throw new InputError(
		`NOT refunded: ${facts}`,
		'Somebody refunded in the meantime, perhaps an earlier run of this workflow. No refund was sent. To go on with the charge as it is, set On Already Refunded to Return Existing.',
	);
}
