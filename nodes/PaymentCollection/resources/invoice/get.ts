import { showFor } from '../showFor';

/** GET /v1/invoices/{id}. */
export const getFields = showFor('invoice', 'get', [
	{
		displayName: 'Invoice ID',
		name: 'invoiceId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b',
		description: 'UUID of the invoice',
	},
]);
