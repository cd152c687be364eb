import { recordLocator } from '../../../../shared/fields/recordLocator';
import { idempotencyKeyField, onRepeatedKeyField } from '../../../writes/idempotencyFields';
import { optionsField } from '../../optionsField';
import { showFor } from '../../showFor';

const chargeLocator = recordLocator(
	{ displayName: 'Charge', name: 'chargeId', description: 'The charge to refund' },
	'charge',
	'searchCharges',
);

/** POST /v1/charges/{id}/refund. */
export const refundFields = showFor('charge', 'refund', [
	{ ...chargeLocator, required: true },
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 12.50',
		description:
			'Money to pay back, as a decimal number with a point in the charge’s currency and main unit. More than what is left of the charge is refused.',
	},
	optionsField([
		{
			displayName: 'Expected Refund Total',
			name: 'expectedRefundTotal',
			type: 'string',
			default: '',
			placeholder: 'e.g. 0.00',
			description:
				'What is refunded of the charge so far, as you know it. When the service says otherwise, somebody refunded in the meantime and On Already Refunded decides: so a refund is safe over several executions too.',
		},
		idempotencyKeyField,
		{
			displayName: 'Maximum Amount',
			name: 'maximumAmount',
			type: 'string',
			default: '',
			placeholder: 'e.g. 100.00',
			description: 'A refund of more than this is refused before anything is sent',
		},
		{
			displayName: 'On Already Refunded',
			name: 'onAlreadyRefunded',
			type: 'options',
			options: [
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
			],
			default: 'fail',
			description:
				'What to do when the refund total differs from Expected Refund Total, or nothing is left to refund',
		},
		onRepeatedKeyField,
	]),
]);
