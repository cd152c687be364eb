import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { ENDPOINTS } from '../../../contract/constants';
import { toNodeError } from '../errors/reportedError';
import { readPage } from '../lists/listPage';
import { asError, plainText, searchText } from '../values';
import { redactRecords } from '../redaction/redactRecord';
import { shownText } from '../redaction/redactText';
import type { ReadEndpoint } from '../service/request';
import { withoutApiKey } from '../service/credential';
import { openTransport, type Transport } from '../service/transport';

export const ROWS_PER_SCROLL = 50;
/** Payers write their names themselves, and the parts after a name must still be seen. */
const MAX_PART_LENGTH = 80;

interface Choices {
	readonly endpoint: ReadEndpoint;
	/** Parts of a row's label. Secrets are removed from the row already. */
	readonly label: (row: IDataObject) => string[];
	/** Rows that the user may mean besides those of the service's own search. */
	readonly alsoMeant?: (transport: Transport, search: string) => Promise<IDataObject[]>;
}

/** One scroll of a From List field, newest first: the service's order is unknown. @param token number of the page */
export async function searchRows(
	context: ILoadOptionsFunctions,
	{ endpoint, label, alsoMeant }: Choices,
	filter = '',
	token = '1',
): Promise<INodeListSearchResult> {
	try {
		const transport = await openTransport(context);
		const search = searchText(filter);
		const filters: Record<string, string> = search === '' ? {} : { search };
		const number = Number(token);
		const isSearch = number === 1 && search !== '';
		const [page, meant = []] = await Promise.all([
			readPage(transport, { endpoint, filters, pageSize: ROWS_PER_SCROLL }, number),
			isSearch ? alsoMeant?.(transport, search).catch(asError) : undefined,
		]);
		// The results of the service's own search are still shown.
		if (meant instanceof Error && page.rows.length === 0) throw meant;
		const rows = eachOnce([...page.rows, ...(meant instanceof Error ? [] : meant)]);
		rows.sort((one, other) => createdMs(other) - createdMs(one));
		const isMore = page.hasNext !== false && page.rows.length > 0;
		return {
			results: redactRecords(rows, { apiKey: transport.apiKey }).map((row) => ({
				name: lineOf(label(row), transport.apiKey) || idOf(row),
				value: idOf(row),
			})),
			...(isMore ? { paginationToken: String(number + 1) } : {}),
		};
	} catch (error) {
		throw toNodeError(await withoutApiKey(error, context), context.getNode(), 'messageOnly');
	}
}

const idOf = (row: IDataObject): string => plainText(row['id']);

/** A row without an ID can't be chosen. */
function eachOnce(rows: readonly IDataObject[]): IDataObject[] {
	const rowsById = new Map(rows.map((row) => [idOf(row), row]));
	rowsById.delete('');
	return [...rowsById.values()];
}

/** Milliseconds since the epoch; 0 if unknown. */
const createdMs = (row: IDataObject): number => Date.parse(plainText(row['created'])) || 0;

function lineOf(parts: readonly string[], apiKey: string): string {
	// A reference number is no card number.
	const clean = parts.map((part) =>
		/^#\d{1,40}$/.test(part) ? part : shownText(part, apiKey, MAX_PART_LENGTH),
	);
	return clean.filter(Boolean).join(' · ');
}

export const personName = (person: IDataObject): string =>
	`${plainText(person['first_name'])} ${plainText(person['last_name'])}`.trim();

/** Business name and email address distinguish namesakes. */
export const customerLabel = (customer: IDataObject): string[] => [
	personName(customer),
	plainText(customer['business_name']),
	plainText(customer['email']),
];

export async function searchCustomers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const customers = { endpoint: ENDPOINTS.customerList, label: customerLabel };
	return await searchRows(this, customers, filter, paginationToken);
}
