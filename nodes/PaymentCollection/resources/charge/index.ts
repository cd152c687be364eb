import { ENDPOINTS } from '../../../../contract/constants';
import type { ChargeFilters } from '../../../../contract/schemas/charge';
import { chargeFilters } from '../../../shared/fields/chargeFields';
import { includeSensitiveDataField, chargeLocator } from '../../../shared/fields/kinds';
import { filtersField, inQuery, optionsField } from '../../../shared/fields/field';
import { checkChargeId, checkIdText } from '../../../shared/input/inputChecks';
import { howManyFields, listing, pagingOptions } from '../../run/listRecords';
import { findRecord } from '../../run/oneRecord';
import type { OperationDefinition } from '../../operation';
import { simplifiedOutput } from '../simplifiedOutput';
import { resource } from '../resource';
import { getEvents } from './getEvents';
import { refund } from './refund';

const { sent: asId } = inQuery<ChargeFilters>('id');

/** GET /v1/charges, filtered by the ID (docs/service.md, Charges). */
const get = {
	name: 'Get',
	action: 'Get charge',
	description: 'Retrieve a charge with its total, status and refunded amount',
	endpoint: ENDPOINTS.chargeList,
	fields: [
		{ ...chargeLocator('The charge to retrieve.', checkChargeId, asId), required: true },
		optionsField([includeSensitiveDataField]),
	],
	run: findRecord('charge'),
	output: simplifiedOutput('charge'),
} satisfies OperationDefinition;

/** GET /v1/charges (docs/service.md, Charges). */
const getAll = {
	name: 'Get Many',
	action: 'Get many charges',
	description: 'Retrieve a list of charges, optionally filtered',
	endpoint: ENDPOINTS.chargeList,
	fields: [
		...howManyFields,
		filtersField(
			[chargeLocator('Only this charge.', checkIdText, asId), ...Object.values(chargeFilters)],
			"For the charges of a period, use the operation Get Events, with a start such as {{ $now.startOf('month') }}.",
		),
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
