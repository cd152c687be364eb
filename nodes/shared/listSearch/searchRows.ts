import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { toNodeError } from '../errors/failures';
import { readPage } from '../lists/listPage';
import { plainText } from '../plainText';
import { redactRecord } from '../redaction/redactRecord';
import { redactText } from '../redaction/redactText';
import { openTransport } from '../service/transport';
import type { Endpoint } from '../service/request';

/** Rows that one scroll of a From List field loads. */
const ROWS_PER_SCROLL = 50;

/**
 * One page of a From List field, searched by the service itself.
 *
 * @param token number of the page, from n8n's last answer
 * @param label what the user sees of a row
 */
export async function searchRows(
	context: ILoadOptionsFunctions,
	endpoint: Endpoint,
	filter: string | undefined,
	token: string | undefined,
	label: (row: IDataObject) => string,
): Promise<INodeListSearchResult> {
	try {
		const transport = await openTransport(context);
		const page = Number(token ?? 1);
		const search = filter?.trim();
		const filters: Record<string, string> = search ? { search } : {};
		const { rows, hasNext } = await readPage(
			transport,
			{ endpoint, filters },
			page,
			ROWS_PER_SCROLL,
		);
		const { apiKey } = transport;
		const records = rows.map((row) => redactRecord(row, { apiKey }));
		return {
			results: records.map((record) => ({
				name: redactText(label(record), apiKey),
				value: plainText(record['id']),
			})),
			...(hasNext !== false && rows.length > 0 ? { paginationToken: String(page + 1) } : {}),
		};
	} catch (error) {
		throw toNodeError(error, context.getNode());
	}
}
