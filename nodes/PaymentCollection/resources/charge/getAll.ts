import { ENDPOINTS } from '../../../../contract/endpoints';
import { CHARGE_FIELDS } from '../../../../contract/recordFields';
import type { ChargeFilters } from '../../../../contract/schemas/charge';
import { chargeFilters } from '../../../shared/fields/chargeFilters';
import { filtersField, optionsField } from '../../../shared/fields/collections';
import { inQuery } from '../../../shared/fields/field';
import type { Field } from '../../../shared/fields/field';
import { includeSensitiveDataField } from '../../../shared/fields/includeSensitiveDataField';
import { requiredText } from '../../../shared/fields/kinds';
import { toChargeItems } from '../../../shared/records/recordItem';
import { amountFields, listing, pagingOptions } from '../../run/listRecords';
import type { OperationDefinition } from '../../run/operation';
import { outputFields } from '../../run/outputFields';

const chargeIdFilter: Field = {
	displayName: 'Charge ID',
	name: 'chargeId',
	label: 'Filter Charge ID',
	...requiredText,
	default: '',
	placeholder: 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b',
	description: 'Only the charge with this ID',
	sent: inQuery('id' satisfies keyof ChargeFilters),
};

/** GET /v1/charges (docs/service.md, Charges). */
export const getAll = {
	name: 'Get Many',
	action: 'Get many charges',
	description: 'Get many charges, all of them or by filters',
	endpoint: ENDPOINTS.chargeList,
	fields: [
		...amountFields,
		filtersField([chargeIdFilter, ...Object.values(chargeFilters)]),
		...outputFields(CHARGE_FIELDS),
		optionsField([includeSensitiveDataField, ...pagingOptions]),
	],
	...listing,
	toItems: toChargeItems,
} satisfies OperationDefinition;
