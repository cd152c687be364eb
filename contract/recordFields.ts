import type { Charge } from './schemas/charge';
import type { Customer } from './schemas/customer';

/** Every field of the records of which an agent's tool can give a part, as plain data that the nodes ship. */

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
