import { InputError, quotedText } from '../../../../shared/errors/inputError';
import { textsOf } from '../../../../shared/errors/messageKind';
import { amountText, compareAmounts, moneyToSend } from '../../../../shared/money';
import type { Amount } from '../../../../shared/money';
import type { Item } from '../../../run/item';
import { keyOptionsOf } from '../../../writes/idempotencyFields';
import type { KeyOptions } from '../../../writes/idempotencyFields';
import { lagText } from './balance';
import type { ChargeBalance } from './balance';
import {
	amountField,
	amountOf,
	expectedRefundTotalField,
	maximumAmountField,
	onAlreadyRefundedField,
} from './fields';
import type { GivenAmount } from './fields';
import { REFUND_MESSAGES } from './messages';

/** What the user asks for. */
export interface RefundRequest {
	readonly chargeId: string;
	readonly amount: GivenAmount;
	readonly expectedRefundTotal: Amount | undefined;
	readonly onAlreadyRefunded: 'fail' | 'returnExisting';
	readonly keyOptions: KeyOptions | undefined;
}

/** Everything that can be checked without asking the service. @throws {InputError} */
export function readRefundRequest(item: Item): RefundRequest {
	const values = item.values();
	const amount = values.orDefault(amountField);
	const maximum = values.of(maximumAmountField);
	if (maximum !== undefined && compareAmounts(amount.amount, maximum) > 0) {
		const facts = {
			amount: quotedText(amountText(amount.amount)),
			maximum: quotedText(amountText(maximum)),
		};
		throw new InputError(...textsOf(REFUND_MESSAGES.aboveMaximum, facts));
	}
	return {
		chargeId: values.id,
		amount,
		expectedRefundTotal: values.of(expectedRefundTotalField),
		onAlreadyRefunded: values.orDefault(onAlreadyRefundedField),
		keyOptions: keyOptionsOf(values),
	};
}

/**
 * @returns the amount as text to send, with no more digits than the charge's currency has
 * @throws {InputError} when it is more than what is left
 */
export function checkAgainstCharge({ given }: GivenAmount, balance: ChargeBalance): string {
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
