import type { IDataObject } from 'n8n-workflow';
import { InputError, quotedText } from '../../../../shared/errors/reportedError';
import { checkMoney } from '../../../../shared/input/moneyCheck';
import { Amount, USUAL_DIGITS, currencyDigits } from '../../../../shared/money';
import { notRefunded } from '../../../writes/outcome';
import type { WriteId } from '../../../operation';
import { leftOf, refundResult, type ChargeBalance } from './balance';
import { checkMaximum, type GivenAmount, type RefundInput } from './fields';
import { expiryText, type ChargeLedger, type EarlierRefund } from './ledger';

const RETURN_EXISTING =
	"To continue with the charge as it is, set 'Options → On Already Refunded' to 'Return Existing'.";

/**
 * Finds an earlier refund of the same amount that this request probably asks for again. Its run reported UNKNOWN, and the charge
 * shows it by now. A model can also ask again for one that was reported to it.
 *
 * @returns for a model, a record of the earlier refund; with Return Existing, one of the charge; undefined if there is none
 * @throws {ReportedError} for people, without Return Existing
 */
export function askedAgain(
	input: RefundInput,
	{ run }: WriteId,
	isTool: boolean,
	ledger: ChargeLedger,
	balance: ChargeBalance,
): IDataObject | undefined {
	// Each item of a run asks for its own refund.
	const earlier = ledger.earlier.findLast(
		(one) => one.writeId.run !== run && mayRepeat(one, input, isTool),
	);
	if (earlier === undefined) return undefined;
	const until = expiryText(earlier);
	if (isTool) {
		const how = earlier.isReported
			? ''
			: ': no confirmation arrived, but the charge now shows the refund';
		return refundResult(
			balance,
			earlier.amount,
			`Refunded by an earlier call${how}. Nothing more was sent. Another refund of the same amount can be made after ${until}.`,
		);
	}
	const { id, currency } = balance;
	const refunded = balance.refunded.text;
	const amount = `${earlier.amount.text} ${currency}`;
	if (input.onAlreadyRefunded === 'returnExisting') {
		return refundResult(
			balance,
			Amount.ZERO,
			`Not refunded again: ${refunded} ${currency} of charge ${id} has already been refunded, ${amount} of it by an earlier run that received no confirmation.`,
		);
	}
	throw notRefunded(
		`charge ${id} already shows an earlier, unconfirmed refund of ${amount}`,
		`This refund, of the same amount, was not sent. To refund the same amount once more, set 'Options → Expected Refund Total' to ${refunded}, or run again after ${until}. ${RETURN_EXISTING}`,
	);
}

/** False for another amount, for a newer Expected Refund Total, and mostly for another Idempotency Key. */
function mayRepeat(earlier: EarlierRefund, input: RefundInput, isTool: boolean): boolean {
	const { before, key, isReported } = earlier;
	const { expectedRefundTotal: expected = before.refunded } = input;
	if (!isSameAmount(earlier, input) || !expected.equals(before.refunded)) return false;
	const isOtherKey = key !== undefined && input.key !== undefined && key !== input.key;
	// A reported refund is repeated only by a model, and not with a new key. After an unreported one, a model may invent a new key.
	return isReported ? isTool && earlier.isTool && !isOtherKey : isTool || !isOtherKey;
}

/** 'Full' means the same as the amount that was left before the earlier refund. */
const isSameAmount = ({ amount, before }: EarlierRefund, { amount: asked }: RefundInput): boolean =>
	amount.equals(asked === 'full' ? leftOf(before) : asked.value);

/**
 * Returns the charge as it is, with Return Existing, if the refund total is not the expected one or nothing is left. Undefined if
 * the refund is to be made, or refused for its amount. @throws {ReportedError} for another total, without Return Existing
 */
export function resultWithoutRefund(
	balance: ChargeBalance,
	{ expectedRefundTotal: expected, onAlreadyRefunded }: RefundInput,
): IDataObject | undefined {
	const { id, currency, refunded } = balance;
	const isAsExpected = expected === undefined || refunded.equals(expected);
	const already = `${refunded.text} ${currency} of charge ${id} has already been refunded${balance.remark}`;
	if (onAlreadyRefunded === 'returnExisting') {
		if (isAsExpected && leftOf(balance).isPositive) return undefined;
		const why = isAsExpected
			? 'and nothing is left'
			: `not ${quotedText(expected.text)} as expected`;
		return refundResult(balance, Amount.ZERO, `Not refunded again: ${already}, ${why}.`);
	}
	if (isAsExpected) return undefined;
	throw notRefunded(
		`${already}, not ${quotedText(expected.text)} as expected`,
		`Another refund might have been made in the meantime, perhaps by an earlier run of this workflow. No refund was sent. ${RETURN_EXISTING}`,
	);
}

/** The amount, with no more digits than the charge's currency. @throws {ReportedError} above the amount left or Maximum Amount */
export const amountToSend = (input: RefundInput, balance: ChargeBalance): Amount =>
	input.amount === 'full' ? allThatIsLeft(input, balance) : givenAmount(input.amount, balance);

function allThatIsLeft({ maximumAmount }: RefundInput, balance: ChargeBalance): Amount {
	const { id, currency, total, refunded } = balance;
	const left = leftOf(balance);
	if (!left.isPositive) {
		throw notRefunded(
			`charge ${id} has already been refunded in full${balance.remark}`,
			`Its total is ${total.text} ${currency}, and ${refunded.text} has already been refunded. No refund was sent. ${RETURN_EXISTING}`,
		);
	}
	const digits = currencyDigits(currency) ?? left.scale;
	// Keeps the digits of the total, which the service accepts, and adds more only if the rest needs them.
	const amount = left.withDigits(Math.min(total.scale, digits)) ?? left.withDigits(digits);
	if (amount === undefined) {
		throw new InputError(
			`The amount left to refund is ${left.text}: it has ${left.scale} decimal places, and ${currency} has ${digits}`,
			'No refund was sent. Refund part of the charge, or all of it directly in the payment collection service.',
		);
	}
	const amountText = `The amount left to refund is ${amount.text} ${currency}`;
	checkMaximum(amount, amountText, maximumAmount);
	return amount;
}

function givenAmount({ given }: GivenAmount, balance: ChargeBalance): Amount {
	const { id, currency, total, refunded } = balance;
	const left = leftOf(balance);
	// Counts only if ISO 4217 does not list the currency.
	const digits = Math.max(USUAL_DIGITS, total.scale);
	const amount = checkMoney(given, "'Amount'", { currency, digits, positive: true });
	if (!amount.isMoreThan(left)) return amount;
	throw new InputError(
		`'Amount' is ${quotedText(amount.text)} ${currency}: more than the ${left.text} ${currency} left to refund${balance.remark}`,
		`The total of charge ${id} is ${total.text}, and ${refunded.text} has already been refunded. No refund was sent.`,
	);
}
