import type { IDataObject } from 'n8n-workflow';
import { KEPT_CHARGE_FIELDS, KEPT_CUSTOMER_FIELDS, USER_NAME } from '../../../contract/simplified';
import { plainText } from '../plainText';

/** Adds what Simplify makes of several fields: before secrets are removed, since halves of one may come together. */
export const withUserName = (charge: IDataObject): IDataObject => ({
	...charge,
	[USER_NAME]: userName(charge.user),
});

/** @param charge from {@link withUserName} */
export const simplifyCharge = (charge: IDataObject): IDataObject =>
	only([...KEPT_CHARGE_FIELDS, USER_NAME], charge);

export const simplifyCustomer = (customer: IDataObject): IDataObject =>
	only(KEPT_CUSTOMER_FIELDS, customer);

/** A field that the service left out stays out. */
function only(fields: readonly string[], record: IDataObject): IDataObject {
	return Object.fromEntries(
		fields.filter((field) => field in record).map((field) => [field, record[field]]),
	);
}

/** First and last name of whoever took the payment; null where the charge names nobody. */
function userName(user: unknown): string | null {
	if (typeof user !== 'object' || user === null) return null;
	const { first_name: first, last_name: last } = user as IDataObject;
	return `${plainText(first)} ${plainText(last)}`.trim() || null;
}
