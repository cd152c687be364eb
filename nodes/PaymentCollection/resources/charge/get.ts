import { ENDPOINTS } from '../../../../contract/constants';
import { CHARGE_FIELDS } from '../../../../contract/recordFields';
import type { ChargeFilters } from '../../../../contract/schemas/charge';
import { inQuery, optionsField } from '../../../shared/fields/field';
import { includeSensitiveDataField, locator } from '../../../shared/fields/kinds';
import { checkUuid } from '../../../shared/input/inputChecks';
import { toChargeItems } from '../../../shared/records/recordItem';
import { findRecord } from '../../run/oneRecord';
import type { OperationDefinition } from '../../run/operation';
import { outputFields } from '../../run/output';

/** GET /v1/charges, filtered by the ID (docs/service.md, Charges). */
export const get = {
	name: 'Get',
	action: 'Get charge',
	description: 'Retrieve one charge: what was paid, its status, and what of it is refunded',
	endpoint: ENDPOINTS.chargeList,
	fields: [
		{
			displayName: 'Charge',
			name: 'chargeId',
			...locator('charge', 'searchCharges', checkUuid),
			required: true,
			description: 'The charge to get. Type in the list to search, by the payer’s name too.',
			sent: inQuery('id' satisfies keyof ChargeFilters),
		},
		...outputFields(CHARGE_FIELDS),
		optionsField([includeSensitiveDataField]),
	],
	run: findRecord('charge'),
	toItems: toChargeItems,
} satisfies OperationDefinition;
