/** What Simplify keeps of a record, in the order of the output. */

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
