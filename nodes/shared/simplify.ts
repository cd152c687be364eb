import type { IDataObject } from 'n8n-workflow';
import type { Charge } from '../../contract/schemas/charge';
import type { Customer } from '../../contract/schemas/customer';

/** What Simplify keeps: what accounting and reconciliation need (service-interface.md, section "Charge"). */
export const SIMPLE_CHARGE_FIELDS = [
	'id',
	'created',
	'reference_id',
	'status',
	'currency',
	'total',
	'refund_total',
	'net',
	'payment_method',
	'note',
] as const satisfies ReadonlyArray<keyof Charge>;

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
] as const satisfies ReadonlyArray<keyof Customer>;

/** The record with the named fields only; a field that the service left out stays out. */
export function simplify(record: IDataObject, fields: readonly string[]): IDataObject {
	return Object.fromEntries(
		fields.filter((field) => field in record).map((field) => [field, record[field]]),
	);
}
