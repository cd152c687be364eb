import { ENDPOINTS } from '../../../contract/constants';
import { idField } from '../../shared/fields/kinds';
import { checkId } from '../../shared/input/inputChecks';
import { getRecord } from '../run/oneRecord';
import type { OperationDefinition } from '../operation';
import { simplifiedOutput } from './simplifiedOutput';
import { resource } from './resource';

/** GET /v1/checkout/{id} (docs/service.md, Checkout sessions). */
const get = {
	name: 'Get',
	action: 'Get checkout session',
	description: 'Retrieve a checkout session with its status, amount, customer and metadata',
	endpoint: ENDPOINTS.checkoutGet,
	fields: [
		idField('Checkout Session ID', 'checkoutSessionId', 'ID of the checkout session', checkId),
	],
	run: getRecord,
	output: simplifiedOutput('checkoutSession'),
} satisfies OperationDefinition;

export const checkoutSession = resource(
	{ name: 'Checkout Session', value: 'checkoutSession' },
	{ get },
	'get',
);
