import type { IDataObject } from 'n8n-workflow';
import type { SimpleCharge, SimpleCustomer } from '../../../contract/schemas/outputs';
import { plainText } from '../plainText';

/** What Simplify keeps: what accounting and reconciliation need (service-interface.md, section "Charge"). */
export const SIMPLE_CHARGE_FIELDS = [
	'id',
	'created',
	'reference_id',
	'total',
	'currency',
	'status',
	'refund_total',
	'net',
	'payment_method',
	'user_name',
] as const satisfies ReadonlyArray<keyof SimpleCharge>;

/** What Simplify keeps: what reaching a contact needs (service-interface.md, section "Contact (customer)"). */
export const SIMPLE_CUSTOMER_FIELDS = [
	'id',
	'created',
	'first_name',
	'last_name',
	'business_name',
	'email',
	'phone_number',
	'city',
	'country',
	'job_title',
] as const satisfies ReadonlyArray<keyof SimpleCustomer>;

/** Adds what Simplify makes of several fields: before secrets are removed, since halves of one may come together. */
export const withUserName = (charge: IDataObject): IDataObject => ({
	...charge,
	user_name: userName(charge.user),
});

/** @param charge from {@link withUserName} */
export const simplifyCharge = (charge: IDataObject): IDataObject =>
	only(SIMPLE_CHARGE_FIELDS, charge);

export const simplifyCustomer = (customer: IDataObject): IDataObject =>
	only(SIMPLE_CUSTOMER_FIELDS, customer);

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
