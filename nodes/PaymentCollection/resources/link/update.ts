import { type LINK_STATUSES, ENDPOINTS } from '../../../../contract/constants';
import type { LinkEdit } from '../../../../contract/schemas/link';
import { collection, inBody, type Field } from '../../../shared/fields/field';
import { InputError } from '../../../shared/errors/reportedError';
import { oneOf } from '../../../shared/fields/kinds';
import type { OperationDefinition } from '../../run/item';
import { simplifiedOutput } from '../../run/simplifiedOutput';
import { writeOnce } from '../../writes/writeOnce';
import { describeLink, linkIdField, linkOf, titleField } from './oneLink';

const endpoint = ENDPOINTS.linkEdit;

const statusField: Field<(typeof LINK_STATUSES)[number]> = {
	displayName: 'Status',
	name: 'status',
	...oneOf([
		{ name: 'Disabled', value: 'disabled', description: 'The link takes no payments' },
		{ name: 'Enabled', value: 'enabled', description: 'The link takes payments' },
	]),
	default: 'enabled',
	description: 'Whether the link takes payments',
	sent: inBody('status' satisfies keyof LinkEdit),
};

/** PATCH /v1/links/{id}/edit (docs/service.md, Links). */
export const update = {
	name: 'Update',
	action: 'Update payment link',
	description: 'Rename a payment link, or enable or disable it',
	endpoint,
	fields: [
		linkIdField,
		collection({
			displayName: 'Update Fields',
			name: 'updateFields',
			placeholder: 'Add Field',
			description: 'What to change, at least one field',
			entry: 'field',
			whenEmpty: 'sentByHand',
			noneSet: () =>
				new InputError(
					'There is nothing to update: Update Fields is empty',
					'Add a title or a status under Update Fields. Nothing was sent.',
				),
			fields: [statusField, titleField],
		}),
	],
	run: writeOnce({
		what: 'link',
		become: 'updated',
		whereToLook: 'Get the link to see its title and status. Updating it again comes to the same.',
		requestOf: ({ id, body }) => ({ endpoint, id, body }),
		resultOf: linkOf,
	}),
	output: simplifiedOutput('link'),
	write: {
		describeEffect: describeLink('updated'),
		toolNotice: `This changes what customers can pay by. Set by hand: the credential, and under Update Fields only what the model may change; a Status that you choose yourself stays as you choose it. Leave to the model: ${linkIdField.displayName} and Title.`,
	},
} satisfies OperationDefinition;
