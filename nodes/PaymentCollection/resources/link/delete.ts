import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import type { DeletedLink } from '../../../../contract/schemas/outputs';
import { NOT_FOUND, isTakenBack, kindOf, malformed } from '../../../shared/service/answers';
import { ServiceFailure } from '../../../shared/errors/failures';
import { isRecord } from '../../../shared/isRecord';
import { plainText } from '../../../shared/plainText';
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
				const isSaid = saysDeleted(answer, id);
				if (isSaid === true || (isSaid === undefined && (await isGone(item, id)))) return deleted;
				throw malformed(request, kindOf(answer));
			},
			// The answer of the first try was lost, and now nothing is there: it had worked.
			afterLostTry: ({ status }) => (status === NOT_FOUND ? deleted : undefined),
		};
	});
}

/** A success has no body. Undefined for one that says neither that the link is deleted nor that it is not: a message, say. */
function saysDeleted(body: unknown, id: string): boolean | undefined {
	if (body === undefined || body === null) return true;
	if (typeof body === 'string') return body.trim() === '';
	if (!isRecord(body)) return false;
	if (Object.keys(body).length === 0) return true;
	const { deleted, success, id: named = id } = body;
	const isOther = plainText(named).toLowerCase() !== id.toLowerCase();
	if (isOther || isTakenBack(body)) return false;
	return deleted === true || success === true ? true : undefined;
}

/** Whether the service has nothing with the ID any more. */
async function isGone({ transport }: Item, id: string): Promise<boolean> {
	const reading = transport.send({ endpoint: ENDPOINTS.linkGet, id });
	return await reading.then(
		() => false,
		(error: unknown) => error instanceof ServiceFailure && error.failure.status === NOT_FOUND,
	);
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
