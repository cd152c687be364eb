import { ENDPOINTS } from '../../../contract/constants';
import { inPath } from '../../shared/fields/field';
import { textThat } from '../../shared/fields/kinds';
import { checkId } from '../../shared/input/inputChecks';
import { getRecord } from '../run/oneRecord';
import type { OperationDefinition } from '../run/operation';
import { resource } from './resource';

/** GET /v1/checkout/{id} (docs/service.md, Checkout sessions). */
const get = {
	name: 'Get',
	action: 'Get checkout session',
	description: 'Retrieve a checkout session with its items, metadata and charges',
	endpoint: ENDPOINTS.checkoutGet,
	fields: [
		{
			displayName: 'Checkout Session ID',
			name: 'checkoutSessionId',
			...textThat(checkId),
			default: '',
			required: true,
			placeholder: 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b',
			description: 'Identifier of the checkout session',
			sent: inPath,
		},
	],
	run: getRecord,
} satisfies OperationDefinition;

export const checkoutSession = resource(
	{ name: 'Checkout Session', value: 'checkoutSession' },
	{ get },
	'get',
);
