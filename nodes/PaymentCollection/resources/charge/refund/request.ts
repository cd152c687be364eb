import { InputError, quotedText } from '../../../../shared/errors/inputError';
import { textsOf } from '../../../../shared/errors/messageKind';
import {
	NOTHING,
	amountText,
	compareAmounts,
	currencyDigits,
	moneyToSend,
	withScale,
	type Amount,
} from '../../../../shared/money';
import type { Item } from '../../../run/item';
import { keyOptionsOf, type KeyOptions } from '../../../writes/idempotencyKey';
import { lagText, type ChargeBalance } from './balance';
import {
	amountField,
	amountOf,
	amountTypeField,
	expectedRefundTotalField,
	maximumAmountField,
	onAlreadyRefundedField,
	type GivenAmount,
} from './fields';
import { REFUND_MESSAGES } from './messages';

/** What the user asks for. */
export interface RefundRequest {
	readonly chargeId: string;
	/** `full` is all that is left of the charge, which is known once that is read. */
	readonly amount: GivenAmount | 'full';
	readonly maximumAmount: Amount | undefined;
	readonly expectedRefundTotal: Amount | undefined;
	readonly onAlreadyRefunded: 'fail' | 'returnExisting';
	readonly keyOptions: KeyOptions | undefined;
}

/** Everything that can be checked without asking the service. @throws {InputError} */
export function readRefundRequest(item: Item): RefundRequest {
	const values = item.values();
	const isFull = values.orDefault(amountTypeField) === 'full';
	const amount = isFull ? 'full' : values.orDefault(amountField);
	const maximum = values.of(maximumAmountField);
	if (amount !== 'full' && maximum !== undefined && compareAmounts(amount.amount, maximum) > 0) {
		const facts = {
			amount: quotedText(amountText(amount.amount)),
			maximum: quotedText(amountText(maximum)),
		};
		throw new InputError(...textsOf(REFUND_MESSAGES.aboveMaximum, facts));
	}
	return {
		chargeId: values.id,
		amount,
		maximumAmount: maximum,
		expectedRefundTotal: values.of(expectedRefundTotalField),
		onAlreadyRefunded: values.orDefault(onAlreadyRefundedField),
		keyOptions: keyOptionsOf(values),
	};
}

/**
 * @returns the amount as text to send, with no more digits than the charge's currency has
 * @throws {InputError} when it is more than what is left, or all of it and more than the user wants at most
 */
export const amountToSend = (request: RefundRequest, balance: ChargeBalance): string =>
	request.amount === 'full'
		? allThatIsLeft(request, balance)
		: givenAmount(request.amount, balance);

function allThatIsLeft({ maximumAmount }: RefundRequest, balance: ChargeBalance): string {
	const { id, currency, total, refunded, left } = balance;
	if (compareAmounts(left, NOTHING) <= 0) {
		const facts = {
			id,
			currency,
			total: amountText(total),
			refunded: amountText(refunded),
			lag: lagText(balance),
		};
		throw new InputError(...textsOf(REFUND_MESSAGES.nothingLeft, facts));
	}
	const rest = amountText(withScale(left, currencyDigits(currency) ?? 0));
	const text = restToSend(rest, currency);
	if (maximumAmount !== undefined && compareAmounts(left, maximumAmount) > 0) {
		const facts = { left: text, currency, maximum: quotedText(amountText(maximumAmount)) };
		throw new InputError(...textsOf(REFUND_MESSAGES.restAboveMaximum, facts));
	}
	return text;
}

function restToSend(rest: string, currency: string): string {
	try {
		const checks = { currency, positive: true, ofService: true };
		return moneyToSend(rest, 'What is left of the charge', checks);
	} catch (error) {
		return rethrowOfService(error);
	}
}

/** Of an amount that is the service's own: there is no value that the user could correct. */
function rethrowOfService(error: unknown): never {
	if (!(error instanceof InputError)) throw error;
	throw new InputError(
		error.message,
		'No refund was sent. Refund a part of the charge, or all of it in the payment collection service itself.',
	);
}

function givenAmount({ given }: GivenAmount, balance: ChargeBalance): string {
	const { id, currency, total, refunded, left } = balance;
	const text = moneyToSend(given, amountField.displayName, { currency, positive: true });
	if (compareAmounts(amountOf(text), left) > 0) {
		const facts = {
			id,
			amount: quotedText(text),
			currency,
			left: amountText(left),
			total: amountText(total),
			refunded: amountText(refunded),
			lag: lagText(balance),
		};
		throw new InputError(...textsOf(REFUND_MESSAGES.moreThanLeft, facts));
	}
	return text;
}
