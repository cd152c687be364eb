import type { Failure } from '../../nodes/shared/errors/failure';
import { ServiceFailure } from '../../nodes/shared/errors/reportedError';

/** A page that could not be read. */
export const readFailure = (failure: Pick<Failure, 'kind' | 'status'>): ServiceFailure =>
	new ServiceFailure({
		...failure,
		request: 'GET /v1/charges',
		isWrite: false,
		tries: 1,
		detail: '',
	});
