import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/constants';
import { plainText } from '../values';
import { searchRows } from './searchRows';

/** First and last name; empty where a record has neither. */
export const personName = (person: IDataObject): string =>
	`${plainText(person['first_name'])} ${plainText(person['last_name'])}`.trim();

/** By name, with business and email address to tell namesakes apart. */
export const customerLabel = (customer: IDataObject): string[] => [
	personName(customer),
	plainText(customer['business_name']),
	plainText(customer['email']),
];

/** Customers for a From List field. */
export async function searchCustomers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const listing = { endpoint: ENDPOINTS.customerList, label: customerLabel };
	return await searchRows(this, listing, filter, paginationToken);
}
