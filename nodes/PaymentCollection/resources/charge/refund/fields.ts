import type { INodeProperties } from 'n8n-workflow';
import { idempotencyKeyField, onRepeatedKeyField } from '../../../writes/idempotencyFields';
import { showFor } from '../../showFor';

const chargeLocator: INodeProperties = {
	displayName: 'Charge',
	name: 'chargeId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The charge to refund',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a charge…',
			typeOptions: { searchListMethod: 'searchCharges', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
						errorMessage: 'A charge ID is a UUID',
					},
				},
			],
		},
	],
};

/** POST /v1/charges/{id}/refund. */
export const refundFields = showFor('charge', 'refund', [
	chargeLocator,
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
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
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
		],
	},
]);
