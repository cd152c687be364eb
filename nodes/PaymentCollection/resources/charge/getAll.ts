import { chargeFilterFields } from '../../../shared/fields/chargeFilterFields';
import { includeSensitiveDataField } from '../../../shared/fields/includeSensitiveData';
import { amountFields, pagingOptions, simplifyField } from '../listFields';
import { optionsField } from '../optionsField';
import { showFor } from '../showFor';

const { currency, customerId, search, status, type } = chargeFilterFields;

/** GET /v1/charges. */
export const getAllFields = showFor('charge', 'getAll', [
	...amountFields,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Charge ID',
				name: 'chargeId',
				type: 'string',
				default: '',
				description: 'Only the charge with this ID',
			},
			currency,
			customerId,
			search,
			status,
			type,
		],
	},
	simplifyField,
	optionsField([includeSensitiveDataField, ...pagingOptions]),
]);
