import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/endpoints';
import { plainText } from '../../shared/plainText';
import { searchRows } from '../../shared/listSearch/searchRows';

/** Charges for a From List field: what tells one from another without opening it. */
export async function searchCharges(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchRows(this, ENDPOINTS.chargeList, filter, paginationToken, (charge) => {
		const [reference, total, currency, status, created] = (
			['reference_id', 'total', 'currency', 'status', 'created'] as const
		).map((field) => plainText(charge[field]));
		const facts = [`${total} ${currency}`.trim(), status, created?.slice(0, 10)]
			.filter(Boolean)
			.join(', ');
		return (
			[reference && `#${reference}`, facts].filter(Boolean).join(': ') || plainText(charge['id'])
		);
	});
}
