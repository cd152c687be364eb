import { ENDPOINTS } from '../../../../contract/constants';
import { getRecord } from '../../run/oneRecord';
import type { OperationDefinition } from '../../operation';
import { simplifiedOutput } from '../simplifiedOutput';
import { resource } from '../resource';
import { create } from './create';
import { deletion } from './delete';
import { linkIdField } from './oneLink';
import { update } from './update';

/** GET /v1/links/{id} (docs/service.md, Links). */
const get = {
	name: 'Get',
	action: 'Get payment link',
	description: 'Retrieve a payment link with its URL, status and amount',
	endpoint: ENDPOINTS.linkGet,
	fields: [linkIdField],
	run: getRecord,
	output: simplifiedOutput('link'),
} satisfies OperationDefinition;

export const link = resource(
	{ name: 'Payment Link', value: 'link' },
	{ create, delete: deletion, get, update },
	'create',
);
