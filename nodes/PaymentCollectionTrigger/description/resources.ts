import { ENDPOINTS } from '../../../contract/constants';
import { RECORD_FIELDS } from '../../../contract/records.generated';
import { readCharge, readListed } from '../../shared/records/charge';

/** What the trigger listens to, and all in which the two differ: what it says of charges elsewhere holds for both. */
export const RESOURCES = {
	charge: {
		noun: 'charge',
		endpoint: ENDPOINTS.chargeList,
		created: 'charge.created',
		read: readCharge,
		simplified: RECORD_FIELDS.charge.simplified,
		toCatchUp: "run Charge: Get Events with these times as 'Since' and 'Options → Until'",
	},
	customer: {
		noun: 'customer',
		endpoint: ENDPOINTS.customerList,
		created: 'customer.created',
		read: readListed,
		simplified: RECORD_FIELDS.customer.simplified,
		toCatchUp: 'run Customer: Get Many',
	},
} as const;
