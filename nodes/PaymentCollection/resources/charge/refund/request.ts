import { InputError, shownText } from '../../../../shared/errors/inputError';
import { checkOneOf, checkUuid } from '../../../../shared/input/inputChecks';
import { textsOf } from '../../../../shared/errors/messageKind';
import {
	NOTHING,
	amountText,
	compareAmounts,
	moneyToSend,
	readAmount,
} from '../../../../shared/money';
import type { Amount } from '../../../../shared/money';
import type { Item } from '../../../run/item';
import { optionsOf } from '../../../run/options';
import { readKeyOptions } from '../../../writes/idempotencyKey';
import type { KeyOptions } from '../../../writes/idempotencyKey';
import { lagText } from './balance';
import type { ChargeBalance } from './balance';
import { REFUND_MESSAGES } from './messages';

/** What to do when somebody refunded since Expected Refund Total was known, or nothing is left to refund. */
export const ALREADY_REFUNDED_CHOICES = ['fail', 'returnExisting'] as const;

/** What the user asks for. */
export interface RefundRequest {
	readonly chargeId: string;
	/** As it was given; its digits are checked once the charge's currency is known. */
	readonly amount: unknown;
	readonly toSend: Amount;
	readonly expectedRefundTotal: Amount | undefined;
	readonly onAlreadyRefunded: string;
	readonly keyOptions: KeyOptions | undefined;
}

/** Everything that can be checked without asking the service. @throws {InputError} */
export async function readRefundRequest(item: Item): Promise<RefundRequest> {
	const amount = item.parameter('amount');
	const toSend = amountOf(moneyToSend(amount, 'Amount', { positive: true }));
	const maximumAmount = optionalMoney(item, 'maximumAmount', 'Maximum Amount');
	if (maximumAmount !== undefined && compareAmounts(toSend, maximumAmount) > 0) {
		const facts = { amount: shownText(amountText(toSend)), maximum: amountText(maximumAmount) };
		throw new InputError(...textsOf(REFUND_MESSAGES.aboveMaximum, facts));
	}
	return {
		chargeId: checkUuid(item.parameter('chargeId'), 'Charge'),
		amount,
		toSend,
		expectedRefundTotal: optionalMoney(item, 'expectedRefundTotal', 'Expected Refund Total'),
		onAlreadyRefunded: checkOneOf(
			item.parameter('options.onAlreadyRefunded', 'fail'),
			'On Already Refunded',
			ALREADY_REFUNDED_CHOICES,
		),
		keyOptions: readKeyOptions(item),
	};
}

/**
 * @returns the amount as text to send, with no more digits than the charge's currency has
 * @throws {InputError} when it is more than what is left
 */
export function checkAgainstCharge(amount: unknown, balance: ChargeBalance): string {
	const { id, currency, total, refunded, left } = balance;
	const text = moneyToSend(amount, 'Amount', { currency, positive: true });
	if (compareAmounts(amountOf(text), left) > 0) {
		const facts = {
			id,
			amount: shownText(text),
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

/** Of text that was checked. */
export const amountOf = (text: string): Amount => readAmount(text) ?? NOTHING;

/** An option that is there and empty, as an expression without a result leaves it, must not count as no limit. */
function optionalMoney(item: Item, name: string, field: string): Amount | undefined {
	const options = optionsOf(item);
	return name in options ? amountOf(moneyToSend(options[name], field)) : undefined;
}
