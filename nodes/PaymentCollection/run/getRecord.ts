import { asRecord } from '../../shared/service/answers';
import type { Endpoint } from '../../shared/service/request';
import type { RunOperation } from './operation';

/** An operation that reads one record by the identifier that its fields put into the path. */
export function getRecord(endpoint: Endpoint): RunOperation {
	return async (item) => {
		const request = { endpoint, id: item.values().id };
		return [asRecord(await item.transport.send(request), request)];
	};
}
