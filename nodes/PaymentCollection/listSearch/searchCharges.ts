import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/constants';
import type { ChargeFilters } from '../../../contract/schemas/charge';
import { clock } from '../../shared/clock';
import { readPage } from '../../shared/lists/listPage';
import {
	ROWS_PER_SCROLL,
	customerLabel,
	personName,
	searchRows,
} from '../../shared/listSearch/searchRows';
import { refundTotalText } from '../../shared/records/charge';
import { DAY_MS } from '../../shared/timestamps';
import { isRecord, plainText, searchText } from '../../shared/values';
import type { Endpoint } from '../../shared/service/request';
import type { Transport } from '../../shared/service/transport';

/** Customers of a name whose charges are looked up; more would keep the editor waiting. */
const MAX_CUSTOMERS = 3;
/** Milliseconds for all of it: what the service's own search has found waits for it. */
const MAX_WAIT_MS = 5_000;

/** Charges for a From List field: whose they are first of all, the newest of what was loaded on top. */
export async function searchCharges(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const charges = {
		endpoint: ENDPOINTS.chargeList,
		label: chargeLabel(this.getTimezone()),
		alsoMeant: chargesOfCustomers,
	};
	// The number sign of a reference number is only in the label.
	return await searchRows(this, charges, filter?.replace(/^\s*[#＃]/, ''), paginationToken);
}

/** Charges of the customers that match every word: the search of charges might not look at the payer's name. */
async function chargesOfCustomers(transport: Transport, search: string): Promise<IDataObject[]> {
	const words = search.toLowerCase().split(/\s+/);
	// The service may compare each of its fields with the whole text, and none holds a full name.
	const [longest = ''] = words.toSorted((one, other) => other.length - one.length);
	// An amount or a number is no name.
	if (!/\p{L}{2}/u.test(longest)) return [];
	const deadlineMs = clock.elapsed() + MAX_WAIT_MS;
	const list = async (endpoint: Endpoint, filters: Record<string, string>) =>
		(await readPage(transport, { endpoint, filters, deadlineMs }, 1, ROWS_PER_SCROLL)).rows;
	const isMeant = (customer: IDataObject): boolean => {
		const text = searchText(customerLabel(customer).join(' ')).toLowerCase();
		// Asked for the charges of no one, the service may return everyone's.
		return plainText(customer['id']) !== '' && words.every((word) => text.includes(word));
	};
	const customers = await list(ENDPOINTS.customerList, { search: longest });
	const meant = customers.filter(isMeant).slice(0, MAX_CUSTOMERS);
	const found = await Promise.all(
		meant.map(async ({ id }) => {
			const filters = { customer_id: plainText(id) } satisfies ChargeFilters;
			return await list(ENDPOINTS.chargeList, filters);
		}),
	);
	return found.flat();
}

/** The parts of what the user sees of a charge: "84.50 EUR · Ana Ruiz · Nov 3, 09:15 · captured · 20.00 refunded · #1042". */
const chargeLabel =
	(timeZone: string) =>
	(charge: IDataObject): string[] => {
		const { total, currency, created, status } = charge;
		const refunded = refundTotalText(charge);
		const number = plainText(charge['reference_id']);
		return [
			`${plainText(total)} ${plainText(currency)}`.trim(),
			payerOf(charge),
			whenText(plainText(created), timeZone),
			plainText(status),
			refunded === undefined ? '' : `${refunded} refunded`,
			number === '' ? '' : `#${number}`,
		];
	};

/** The holder of the card. Without one, `user`, who might be the payer or the one who took the payment. */
function payerOf({ source, user }: IDataObject): string {
	const { card_holder_name: holder, name } = (isRecord(source) ? source : {}) as IDataObject;
	const ofSource = plainText(holder).trim() || plainText(name).trim();
	return ofSource || (isRecord(user) ? personName(user as IDataObject) : '');
}

/** "Nov 3, 09:15"; of a charge that is older than 300 days "Nov 3, 2024"; empty for no moment. */
function whenText(created: string, timeZone: string): string {
	const ms = Date.parse(created);
	if (Number.isNaN(ms)) return '';
	const day = { month: 'short', day: 'numeric' } as const;
	const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
	const rest = clock.now() - ms < 300 * DAY_MS ? time : ({ year: 'numeric' } as const);
	return new Date(ms).toLocaleString('en-US', { ...day, ...rest, timeZone });
}
