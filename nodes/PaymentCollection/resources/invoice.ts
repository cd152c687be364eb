import { ENDPOINTS } from '../../../contract/constants';
import { idField } from '../../shared/fields/kinds';
import { getRecord } from '../run/oneRecord';
import type { OperationDefinition } from '../operation';
import { simplifiedOutput } from './simplifiedOutput';
import { resource } from './resource';

/** GET /v1/invoices/{id} (docs/service.md, Invoices). */
const get = {
	name: 'Get',
	action: 'Get invoice',
	description: 'Retrieve an invoice with its number, status, amount and due date',
	endpoint: ENDPOINTS.invoiceGet,
	fields: [idField('Invoice ID', 'invoiceId', 'ID of the invoice')],
	run: getRecord,
	output: simplifiedOutput('invoice'),
} satisfies OperationDefinition;

export const invoice = resource({ name: 'Invoice', value: 'invoice' }, { get }, 'get');
