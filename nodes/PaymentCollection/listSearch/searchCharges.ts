import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { ENDPOINTS, DOCUMENTED_CHARGE_STATUS } from '../../../contract/constants';
import type { ChargeFilters } from '../../../contract/schemas/charge';
import { clock } from '../../shared/clock';
import { readPage } from '../../shared/lists/listPage';
import {
	ROWS_PER_SCROLL,
	customerLabel,
	personName,
	searchRows,
} from '../../shared/listSearch/searchRows';
import { Amount } from '../../shared/money';
import { refundTotalText, amountText } from '../../shared/records/charge';
import { DAY_MS } from '../../shared/timestamps';
import { isRecord, plainText, searchText } from '../../shared/values';
import type { ReadEndpoint } from '../../shared/service/request';
import type { Transport } from '../../shared/service/transport';

/** Customers of a name whose charges are looked up; more would keep the editor waiting. */
const MAX_CUSTOMERS = 3;
/** How long the results of the service's own search may wait for those of the customers. */
const MAX_WAIT_MS = 5_000;

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
	// Only the label has the number sign of a reference number.
	return await searchRows(this, charges, filter?.replace(/^\s*[#＃]/, ''), paginationToken);
}

/** Charges of the customers that match every word: the search for charges might not look at the payer's name. */
async function chargesOfCustomers(transport: Transport, search: string): Promise<IDataObject[]> {
	const words = search.toLowerCase().split(/\s+/);
	// The service may look for the whole text in each field, and no field contains a full name: so one word is searched.
	const [longest = ''] = words.toSorted((one, other) => other.length - one.length);
	// Amounts and numbers are no names.
	if (!/\p{L}{2}/u.test(longest)) return [];
	const query = { pageSize: ROWS_PER_SCROLL, deadlineMs: clock.elapsed() + MAX_WAIT_MS };
	const list = async (endpoint: ReadEndpoint, filters: Record<string, string>) =>
		(await readPage(transport, { ...query, endpoint, filters }, 1)).rows;
	const isMeant = (customer: IDataObject): boolean => {
		const text = searchText(customerLabel(customer).join(' ')).toLowerCase();
		// The service may return everyone's charges for an empty customer ID.
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

/** Example: "84.50 EUR · 20.00 refunded · Ana Ruiz · Nov 3 · #1042": the parts that decide about a refund come first. */
const chargeLabel =
	(timeZone: string) =>
	(charge: IDataObject): string[] => {
		const { total, currency, created, status } = charge;
		const number = plainText(charge['reference_id']);
		return [
			`${plainText(total)} ${plainText(currency)}`.trim(),
			status === DOCUMENTED_CHARGE_STATUS ? '' : plainText(status),
			refundText(charge),
			payerOf(charge),
			dayText(plainText(created), timeZone),
			number === '' ? '' : `#${number}`,
		];
	};

function refundText(charge: IDataObject): string {
	const refunded = refundTotalText(charge);
	if (refunded === undefined) return '';
	const total = Amount.read(charge['total']);
	const isFull = total !== undefined && amountText(total, charge['currency']) === refunded;
	return isFull ? 'refunded in full' : `${refunded} refunded`;
}

/** The holder of the card. Without one, `user`, who might be the payer or the one who took the payment. */
function payerOf({ source, user }: IDataObject): string {
	const { card_holder_name: holder, name } = (isRecord(source) ? source : {}) as IDataObject;
	const ofSource = plainText(holder).trim() || plainText(name).trim();
	return ofSource || (isRecord(user) ? personName(user as IDataObject) : '');
}

/** "Nov 3", or "Nov 3, 2024" for a charge older than 300 days; empty for an invalid time. */
function dayText(created: string, timeZone: string): string {
	const ms = Date.parse(created);
	if (Number.isNaN(ms)) return '';
	const year = clock.now() - ms > 300 * DAY_MS ? 'numeric' : undefined;
	const form = { month: 'short', day: 'numeric', year, timeZone } as const;
	return new Date(ms).toLocaleDateString('en-US', form);
}
