import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/endpoints';
import { plainText } from '../plainText';
import { searchRows } from './searchRows';

/** Customers for a From List field: by name, with the email address to tell namesakes apart. */
export async function searchCustomers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchRows(this, ENDPOINTS.customerList, filter, paginationToken, (customer) => {
		const person =
			`${plainText(customer['first_name'])} ${plainText(customer['last_name'])}`.trim();
		const name = person || plainText(customer['business_name']) || plainText(customer['id']);
		const email = plainText(customer['email']);
		return email === '' ? name : `${name} (${email})`;
	});
}
