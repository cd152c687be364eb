import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/constants';
import { withoutSpareZeros } from '../../../shared/money';
import { plainText } from '../../../shared/values';
import type { OperationDefinition } from '../../operation';
import { simplifiedOutput } from '../simplifiedOutput';
import { oneRequest } from '../../writes/oneRequest';
import { additionalFields } from './additionalFields';
import { currencyField, expiryFields, itemsFields } from './createFields';

/** 10 and 10.00 are the same price. */
const soldItems = (items: unknown): unknown[] =>
	(items as IDataObject[]).map(({ name, amount, quantity }) => [
		name,
		withoutSpareZeros(plainText(amount)),
		quantity,
	]);

/** POST /v1/links (docs/service.md, Links). */
export const create = {
	name: 'Create',
	action: 'Create payment link',
	description: 'Create a payment link, the URL of a page where customers pay',
	endpoint: ENDPOINTS.linkCreate,
	fields: [currencyField, ...itemsFields, ...expiryFields, additionalFields],
	output: simplifiedOutput('link'),
	...oneRequest({
		record: 'link',
		done: 'created',
		whereToLook:
			"This run does not try again. First look for the link in the service’s dashboard: its API can’t list links. Without an 'Idempotency Key', running the workflow again can create a second link; with one, it needs a new key.",
		toolNotice:
			"Customers pay what the link says. Set these yourself: the credential, 'Currency', and, if used, 'Success URL' and 'Failure URL' in 'Additional Fields'. Let the model set only 'Items' and 'Title'. With an 'Idempotency Key', a repeated request doesn’t create a second link.",
		key: {
			standsFor: 'the currency and the items of a link',
			binds: ({ body = {} }) => [body['currency'], ...soldItems(body['items'])],
		},
	}),
} satisfies OperationDefinition;
