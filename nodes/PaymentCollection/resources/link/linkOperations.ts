import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import type { DeletedLink } from '../../../../contract/schemas/outputs';
import { checkUuid } from '../../../shared/inputChecks';
import { asRecord, kindOf, malformed } from '../../../shared/records';
import { plainText } from '../../../shared/plainText';
import type { ServiceRequest } from '../../../shared/transport';
import type { Item } from '../../run/item';
import { writeOnce } from '../../run/writeOnce';
import { linkCreateBody, linkEditBody } from './linkBody';

const linkId = (item: Item): string => checkUuid(item.parameter('linkId'), 'Link ID');

/** POST /v1/links, at most once per item whatever Retry On Fail does. @returns the created link */
export async function createLink(item: Item): Promise<IDataObject[]> {
	const request = { endpoint: ENDPOINTS.linkCreate, body: linkCreateBody(item) };
	return [await writeOnce(item, request, async () => await sendForLink(item, request))];
}

/** PATCH /v1/links/{id}/edit. @returns the link as it is now */
export async function updateLink(item: Item): Promise<IDataObject[]> {
	const request = { endpoint: ENDPOINTS.linkEdit, id: linkId(item), body: linkEditBody(item) };
	return [await writeOnce(item, request, async () => await sendForLink(item, request))];
}

/** DELETE /v1/links/{id}/delete, whose success has no body. @returns `{ id, deleted: true }` */
export async function deleteLink(item: Item): Promise<IDataObject[]> {
	const id = linkId(item);
	const request = { endpoint: ENDPOINTS.linkDelete, id };
	const send = async (): Promise<IDataObject> => {
		const answer = await item.transport.send(request);
		// A web page under a success status is no answer of the service, so nothing is known to be deleted.
		if (typeof answer === 'string' && answer.trim() !== '')
			throw malformed(request, kindOf(answer));
		return { id, deleted: true } satisfies DeletedLink;
	};
	return [await writeOnce(item, request, send)];
}

/** An object without the ID that every link has says something else: that the link is there is then not known. */
async function sendForLink({ transport }: Item, request: ServiceRequest): Promise<IDataObject> {
	const link = asRecord(await transport.send(request), request);
	if (plainText(link.id) === '') throw malformed(request, 'an object without an ID');
	return link;
}
