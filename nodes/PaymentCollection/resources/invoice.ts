import { ENDPOINTS } from '../../../contract/constants';
import { inPath } from '../../shared/fields/field';
import { textThat } from '../../shared/fields/kinds';
import { checkUuid } from '../../shared/input/inputChecks';
import { getRecord } from '../run/oneRecord';
import type { OperationDefinition } from '../run/operation';
import { resource } from './resource';

/** GET /v1/invoices/{id} (docs/service.md, Invoices). */
const get = {
	name: 'Get',
	action: 'Get invoice',
	description: 'Retrieve an invoice with its items, reminders, files and events',
	endpoint: ENDPOINTS.invoiceGet,
	fields: [
		{
			displayName: 'Invoice ID',
			name: 'invoiceId',
			...textThat(checkUuid),
			default: '',
			required: true,
			placeholder: 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b',
			description: 'UUID of the invoice',
			sent: inPath,
		},
	],
	run: getRecord,
} satisfies OperationDefinition;

export const invoice = resource({ name: 'Invoice', value: 'invoice' }, { get }, 'get');
