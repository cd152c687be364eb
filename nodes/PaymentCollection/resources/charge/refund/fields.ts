import { inPath, optionsField, type AnyField, type Field } from '../../../../shared/fields/field';
import { locator, oneOf, textThat } from '../../../../shared/fields/kinds';
import { checkUuid } from '../../../../shared/input/inputChecks';
import { NOTHING, moneyToSend, readAmount, type Amount } from '../../../../shared/money';
import { idempotencyKeyField, onRepeatedKeyField } from '../../../writes/idempotencyFields';

const chargeField = {
	displayName: 'Charge',
	name: 'chargeId',
	...locator('charge', 'searchCharges', checkUuid),
	required: true,
	description: 'The charge to refund. Type in the list to search, by the payer’s name too.',
	sent: inPath,
} as const satisfies Field<string>;

/** Of text that was checked. */
export const amountOf = (text: string): Amount => readAmount(text) ?? NOTHING;

/** An amount as it was given, whose digits are checked again once the charge's currency is known. */
export interface GivenAmount {
	readonly given: unknown;
	readonly amount: Amount;
}

export const amountTypeField = {
	displayName: 'Amount Type',
	name: 'amountType',
	...oneOf([
		{
			name: 'Full',
			value: 'full',
			description:
				'All that is left: the whole total, or the rest after earlier refunds. The same as the operation Refund in Full.',
		},
		{ name: 'Partial', value: 'partial', description: 'The amount that you give' },
	]),
	default: 'partial',
	description: 'How much of the charge to pay back',
	hint: 'Moves real money, and can’t be undone',
} as const satisfies Field<'full' | 'partial'>;

export const amountField = {
	displayName: 'Amount',
	name: 'amount',
	...textThat(
		(given, field): GivenAmount => ({
			given,
			amount: amountOf(moneyToSend(given, field, { positive: true })),
		}),
	),
	default: '',
	required: true,
	displayOptions: { show: { amountType: ['partial'] } },
	placeholder: 'e.g. 12.50',
	hint: 'In the charge’s currency',
	description:
		'Money to pay back, as a decimal number with a point in the charge’s currency and main unit. More than what is left of the charge is refused.',
} as const satisfies Field<GivenAmount>;

export const expectedRefundTotalField = {
	displayName: 'Expected Refund Total',
	name: 'expectedRefundTotal',
	...textThat((value, field) => amountOf(moneyToSend(value, field))),
	default: '',
	placeholder: 'e.g. 0.00',
	description:
		'What is refunded of the charge so far, as you know it. When the service says otherwise, somebody refunded in the meantime and On Already Refunded decides: so a refund is safe over several executions too.',
} as const satisfies Field<Amount>;

export const maximumAmountField = {
	displayName: 'Maximum Amount',
	name: 'maximumAmount',
	...textThat((value, field) => amountOf(moneyToSend(value, field))),
	default: '',
	placeholder: 'e.g. 100.00',
	description:
		'A refund of more than this is refused before anything is sent. Set it where an expression or an AI agent decides on the amount.',
} as const satisfies Field<Amount>;

export const onAlreadyRefundedField = {
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
			description: 'Refund nothing and return what is refunded already',
		},
	]),
	default: 'fail',
	description:
		'What to do when the refund total differs from Expected Refund Total, or nothing is left to refund',
} as const satisfies Field<'fail' | 'returnExisting'>;

const refundOptions = optionsField([
	expectedRefundTotalField,
	idempotencyKeyField,
	maximumAmountField,
	onAlreadyRefundedField,
	onRepeatedKeyField,
]);

export const refundFields: readonly AnyField[] = [
	chargeField,
	amountTypeField,
	amountField,
	refundOptions,
];

/** Without a choice: the operation says that it is all. */
export const refundFullFields: readonly AnyField[] = [
	{ ...chargeField, hint: amountTypeField.hint },
	refundOptions,
];
