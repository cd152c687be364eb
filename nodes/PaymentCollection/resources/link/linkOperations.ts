import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import type { DeletedLink } from '../../../../contract/schemas/outputs';
import { checkUuid } from '../../../shared/input/inputChecks';
import { asRecord, kindOf, malformed } from '../../../shared/service/answers';
import { plainText } from '../../../shared/plainText';
import type { SendOptions, ServiceRequest } from '../../../shared/service/transport';
import type { Item } from '../../run/item';
import { oncePerKey, readKeyOptions } from '../../writes/idempotencyKey';
import { writeOnce } from '../../writes/writeOnce';
import { linkCreateBody, linkEditBody } from './linkBody';

const NOT_FOUND = 404;

const linkId = (item: Item): string => checkUuid(item.parameter('linkId'), 'Link ID');

/** One link in words, for the error of another item. */
export const describeLink =
	(done: string) =>
	({ id }: IDataObject): string =>
		`link ${plainText(id)} ${done}`;

const CREATE = {
	endpoint: ENDPOINTS.linkCreate,
	done: 'created',
	whereToLook:
		'This run does not send it again, and running the workflow again can create a second link. Look for the link in the payment collection service first: its interface can’t list links.',
};

/** POST /v1/links, at most once per item and Idempotency Key. @returns the created link */
export async function createLink(item: Item): Promise<IDataObject[]> {
	const { endpoint } = CREATE;
	return await writeOnce(
		item,
		CREATE,
		() => {
			const request = { endpoint, body: linkCreateBody(item) };
			return { request, send: async (options) => await sendForLink(item, request, options) };
		},
		async (write, mayBeCarriedOut) =>
			await oncePerKey(item, readKeyOptions(item), {
				operation: `${endpoint.method} ${endpoint.path}`,
				write,
				describeEffect: describeLink('created'),
				mayBeCarriedOut,
			}),
	);
}

const UPDATE = {
	endpoint: ENDPOINTS.linkEdit,
	done: 'updated',
	whereToLook: 'Get the link to see its title and status. Updating it again comes to the same.',
};

/** PATCH /v1/links/{id}/edit. @returns the link as it is now */
export async function updateLink(item: Item): Promise<IDataObject[]> {
	return await writeOnce(item, UPDATE, () => {
		const request = { endpoint: UPDATE.endpoint, id: linkId(item), body: linkEditBody(item) };
		return { request, send: async (options) => await sendForLink(item, request, options) };
	});
}

const DELETE = {
	endpoint: ENDPOINTS.linkDelete,
	done: 'deleted',
	whereToLook:
		'Get the link: once the service has nothing with its ID, it is deleted. Deleting it again does no harm.',
};

/** DELETE /v1/links/{id}/delete, whose success has no body. @returns `{ id, deleted: true }` */
export async function deleteLink(item: Item): Promise<IDataObject[]> {
	return await writeOnce(item, DELETE, () => {
		const id = linkId(item);
		const request = { endpoint: DELETE.endpoint, id };
		const deleted = { id, deleted: true } satisfies DeletedLink;
		return {
			request,
			send: async (options) => {
				const answer = await item.transport.send(request, options);
				if (isContradicted(answer)) throw malformed(request, kindOf(answer));
				return deleted;
			},
			// The answer of the first try was lost, and now nothing is there: it had worked.
			afterLostTry: ({ status }) => (status === NOT_FOUND ? deleted : undefined),
		};
	});
}

/** Whether the body of a success takes it back; the document shows none, and a message or the link does not. */
function isContradicted(body: unknown): boolean {
	if (body === undefined || body === null) return false;
	if (typeof body === 'string') return body.trim() !== '';
	if (typeof body !== 'object' || Array.isArray(body)) return true;
	const { deleted, success, errors } = body as IDataObject;
	return deleted === false || success === false || (errors ?? undefined) !== undefined;
}

/** An object without the ID that every link has says something else: that the link is there is then not known. */
async function sendForLink(
	{ transport }: Item,
	request: ServiceRequest,
	options: SendOptions,
): Promise<IDataObject> {
	const link = asRecord(await transport.send(request, options), request);
	const id = plainText(link.id);
	if (id === '') throw malformed(request, 'an object without an ID');
	const isOther = request.id !== undefined && id.toLowerCase() !== request.id.toLowerCase();
	if (isOther) throw malformed(request, 'another link');
	return link;
}
