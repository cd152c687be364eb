import { ENDPOINTS } from '../../../../contract/constants';
import type { DeletedLink } from '../../../../contract/schemas/records';
import { isNotFound, saysSuccess } from '../../../shared/errors/failure';
import { ServiceFailure } from '../../../shared/errors/reportedError';
import { asError } from '../../../shared/values';
import type { OperationDefinition } from '../../operation';
import { oneRequest } from '../../writes/oneRequest';
import { linkIdField } from './oneLink';

/** DELETE /v1/links/{id}/delete (docs/service.md, Links). */
export const deletion = {
	name: 'Delete',
	action: 'Delete payment link',
	description: 'Delete a payment link permanently',
	endpoint: ENDPOINTS.linkDelete,
	fields: [{ ...linkIdField, hint: 'Deletes the link and can’t be undone' }],
	output: { name: 'deletedLink' },
	...oneRequest({
		record: 'link',
		done: 'deleted',
		toolNotice: `A deleted link can’t be restored. Set the credential yourself: the model can delete any link of that account. Let the model set only '${linkIdField.displayName}'. If you might need a link again, use the Update operation instead and set 'Status' to 'Disabled'.`,
		whereToLook:
			'Get the link: if the service has nothing with this ID, the link is deleted. Deleting it again does no harm.',
		resultOf: (_answer, { id = '' }): DeletedLink => ({ id, deleted: true }),
		isDone: async (failure, { id }, { transport, wasSent }) => {
			// The outcome of an earlier attempt is unknown, and now the link is gone: it had worked.
			if (wasSent && isNotFound(failure)) return true;
			if (!saysSuccess(failure)) return false;
			const link: unknown = await transport
				.send({ endpoint: ENDPOINTS.linkGet, id })
				.catch(asError);
			return link instanceof ServiceFailure && isNotFound(link.failure);
		},
	}),
} satisfies OperationDefinition;
