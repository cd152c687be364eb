import { currencyField } from '../../../shared/fields/currencyField';
import { idempotencyKeyField, onRepeatedKeyField } from '../../writes/idempotencyFields';
import { optionsField } from '../optionsField';
import { showFor } from '../showFor';
import { additionalFields } from './additionalFields';
import { expiryFields } from './expiryFields';
import { itemsField } from './itemsField';

/** POST /v1/links, in the order of the editor. Limits are checked at run time too, see linkBody.ts. */
export const createFields = showFor('link', 'create', [
	{
		...currencyField,
		required: true,
		routing: { send: { type: 'body', property: 'currency' } },
	},
	itemsField,
	...expiryFields,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: additionalFields,
	},
	optionsField([idempotencyKeyField, onRepeatedKeyField]),
]);
