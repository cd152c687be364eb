import type { Charge } from './schemas/charge';
import type { Customer } from './schemas/customer';

/** Fields of the records of which a part may leave a node: all, and what Simplify keeps, in the order of the output. */

export const CHARGE_FIELDS = [
	'id',
	'created',
	'currency',
	'custom_fields',
	'discount',
	'discount_percentage',
	'events',
	'failure_url',
	'fee',
	'fee_tax',
	'fx_fee',
	'items',
	'net',
	'network_cost',
	'note',
	'payment_capture_source',
	'payment_method',
	'reference_id',
	'refund_total',
	'refunds',
	'service_fee',
	'service_fee_percentage',
	'settlement_currency',
	'source',
	'status',
	'success_url',
	'tax',
	'tip',
	'tip_percentage',
	'total',
	'user',
] as const satisfies ReadonlyArray<keyof Charge>;

export const CUSTOMER_FIELDS = [
	'id',
	'business_name',
	'city',
	'country',
	'created',
	'email',
	'first_name',
	'job_title',
	'last_name',
	'phone_number',
	'province',
	'street',
	'zip_code',
] as const satisfies ReadonlyArray<keyof Customer>;

/** The name of whoever took the payment, which Simplify makes of the charge's user. */
export const USER_NAME = 'user_name';

/** Fields of a charge: what accounting and reconciliation need. */
export const KEPT_CHARGE_FIELDS = [
	'id',
	'created',
	'reference_id',
	'total',
	'currency',
	'status',
	'refund_total',
	'net',
	'payment_method',
	USER_NAME,
	'note',
] as const;

/** Fields of a customer: what reaching a contact needs. */
export const KEPT_CUSTOMER_FIELDS = [
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
] as const;
