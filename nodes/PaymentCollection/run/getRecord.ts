import { asRecord } from '../../shared/service/answers';
import type { Endpoint } from '../../shared/service/transport';
import type { RunOperation } from './operation';

/**
 * An operation that reads one record by its identifier.
 *
 * @param parameter name of the parameter that holds the identifier
 * @param check of the identifier's form
 * @param field the parameter as the editor names it
 */
export function getRecord(
	endpoint: Endpoint,
	parameter: string,
	check: (value: unknown, field: string) => string,
	field: string,
): RunOperation {
	return async (item) => {
		const request = { endpoint, id: check(item.parameter(parameter), field) };
		return [asRecord(await item.transport.send(request), request)];
	};
}
