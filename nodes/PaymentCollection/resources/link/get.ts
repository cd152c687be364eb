import { ENDPOINTS } from '../../../../contract/constants';
import { getRecord } from '../../run/oneRecord';
import type { OperationDefinition } from '../../run/operation';
import { linkIdField } from './oneLink';

/** GET /v1/links/{id} (docs/service.md, Links). */
export const get = {
	name: 'Get',
	action: 'Get payment link',
	description: 'Retrieve a payment link with its items and its status',
	endpoint: ENDPOINTS.linkGet,
	fields: [linkIdField],
	run: getRecord,
} satisfies OperationDefinition;
