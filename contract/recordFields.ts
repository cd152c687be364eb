/**
 * The fields of records as they leave the nodes: plain data, kept in step with the schemas by a test. Simplify keeps the
 * first ones, at most ten and in this order. All of them can be chosen where a model uses the node.
 */

/** Made of what is within another field, and null where that holds nothing. */
export type MadeField = 'payer_name' | 'customer_name' | 'customer_email';

const fields = (simplified: string, ...others: string[]) => ({
	simplified: simplified.split(' '),
	all: [simplified, ...others].flatMap((names) => names.split(' ')),
});

export const RECORD_FIELDS = {
	/** What accounting and reconciliation need. It is not documented who the `user` of a charge is. */
	charge: fields(
		'id created reference_id total currency status refund_total net payer_name note',
		'items discount tip tax payment_method user events settlement_currency fee fx_fee fee_tax',
		'network_cost success_url failure_url service_fee discount_percentage service_fee_percentage',
		'tip_percentage source custom_fields refunds payment_capture_source',
	),
	checkoutSession: fields(
		'id status amount currency reference_id created_at url customer_name customer_email metadata',
		'discount items customer charges',
	),
	/** What reaching a contact needs. */
	customer: fields(
		'id created first_name last_name business_name email phone_number city country job_title',
		'province street zip_code',
	),
	invoice: fields(
		'id invoice_number status amount currency due_date title url reference_id created',
		'code discount tax shipping_address_required items note expiry user tip service_date',
		'interval_count starts_at ends_at due_days source files reminders events customer service_fee',
		'discount_percentage service_fee_percentage tip_percentage custom_fields success_url',
		'failure_url payment_capture_source',
	),
	link: fields(
		'id url status amount currency title reference_id payment_expiry_limit expiry_date note',
		'discount service_fee allow_tip shipping_address_required items tax taxes discount_percentage',
		'service_fee_percentage tip tip_percentage due_date custom_fields source',
		'allow_installment_a allow_installment_b allow_service_fee',
	),
} as const;

export type RecordKind = keyof typeof RECORD_FIELDS;
