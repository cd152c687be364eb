import type { IDataObject } from 'n8n-workflow';
import { InputError, shortened } from '../../../shared/inputError';
import { checkOneOf, checkUuid } from '../../../shared/inputChecks';
import {
	NOTHING,
	amountText,
	compareAmounts,
	moneyToSend,
	readAmount,
} from '../../../shared/money';
import type { Amount } from '../../../shared/money';
import type { Item } from '../../run/item';
import type { ChargeBalance } from './chargeBalance';

/** What to do when somebody refunded since Expected Refund Total was known. */
export const ALREADY_REFUNDED_CHOICES = ['fail', 'returnExisting'] as const;

/** What the user asks for. */
export interface RefundRequest {
	readonly chargeId: string;
	/** As it was given; its digits are checked once the charge's currency is known. */
	readonly amount: unknown;
	readonly expectedRefundTotal: Amount | undefined;
	readonly onAlreadyRefunded: string;
}

/** Everything that can be checked without asking the service. @throws {InputError} */
export async function readRefundRequest(item: Item): Promise<RefundRequest> {
	const amount = item.parameter('amount');
	const toSend = amountOf(moneyToSend(amount, 'Amount', { positive: true }));
	const maximumAmount = optionalMoney(item, 'maximumAmount', 'Maximum Amount');
	if (maximumAmount !== undefined && compareAmounts(toSend, maximumAmount) > 0) {
		throw new InputError(
			`Amount is ${shortened(amountText(toSend))}: more than the Maximum Amount of ${amountText(maximumAmount)}`,
			'Nothing was sent.',
		);
	}
	return {
		chargeId: checkUuid(item.parameter('chargeId'), 'Charge'),
		amount,
		expectedRefundTotal: optionalMoney(item, 'expectedRefundTotal', 'Expected Refund Total'),
		onAlreadyRefunded: checkOneOf(
			item.parameter('options.onAlreadyRefunded', 'fail'),
			'On Already Refunded',
			ALREADY_REFUNDED_CHOICES,
		),
	};
}

/**
 * @returns the amount as text to send, with no more digits than the charge's currency has
 * @throws {InputError} when it is more than what is left
 */
export function checkAgainstCharge(
	amount: unknown,
	{ id, currency, total, refunded, left }: ChargeBalance,
): string {
	const text = moneyToSend(amount, 'Amount', { currency, positive: true });
	if (compareAmounts(amountOf(text), left) > 0) {
		throw new InputError(
			`Amount is ${shortened(text)} ${currency}: more than the ${amountText(left)} ${currency} that are left to refund`,
			`Charge ${id} has a total of ${amountText(total)}, and ${amountText(refunded)} is refunded already.`,
		);
	}
	return text;
}

/** Of text that was checked. */
export const amountOf = (text: string): Amount => readAmount(text) ?? NOTHING;

/** An option that is there and empty, as an expression without a result leaves it, must not count as no limit. */
function optionalMoney(item: Item, name: string, field: string): Amount | undefined {
	const options = (item.parameter('options', {}) ?? {}) as IDataObject;
	return name in options ? amountOf(moneyToSend(options[name], field)) : undefined;
}
