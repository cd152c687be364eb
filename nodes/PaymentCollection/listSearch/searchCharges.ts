import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/endpoints';
import { searchRows } from '../../shared/listSearch/searchRows';
import { chargeLabel, closerChargeLabel, createdAt } from './chargeLabel';
import { chargesOfCustomers } from './chargesOfCustomers';

/** Charges for a From List field: whose they are first of all, the newest of what was loaded on top. */
export async function searchCharges(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const timeZone = this.getTimezone();
	const listing = {
		endpoint: ENDPOINTS.chargeList,
		label: chargeLabel(timeZone),
		closerLabel: closerChargeLabel(timeZone),
		moment: createdAt,
		alsoMeant: chargesOfCustomers,
	};
	return await searchRows(this, listing, filter, paginationToken);
}
