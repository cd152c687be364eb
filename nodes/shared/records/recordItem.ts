import type { IDataObject } from 'n8n-workflow';
import { redactRecord } from '../redaction/redactRecord';
import type { RedactionOptions } from '../redaction/redactRecord';
import { simplifyCharge, simplifyCustomer, withUserName } from './simplify';

export interface ItemOptions extends RedactionOptions {
	readonly simplify: boolean;
}

/**
 * How a record of the service leaves a node. Secrets go first, and once: what Simplify keeps is a copy of what is
 * left, so that a note can't carry on what was removed elsewhere.
 */
export type ToItem = (record: IDataObject, options: ItemOptions) => IDataObject;

export const toChargeItem: ToItem = (charge, options) => {
	if (!options.simplify) return redactRecord(charge, options);
	return simplifyCharge(redactRecord(withUserName(charge), options));
};

export const toCustomerItem: ToItem = (customer, options) => {
	const withoutSecrets = redactRecord(customer, options);
	return options.simplify ? simplifyCustomer(withoutSecrets) : withoutSecrets;
};
