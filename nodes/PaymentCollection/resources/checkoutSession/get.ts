import { showFor } from '../showFor';

/** GET /v1/checkout/{id}. */
export const getFields = showFor('checkoutSession', 'get', [
	{
		displayName: 'Checkout Session ID',
		name: 'checkoutSessionId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b',
		description: 'Identifier of the checkout session',
	},
]);
