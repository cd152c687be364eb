import { ENDPOINTS } from '../../../../contract/constants';
import type { ChargeFilters } from '../../../../contract/schemas/charge';
import { chargeFilters } from '../../../shared/fields/chargeFields';
import { includeSensitiveDataField, locator } from '../../../shared/fields/kinds';
import { filtersField, inQuery, optionsField, type Field } from '../../../shared/fields/field';
import { checkIdText, checkUuid } from '../../../shared/input/inputChecks';
import { howManyFields, listing, pagingOptions } from '../../run/listRecords';
import { findRecord } from '../../run/oneRecord';
import type { OperationDefinition } from '../../run/item';
import { simplifiedOutput } from '../../run/simplifiedOutput';
import { resource } from '../resource';
import { getEvents } from './getEvents';
import { refund } from './refund';

/** GET /v1/charges, filtered by the ID (docs/service.md, Charges). */
const get = {
	name: 'Get',
	action: 'Get charge',
	description: 'Retrieve a charge with its total, status and refunded amount',
	endpoint: ENDPOINTS.chargeList,
	fields: [
		{
			displayName: 'Charge',
			name: 'chargeId',
			...locator('charge', 'searchCharges', checkUuid),
			required: true,
			description: 'The charge to retrieve. Type in the list to search, also by the payer’s name.',
			sent: inQuery<ChargeFilters>('id'),
		},
		optionsField([includeSensitiveDataField]),
	],
	run: findRecord('charge'),
	output: simplifiedOutput('charge'),
} satisfies OperationDefinition;

const chargeFilter: Field = {
	displayName: 'Charge',
	name: 'chargeId',
	...locator('charge', 'searchCharges', checkIdText),
	description: 'Only this charge. Type in the list to search, also by the payer’s name.',
	sent: inQuery<ChargeFilters>('id'),
};

/** GET /v1/charges (docs/service.md, Charges). */
export const getAll = {
	name: 'Get Many',
	action: 'Get many charges',
	description: 'Retrieve a list of charges, optionally filtered',
	endpoint: ENDPOINTS.chargeList,
	fields: [
		...howManyFields,
		filtersField([chargeFilter, ...Object.values(chargeFilters)]),
		optionsField([includeSensitiveDataField, ...pagingOptions]),
	],
	...listing,
	output: simplifiedOutput('charge'),
} satisfies OperationDefinition;

export const charge = resource(
	{ name: 'Charge', value: 'charge' },
	{ get, getEvents, getAll, refund },
	'getAll',
);
