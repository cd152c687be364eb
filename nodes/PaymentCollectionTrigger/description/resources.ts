import { ENDPOINTS } from '../../../contract/constants';
import { KEPT_CUSTOMER_FIELDS } from '../../../contract/recordFields';
import { readCharge } from '../../shared/charges/charge';
import { readListed } from '../../shared/records/listed';
import { simplifiedTo, toChargeItems } from '../../shared/records/recordItem';

/** What the trigger listens to, and all in which the two differ: what it says of charges elsewhere holds for both. */
export const RESOURCES = {
	charge: {
		noun: 'charge',
		endpoint: ENDPOINTS.chargeList,
		created: 'charge.created',
		read: readCharge,
		toItems: toChargeItems,
		toCatchUp: 'run Charge: Get Events with that time as Since',
	},
	customer: {
		noun: 'customer',
		endpoint: ENDPOINTS.customerList,
		created: 'customer.created',
		read: readListed,
		toItems: simplifiedTo(KEPT_CUSTOMER_FIELDS),
		toCatchUp: 'run Customer: Get Many',
	},
} as const;
