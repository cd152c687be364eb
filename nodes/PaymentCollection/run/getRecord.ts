import { plainText } from '../../shared/plainText';
import { asRecord, malformed } from '../../shared/service/answers';
import type { RunOperation } from './operation';

/**
 * Reads one record by the identifier that the operation's fields put into the path.
 *
 * Some services say under a success that there is nothing: every record that the document shows has an ID. It is not
 * compared with the one that was asked for, since the document does not say that they are written alike.
 */
export const getRecord: RunOperation = async ({ endpoint, transport, values }) => {
	const request = { endpoint, id: values().id };
	const record = asRecord(await transport.send(request), request);
	if (plainText(record['id']).trim() === '') throw malformed(request, 'an object without an ID');
	return [record];
};
