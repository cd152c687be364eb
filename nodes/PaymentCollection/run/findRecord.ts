import type { IDataObject } from 'n8n-workflow';
import { DEFAULT_PAGE_SIZE } from '../../../contract/limits';
import { ReportedError } from '../../shared/errors/failures';
import { readPage } from '../../shared/lists/listPage';
import { MAX_ROWS, readRows } from '../../shared/lists/listRows';
import { plainText } from '../../shared/plainText';
import type { RunOperation } from './operation';

/** The rows of this ID, whatever the service's filter does: another record's row is never taken for this one's. */
export const rowsOf = (rows: readonly IDataObject[], id: string): IDataObject[] =>
	rows.filter((row) => plainText(row['id']).toLowerCase() === id.toLowerCase());

/** @param others rows of other records that the service gave instead */
export function notFound(what: string, id: string, others: number): ReportedError {
	if (others === 0) {
		return new ReportedError(
			`There is no ${what} with the ID ${id}`,
			'Nothing was changed. Check the ID, and whether it belongs to the account of the credential.',
		);
	}
	const came = `${others} other ${what}${others === 1 ? '' : 's'}`;
	return new ReportedError(
		`The ${what} ${id} can’t be found: asked for this ID alone, the service gave ${came}`,
		'Nothing was changed. Check the ID. The service seems to ignore the ID filter of its list.',
	);
}

/**
 * Reads one record. The service shows no way to read a single charge or customer (docs/service.md), so its list is
 * filtered by the ID, which an operation's field puts into the query. A service that ignores the filter is asked for
 * the whole list, and the user is told.
 *
 * @param what the record in a sentence: "charge"
 */
export const findRecord =
	(what: string): RunOperation =>
	async (item) => {
		const { endpoint, transport } = item;
		const { query } = item.values();
		const id = query['id'] ?? '';
		const list = { endpoint, filters: query };
		const first = await readPage(transport, list, 1, DEFAULT_PAGE_SIZE);
		let found = rowsOf(first.rows, id);
		let others = first.rows.length;
		if (found.length === 0 && others > 0 && first.hasNext !== false) {
			const { rows } = await readRows(transport, list, {
				limit: MAX_ROWS,
				pageSize: DEFAULT_PAGE_SIZE,
			});
			others = rows.length;
			found = rowsOf(rows, id);
			if (found.length > 0) {
				item.warn(
					`The service ignores the ID filter of its list: ${others} rows were read to find this ${what}.`,
				);
			}
		}
		const [record, ...copies] = found;
		if (record === undefined) throw notFound(what, id, others);
		if (!copies.every((copy) => JSON.stringify(copy) === JSON.stringify(record))) {
			throw new ReportedError(
				`The service’s answers about ${what} ${id} contradict each other`,
				'Run again, in case it was changed just now. If that stays so, look at it in the payment collection service.',
			);
		}
		return [record];
	};
