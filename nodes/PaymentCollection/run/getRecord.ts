import type { IDataObject } from 'n8n-workflow';
import { plainText } from '../../shared/plainText';
import { asRecord, malformed } from '../../shared/service/answers';
import type { ServiceRequest } from '../../shared/service/request';
import type { RunOperation } from './operation';

/**
 * Reads one record by the identifier that the operation's fields put into the path.
 *
 * @param fields those that the document shows of it
 */
export const getRecord =
	(fields: readonly string[]): RunOperation =>
	async ({ endpoint, transport, values }) => {
		const request = { endpoint, id: values().id };
		const record = asRecord(await transport.send(request), request);
		refuseOther(record, fields, request);
		return [record];
	};

/**
 * Some services say under a success that there is nothing. The ID is not compared with the one that was asked for: the
 * document does not say that they are written alike.
 *
 * @throws {ServiceFailure} when an object is none of these records
 */
function refuseOther(
	record: IDataObject,
	fields: readonly string[],
	request: ServiceRequest,
): void {
	const { id } = record;
	if (id !== undefined && plainText(id).trim() === '') {
		throw malformed(request, 'an object without an ID');
	}
	if (!fields.some((field) => record[field] !== undefined)) {
		throw malformed(request, 'an object with none of the record’s fields');
	}
}
