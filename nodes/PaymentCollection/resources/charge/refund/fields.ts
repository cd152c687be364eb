import { InputError, quotedText } from '../../../../shared/errors/reportedError';
import { inPath, optionsField, type AnyField, type Field } from '../../../../shared/fields/field';
import { chargeLocator, oneOf, textThat } from '../../../../shared/fields/kinds';
import { checkChargeId } from '../../../../shared/input/inputChecks';
import { checkMoney } from '../../../../shared/input/moneyCheck';
import type { Amount } from '../../../../shared/money';
import type { AnyItem } from '../../../operation';
import { keyInNode } from '../../../writes/idempotencyKey';

const chargeField = {
	...chargeLocator('The charge to refund.', checkChargeId, inPath),
	required: true,
};

/** The digits of `given` are checked again once the charge's currency is known. */
export interface GivenAmount {
	readonly given: unknown;
	readonly value: Amount;
}

const amountTypeField = {
	displayName: 'Amount Type',
	name: 'amountType',
	...oneOf([
		{
			name: 'Full',
			value: 'full',
			description: 'The amount left to refund: the total, or the rest after earlier refunds',
		},
		{ name: 'Partial', value: 'partial', description: 'The amount that you enter' },
	]),
	default: 'partial',
	description: 'How much of the charge to refund',
	hint: 'Moves real money and can’t be undone',
} as const satisfies Field<'full' | 'partial'>;

const amountField = {
	displayName: 'Amount',
	name: 'amount',
	...textThat(
		(given, label): GivenAmount => ({
			given,
			value: checkMoney(given, label, { positive: true }),
		}),
	),
	default: '',
	required: true,
	displayOptions: { show: { amountType: ['partial'] } },
	placeholder: 'e.g. 12.50',
	hint: 'In the charge’s currency',
	description:
		'Amount to refund, as a decimal number such as 12.50 in the main unit of the charge’s currency. It can’t exceed the amount left to refund.',
} as const satisfies Field<GivenAmount>;

const expectedRefundTotalField = {
	displayName: 'Expected Refund Total',
	name: 'expectedRefundTotal',
	...textThat((value, label) => checkMoney(value, label)),
	default: '',
	placeholder: 'e.g. 0.00',
	description:
		"Amount refunded so far, as you last saw it. If the service reports a different amount, for example because of another refund, 'On Already Refunded' decides what happens. This stops a later execution from refunding again. To stop one that runs at the same time, set an 'Idempotency Key'.",
} as const satisfies Field<Amount>;

const maximumAmountField = {
	displayName: 'Maximum Amount',
	name: 'maximumAmount',
	...textThat((value, label) => checkMoney(value, label)),
	default: '',
	placeholder: 'e.g. 100.00',
	description:
		'A refund of more than this, in the charge’s currency, is refused before anything is sent. Set it if an expression or an AI agent decides on the amount.',
} as const satisfies Field<Amount>;

const onAlreadyRefundedField = {
	displayName: 'On Already Refunded',
	name: 'onAlreadyRefunded',
	...oneOf([
		{
			name: 'Fail',
			value: 'fail',
			description: 'Refund nothing and stop with an error',
		},
		{
			name: 'Return Existing',
			value: 'returnExisting',
			description: 'Refund nothing and return the refund total, with an amount of zero',
		},
	]),
	default: 'fail',
	description:
		"What to do when the refund total differs from 'Expected Refund Total', or nothing is left to refund",
} as const satisfies Field<'fail' | 'returnExisting'>;

export const refundFields: readonly AnyField[] = [
	chargeField,
	amountTypeField,
	amountField,
	optionsField([expectedRefundTotalField, maximumAmountField, onAlreadyRefundedField]),
];

export type RefundInput = Readonly<ReturnType<typeof readRefundInput>>;

/** Checks everything that needs no answer from the service. @throws {InputError} */
export function readRefundInput(item: AnyItem) {
	const values = item.values();
	const isFull = values.orDefault(amountTypeField) === 'full';
	const amount = isFull ? ('full' as const) : values.orDefault(amountField);
	const maximumAmount = values.of(maximumAmountField);
	if (amount !== 'full') {
		const amountText = `'Amount' is ${quotedText(amount.value.text)}`;
		checkMaximum(amount.value, amountText, maximumAmount);
	}
	return {
		chargeId: values.orDefault(chargeField),
		amount,
		maximumAmount,
		expectedRefundTotal: values.of(expectedRefundTotalField),
		onAlreadyRefunded: values.orDefault(onAlreadyRefundedField),
		key: keyInNode(item),
	};
}

/** @param amountText begins the message @throws {InputError} above Maximum Amount */
export function checkMaximum(amount: Amount, amountText: string, most: Amount | undefined): void {
	if (most === undefined || !amount.isMoreThan(most)) return;
	throw new InputError(
		`${amountText}: more than the 'Maximum Amount' of ${quotedText(most.text)}`,
		"No refund was sent. Don’t split it into smaller refunds: a person has to decide, and can raise 'Options → Maximum Amount'.",
	);
}
