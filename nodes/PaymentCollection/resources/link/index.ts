import type { INodeProperties } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import { checkUuid } from '../../../shared/inputChecks';
import { routed } from '../../run/declarative';
import { getRecord } from '../../run/getRecord';
import { createFields } from './create';
import { deleteFields } from './delete';
import { getFields } from './get';
import { createLink, deleteLink, updateLink } from './linkOperations';
import { updateFields } from './update';

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
				routing: routed(ENDPOINTS.linkCreate, createLink),
			},
			{
				name: 'Delete',
				value: 'delete',
				description:
					'Delete a payment link for good: nobody can pay by it any more, and it can’t be brought back',
				action: 'Delete a link',
				routing: routed(ENDPOINTS.linkDelete, deleteLink),
			},
			{
				name: 'Get',
				value: 'get',
				description: 'Get a payment link with its items and its status',
				action: 'Get a link',
				routing: routed(
					ENDPOINTS.linkGet,
					getRecord(ENDPOINTS.linkGet, 'linkId', checkUuid, 'Link ID'),
				),
			},
			{
				name: 'Update',
				value: 'update',
				description: 'Rename a payment link, or enable or disable it',
				action: 'Update a link',
				routing: routed(ENDPOINTS.linkEdit, updateLink),
			},
		],
		default: 'create',
	},
	...createFields,
	...deleteFields,
	...getFields,
	...updateFields,
];
