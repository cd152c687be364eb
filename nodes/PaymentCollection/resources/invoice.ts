import { ENDPOINTS } from '../../../contract/constants';
import { idField } from '../../shared/fields/kinds';
import { getRecord } from '../run/oneRecord';
import type { OperationDefinition } from '../run/item';
import { resource } from './resource';

/** GET /v1/invoices/{id} (docs/service.md, Invoices). */
const get = {
	name: 'Get',
	action: 'Get invoice',
	description: 'Retrieve an invoice with its items, reminders, files and events',
	endpoint: ENDPOINTS.invoiceGet,
	fields: [idField('Invoice ID', 'invoiceId', 'UUID of the invoice')],
	run: getRecord,
} satisfies OperationDefinition;

export const invoice = resource({ name: 'Invoice', value: 'invoice' }, { get }, 'get');
