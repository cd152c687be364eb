import { asRecord } from '../../shared/service/answers';
import type { RunOperation } from './operation';

/** Reads one record by the identifier that the operation's fields put into the path. */
export const getRecord: RunOperation = async ({ endpoint, transport, values }) => {
	const request = { endpoint, id: values().id };
	return [asRecord(await transport.send(request), request)];
};
