import type { INodeProperties } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import { checkUuid } from '../../../shared/input/inputChecks';
import { customOperations } from '../../run/custom';
import { routed } from '../../run/declarative';
import { getRecord } from '../../run/getRecord';
import { fieldsOf } from '../../run/operation';
import type { Operations } from '../../run/operation';
import { createFields } from './create';
import { deleteFields } from './delete';
import { getFields } from './get';
import { createLink, deleteLink, describeLink, updateLink } from './linkOperations';
import { updateFields } from './update';

const operations = {
	create: {
		endpoint: ENDPOINTS.linkCreate,
		fields: createFields,
		run: createLink,
		write: { describeEffect: describeLink('created') },
	},
	delete: {
		endpoint: ENDPOINTS.linkDelete,
		fields: deleteFields,
		run: deleteLink,
		write: { describeEffect: describeLink('deleted') },
	},
	get: {
		endpoint: ENDPOINTS.linkGet,
		fields: getFields,
		run: getRecord(ENDPOINTS.linkGet, 'linkId', checkUuid, 'Link ID'),
	},
	update: {
		endpoint: ENDPOINTS.linkEdit,
		fields: updateFields,
		run: updateLink,
		write: { describeEffect: describeLink('updated') },
	},
} satisfies Operations;

export const linkCustomOperations = customOperations(operations);

export const linkProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['link'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				description: 'Create a payment page that can be sent to a customer',
				action: 'Create a link',
				routing: routed(operations.create),
			},
			{
				name: 'Delete',
				value: 'delete',
				description:
					'Delete a payment link for good: nobody can pay by it any more, and it can’t be brought back',
				action: 'Delete a link',
				routing: routed(operations.delete),
			},
			{
				name: 'Get',
				value: 'get',
				description: 'Get a payment link with its items and its status',
				action: 'Get a link',
				routing: routed(operations.get),
			},
			{
				name: 'Update',
				value: 'update',
				description: 'Rename a payment link, or enable or disable it',
				action: 'Update a link',
				routing: routed(operations.update),
			},
		],
		default: 'create',
	},
	...fieldsOf(operations),
];
