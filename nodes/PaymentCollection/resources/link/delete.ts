import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/constants';
import type { DeletedLink } from '../../../../contract/schemas/outputs';
import { isNotFound } from '../../../shared/errors/failureTable';
import { asRecord, isBlank } from '../../../shared/service/answers';
import type { Item } from '../../run/item';
import type { OperationDefinition } from '../../run/operation';
import { writeOnce } from '../../writes/writeOnce';
import { describeLink, linkIdField } from './oneLink';

const endpoint = ENDPOINTS.linkDelete;

const DELETION = {
	endpoint,
	what: 'link',
	done: 'deleted',
	whereToLook:
		'Get the link: once the service has nothing with its ID, it is deleted. Deleting it again does no harm.',
};

/** @returns `{ id, deleted: true }`, since a success has no body */
async function deleteLink(item: Item): Promise<IDataObject[]> {
	return await writeOnce(item, DELETION, () => {
		const { id } = item.values();
		const request = { endpoint, id };
		const deleted = { id, deleted: true } satisfies DeletedLink;
		return {
			request,
			send: async (options) => {
				const answer = await item.transport.send(request, options);
				// A success has no body. What is no record may be the page of anybody.
				if (!isBlank(answer)) asRecord(answer, request);
				return deleted;
			},
			// The answer of the first try was lost, and now nothing is there: it had worked.
			afterLostTry: (failure) => (isNotFound(failure) ? deleted : undefined),
		};
	});
}

/** DELETE /v1/links/{id}/delete (docs/service.md, Links). */
export const deletion = {
	name: 'Delete',
	action: 'Delete payment link',
	description:
		'Delete a payment link for good: nobody can pay by it any more, and it can’t be brought back',
	endpoint,
	fields: [{ ...linkIdField, hint: 'Removes the link, and can’t be undone' }],
	run: deleteLink,
	write: {
		describeEffect: describeLink('deleted'),
		toolNotice: `A deleted link can’t be brought back. Set by hand: the credential, since the model can delete every link of its account. Leave to the model: ${linkIdField.displayName}. To be able to go back, use Update with Status Disabled.`,
	},
} satisfies OperationDefinition;
