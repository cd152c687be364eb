import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/endpoints';
import { plainText } from '../plainText';
import { searchRows } from './searchRows';

/** First and last name; empty where a record has neither. */
export const personName = (person: IDataObject): string =>
	`${plainText(person['first_name'])} ${plainText(person['last_name'])}`.trim();

/** By name, with business and email address to tell namesakes apart. */
function label(customer: IDataObject): string {
	const business = plainText(customer['business_name']);
	const facts = [personName(customer), business, plainText(customer['email'])];
	return facts.filter(Boolean).join(' · ') || plainText(customer['id']);
}

/** Customers for a From List field. */
export async function searchCustomers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const listing = { endpoint: ENDPOINTS.customerList, label };
	return await searchRows(this, listing, filter, paginationToken);
}
