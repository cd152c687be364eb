import type { IDataObject } from 'n8n-workflow';
import { ReportedError } from '../../shared/errors/failures';
import { isRecord } from '../../shared/isRecord';
import { plainText } from '../../shared/plainText';
import { envelopeOf } from '../../shared/service/answers';
import type { RunOperation } from './operation';

/**
 * Reads one record. The service shows no way to read a single charge or customer (docs/service.md), so its list is
 * filtered by the ID, which an operation's field puts into the query. By the ID alone: how many rows a page may have is
 * not documented, and a service may refuse a request for more.
 *
 * @param what the record in a sentence: "charge"
 */
export const findRecord =
	(what: string): RunOperation =>
	async ({ endpoint, transport, values }) => {
		const { query } = values();
		const { id = '' } = query;
		const request = { endpoint, qs: query };
		const { results } = envelopeOf(await transport.send(request), request);
		const [record, ...copies] = rowsOf(results.filter(isRecord) as IDataObject[], id);
		if (record === undefined) throw notFound(what, id, results.length);
		if (copies.every((copy) => JSON.stringify(copy) === JSON.stringify(record))) return [record];
		throw new ReportedError(
			`The service’s answers about ${what} ${id} contradict each other`,
			'Run again, in case it was changed just now. If that stays so, look at it in the payment collection service.',
		);
	};

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
	return new ReportedError(
		`The ${what} ${id} can’t be found: asked for this ID alone, the service gave ${others} other ${what}${others === 1 ? '' : 's'}`,
		'Nothing was changed. Check the ID. The service seems to ignore the ID filter of its list.',
	);
}
