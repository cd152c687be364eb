import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { toNodeError } from '../errors/failures';
import { readPage } from '../lists/listPage';
import { plainText } from '../plainText';
import { redactRecords } from '../redaction/redactRecord';
import { openTransport, type Transport } from '../service/transport';
import type { Endpoint } from '../service/request';
import { labelText } from './labelText';
import { readScroll } from './scrolls';

/** Rows that one scroll of a From List field loads. */
export const ROWS_PER_SCROLL = 50;

/** How the rows of a list are shown. */
export interface Listing {
	readonly endpoint: Endpoint;
	/** The parts of what the user sees of a row, from which secrets are removed already. */
	readonly label: (row: IDataObject) => string[];
	/** The parts for a row whose label another one has as well. */
	readonly closerLabel?: (row: IDataObject) => string[];
	/** Milliseconds since the epoch by which rows are listed, the newest first; NaN for one that has none. */
	readonly moment?: (row: IDataObject) => number;
	/** Rows that the user may mean beside those that the service's own search finds. */
	readonly alsoMeant?: (transport: Transport, search: string) => Promise<IDataObject[]>;
}

/**
 * One scroll of a From List field, searched by the service itself.
 *
 * @param token what n8n's last answer said to begin the next scroll with
 */
export async function searchRows(
	context: ILoadOptionsFunctions,
	listing: Listing,
	filter: string | undefined,
	token: string | undefined,
): Promise<INodeListSearchResult> {
	try {
		const transport = await openTransport(context);
		const search = filter?.trim() ?? '';
		const query = {
			endpoint: listing.endpoint,
			filters: (search === '' ? {} : { search }) as Record<string, string>,
		};
		const read = async (page: number) => await readPage(transport, query, page, ROWS_PER_SCROLL);
		const isFirst = token === undefined;
		const [scroll, meant = []] = await Promise.all([
			readScroll(read, token, listing.moment),
			isFirst && search !== '' ? listing.alsoMeant?.(transport, search) : undefined,
		]);
		const rows = newestFirst(eachOnce([...scroll.rows, ...meant]), listing);
		return {
			results: itemsOf(rows, listing, transport.apiKey),
			...(scroll.next === undefined ? {} : { paginationToken: scroll.next }),
		};
	} catch (error) {
		throw toNodeError(error, context.getNode());
	}
}

const idOf = (row: IDataObject): string => plainText(row['id']);

/** A row without an ID can't be chosen. */
const eachOnce = (rows: readonly IDataObject[]): IDataObject[] => {
	const byId = new Map(rows.map((row) => [idOf(row), row]));
	byId.delete('');
	return [...byId.values()];
};

/** Of what was loaded: in which order the service gives its rows is not documented. */
function newestFirst(rows: IDataObject[], { moment }: Listing): IDataObject[] {
	if (moment === undefined) return rows;
	const at = (row: IDataObject): number => {
		const ms = moment(row);
		return Number.isNaN(ms) ? -Infinity : ms;
	};
	return rows.sort((one, other) => (at(one) < at(other) ? 1 : at(one) > at(other) ? -1 : 0));
}

function itemsOf(
	rows: readonly IDataObject[],
	{ label, closerLabel = label }: Listing,
	apiKey: string,
): INodeListSearchResult['results'] {
	const records = redactRecords(rows, { apiKey });
	const textOf = (parts: string[], record: IDataObject): string =>
		labelText(parts, apiKey) || idOf(record);
	const labels = records.map((record) => textOf(label(record), record));
	return records.map((record, index) => {
		const name = labels[index] ?? '';
		const isAlone = labels.indexOf(name) === labels.lastIndexOf(name);
		return {
			name: isAlone ? name : textOf(closerLabel(record), record),
			value: idOf(record),
		};
	});
}
