import { ENDPOINTS } from '../../../../contract/constants';
import type { DeletedLink } from '../../../../contract/schemas/outputs';
import { isNotFound } from '../../../shared/errors/failureTable';
import { asRecord, isBlank } from '../../../shared/service/answers';
import type { ServiceRequest } from '../../../shared/service/request';
import type { OperationDefinition } from '../../run/operation';
import { writeOnce } from '../../writes/writeOnce';
import { describeLink, linkIdField } from './oneLink';

const endpoint = ENDPOINTS.linkDelete;

const deleted = ({ id = '' }: ServiceRequest): DeletedLink => ({ id, deleted: true });

/** DELETE /v1/links/{id}/delete (docs/service.md, Links). */
export const deletion = {
	name: 'Delete',
	action: 'Delete payment link',
	description:
		'Delete a payment link for good: nobody can pay by it any more, and it can’t be brought back',
	endpoint,
	fields: [{ ...linkIdField, hint: 'Removes the link, and can’t be undone' }],
	run: writeOnce({
		what: 'link',
		become: 'deleted',
		whereToLook:
			'Get the link: once the service has nothing with its ID, it is deleted. Deleting it again does no harm.',
		requestOf: ({ id }) => ({ endpoint, id }),
		resultOf: (answer, request) => {
			// A success has no body. What is no record may be the page of anybody.
			if (!isBlank(answer)) asRecord(answer, request);
			return deleted(request);
		},
		// The answer of the first try was lost, and now nothing is there: it had worked.
		afterLostTry: (failure, request) => (isNotFound(failure) ? deleted(request) : undefined),
	}),
	write: {
		describeEffect: describeLink('deleted'),
		toolNotice: `A deleted link can’t be brought back. Set by hand: the credential, since the model can delete every link of its account. Leave to the model: ${linkIdField.displayName}. To be able to go back, use Update with Status Disabled.`,
	},
} satisfies OperationDefinition;
