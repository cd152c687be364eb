import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/endpoints';
import type { ChargeFilters } from '../../../contract/schemas/charge';
import { clock } from '../../shared/clock';
import { readPage } from '../../shared/lists/listPage';
import { ROWS_PER_SCROLL } from '../../shared/listSearch/searchRows';
import { personName } from '../../shared/listSearch/searchCustomers';
import { plainText } from '../../shared/plainText';
import type { Endpoint } from '../../shared/service/request';
import type { Transport } from '../../shared/service/transport';

/** Customers of a name whose charges are looked up; more would keep the editor waiting. */
const MAX_CUSTOMERS = 3;
/** Milliseconds for all of it: what the service's own search has found waits for it. */
const MAX_WAIT_MS = 5_000;

/**
 * Charges of the customers whose names, business or email address hold every word. What the search of charges compares
 * is not documented, that of customers is (docs/service.md), so this finds charges by their payer's name in any case.
 *
 * @returns nothing when that fails: what the service's own search finds is shown all the same
 */
export async function chargesOfCustomers(
	transport: Transport,
	search: string,
): Promise<IDataObject[]> {
	const words = search.toLowerCase().split(/\s+/);
	// The service may compare each of its fields with the whole text, and none holds a full name.
	const [longest = ''] = words.toSorted((one, other) => other.length - one.length);
	// An amount or a number is no name.
	if (!/\p{L}{2}/u.test(longest)) return [];
	const deadlineMs = clock.elapsed() + MAX_WAIT_MS;
	const hurried: Transport = {
		...transport,
		send: async (request) => await transport.send(request, { deadlineMs }),
	};
	const list = async (endpoint: Endpoint, filters: Record<string, string>) =>
		(await readPage(hurried, { endpoint, filters }, 1, ROWS_PER_SCROLL)).rows;
	try {
		const customers = await list(ENDPOINTS.customerList, { search: longest });
		// Asked for the charges of nobody, the service may give everybody's.
		const known = customers.filter(({ id }) => plainText(id) !== '');
		const meant = known.filter((customer) => hasAll(customer, words)).slice(0, MAX_CUSTOMERS);
		const found = await Promise.all(
			meant.map(async ({ id }) => {
				const filters = { customer_id: plainText(id) } satisfies ChargeFilters;
				return await list(ENDPOINTS.chargeList, filters);
			}),
		);
		return found.flat();
	} catch {
		return [];
	}
}

function hasAll(customer: IDataObject, words: readonly string[]): boolean {
	const facts = [personName(customer), customer['business_name'], customer['email']];
	const text = facts.map(plainText).join(' ').toLowerCase();
	return words.every((word) => text.includes(word));
}
