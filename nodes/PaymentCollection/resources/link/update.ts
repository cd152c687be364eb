import { MAX_TITLE_LENGTH } from '../../../../contract/limits';
import { showFor } from '../showFor';
import { linkIdField } from './linkId';

/** PATCH /v1/links/{id}/edit. */
export const updateFields = showFor('link', 'update', [
	linkIdField,
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'What to change, at least one field',
		options: [
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: [
					{ name: 'Disabled', value: 'disabled', description: 'The link takes no payments' },
					{ name: 'Enabled', value: 'enabled', description: 'The link takes payments' },
				],
				default: 'enabled',
				description: 'Whether the link takes payments',
				routing: { send: { type: 'body', property: 'status' } },
			},
			{
				displayName: 'Title',
				name: 'title',
				type: 'string',
				default: '',
				description: `Heading of the payment page, at most ${MAX_TITLE_LENGTH} characters`,
				routing: { send: { type: 'body', property: 'title' } },
			},
		],
	},
]);
