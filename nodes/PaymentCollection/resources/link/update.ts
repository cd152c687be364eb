import { type LINK_STATUSES, ENDPOINTS } from '../../../../contract/constants';
import type { LinkEdit } from '../../../../contract/schemas/link';
import { collection, inBody, type Field } from '../../../shared/fields/field';
import { InputError } from '../../../shared/errors/reportedError';
import { oneOf } from '../../../shared/fields/kinds';
import type { OperationDefinition } from '../../operation';
import { simplifiedOutput } from '../simplifiedOutput';
import { oneRequest } from '../../writes/oneRequest';
import { linkIdField, titleField } from './oneLink';

const statusField: Field<(typeof LINK_STATUSES)[number]> = {
	...inBody<LinkEdit>('status'),
	...oneOf([
		{ name: 'Disabled', value: 'disabled', description: 'The link doesn’t accept payments' },
		{ name: 'Enabled', value: 'enabled', description: 'The link accepts payments' },
	]),
	default: 'enabled',
	description: 'Enable or disable the link',
};

/** PATCH /v1/links/{id}/edit (docs/service.md, Links). */
export const update = {
	name: 'Update',
	action: 'Update payment link',
	description: 'Rename a payment link, or enable or disable it',
	endpoint: ENDPOINTS.linkEdit,
	fields: [
		linkIdField,
		collection({
			displayName: 'Update Fields',
			name: 'updateFields',
			placeholder: 'Add Field',
			description: 'Fields to change, at least one',
			entry: 'field',
			whenEmpty: 'sentIfTyped',
			noneSet: () =>
				new InputError(
					"There is nothing to update: 'Update Fields' is empty",
					"Add 'Title' or 'Status' under 'Update Fields'. Nothing was sent.",
				),
			fields: [statusField, titleField],
		}),
	],
	output: simplifiedOutput('link'),
	...oneRequest({
		record: 'link',
		done: 'updated',
		toolNotice: `This changes links that customers pay with. Set these yourself: the credential, and which fields are added under 'Update Fields'. The model can’t change a 'Status' that you set. Let the model set only '${linkIdField.displayName}' and 'Title'.`,
		whereToLook: 'Get the link to see its title and status. Updating it again does no harm.',
	}),
} satisfies OperationDefinition;
