import type { IDataObject } from 'n8n-workflow';
import { ReportedError } from '../../shared/errors/reportedError';
import { plainText, isRecord } from '../../shared/values';
import { rowsOf } from '../../shared/service/answers';
import type { ReadEndpoint } from '../../shared/service/request';
import type { Transport } from '../../shared/service/transport';
import type { RunOperation } from '../operation';

export const getRecord: RunOperation = async ({ endpoint, transport, values, toItems }) =>
	toItems([await transport.send({ endpoint, ...values().pathAndBody })]);

/** @param what in a sentence: "charge" */
export const findRecord =
	(what: string): RunOperation =>
	async ({ endpoint, transport, values, toItems }) =>
		toItems([await findRow(transport, endpoint, what, values().query['id'] ?? '')]);

/** A list returned a record twice, with different data: it is unknown which is right. */
export class ContradictoryRows extends ReportedError {}

/**
 * The API documentation shows no way to read a single charge or customer (docs/service.md), so the list is filtered by the ID.
 * No page size is sent: a service can refuse one. The row of another ID is never returned, even if the filter is ignored.
 *
 * @throws {ReportedError} when there is none; {@link ContradictoryRows}
 */
export async function findRow(
	transport: Transport,
	endpoint: ReadEndpoint,
	what: string,
	id: string,
): Promise<IDataObject> {
	const results = rowsOf(await transport.send({ endpoint, qs: { id } }));
	const [row, ...copies] = (results.filter(isRecord) as IDataObject[]).filter(
		(one) => plainText(one['id']).toLowerCase() === id.toLowerCase(),
	);
	if (row !== undefined) {
		if (copies.every((copy) => JSON.stringify(copy) === JSON.stringify(row))) return row;
		throw new ContradictoryRows(
			`The service returned ${what} ${id} more than once, with contradictory data`,
			`Run again, in case it has just been changed. If the error remains, check the ${what} in the payment collection service.`,
		);
	}
	if (results.length === 0) {
		throw new ReportedError(
			`There is no ${what} with the ID ${id}`,
			'Nothing was changed. Check that the ID is correct and belongs to the credential’s account.',
		);
	}
	throw new ReportedError(
		`The ${what} ${id} can’t be found: the service was asked for this ID only, but returned ${results.length} other ${what}${results.length === 1 ? '' : 's'}`,
		'Nothing was changed. Check the ID. The service seems to ignore the ID filter of its list.',
	);
}
