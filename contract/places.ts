/**
 * What the texts of the service's records hold, by their place: which of them can't be anything but what their name
 * says, which hold a word of the service, and in which of them people or the service write what they like. Plain data, kept in step with the schemas by
 * a test. All kinds of records share one tree: where two have a field of the same name, it means the same in both.
 */

/**
 * fixed: an identifier, status, currency, amount, date, code or the like. word: a word of the service, of which the
 * document does not show all values. free: text. secret: sensitive.
 */
export type Meaning = 'fixed' | 'word' | 'free' | 'secret';

/** The fields of an object, or of each entry of a list of objects. What is not in here is not in the contract. */
export type Place = ReadonlyMap<string, Meaning | Place>;

function place(
	meanings: Readonly<Partial<Record<Meaning, readonly string[]>>>,
	inner: Readonly<Record<string, Place>> = {},
): Place {
	const fields = Object.entries(meanings).flatMap(([meaning, names]) =>
		names.map((name): [string, Meaning] => [name, meaning as Meaning]),
	);
	return new Map<string, Meaning | Place>([...fields, ...Object.entries(inner)]);
}

const USER = place({ fixed: ['id'], free: ['first_name', 'last_name'] });

/** docs/service.md, Charges: card data. What its other fields hold stands in the payment source as well. */
export const CARD_DATA = place({
	fixed: ['expiry_month', 'expiry_year'],
	free: ['card_holder_name'],
	secret: ['card_number', 'security_code'],
});

/** docs/service.md, Charges: payment source object. */
export const PAYMENT_SOURCE = place(
	{
		fixed: ['product_id'],
		word: [
			...['type', 'expiry_month', 'expiry_year', 'scheme', 'scheme_local', 'last4', 'bin'],
			...['card_type', 'card_category', 'issuer', 'issuer_country', 'product_type', 'expires_on'],
		],
		free: ['name', 'card_holder_name'],
		secret: ['token'],
	},
	{ card_data: CARD_DATA },
);

/** Items of links, invoices, charges and checkout sessions. */
const ITEM = place({
	fixed: [
		...['id', 'item_id', 'product', 'quantity', 'amount', 'total_amount', 'unit_amount'],
		...['discount_amount', 'net_amount'],
	],
	word: ['discount_type'],
	free: ['name', 'sku'],
});

const MONEY_FIELDS = [
	...['amount', 'total', 'refund_total', 'remaining', 'discount', 'tip', 'tax', 'service_fee'],
	...['fee', 'fx_fee', 'fee_tax', 'net', 'network_cost', 'discount_percentage'],
	...['service_fee_percentage', 'tip_percentage'],
];

const DATE_FIELDS = [
	...['created', 'created_at', 'expiry', 'expiry_date', 'due_date', 'service_date'],
	...['starts_at', 'ends_at'],
];

/** A link, invoice, charge, checkout session or customer, and what the nodes make of their answers. */
export const RECORD = place(
	{
		fixed: [
			...MONEY_FIELDS,
			...DATE_FIELDS,
			...['id', 'charge_id', 'reference_id', 'code', 'invoice_number', 'province'],
			...['currency', 'settlement_currency', 'status'],
			...['interval_count', 'due_days', 'payment_expiry_limit', 'deleted', 'allow_tip'],
			...['allow_installment_a', 'allow_installment_b', 'allow_service_fee'],
			'shipping_address_required',
		],
		word: ['payment_method', 'payment_capture_source'],
		free: [
			...['title', 'note', 'message', 'url', 'success_url', 'failure_url', 'metadata'],
			...['first_name', 'last_name', 'business_name', 'job_title', 'email', 'phone_number'],
			...['city', 'street', 'zip_code', 'country'],
		],
	},
	{
		items: ITEM,
		taxes: place({ fixed: ['mode_value', 'value'], word: ['mode'], free: ['name'] }),
		custom_fields: place({ fixed: ['is_required'], free: ['name'] }),
		user: USER,
		source: PAYMENT_SOURCE,
		events: place({ fixed: ['created'], word: ['type'], free: ['message'] }, { user: USER }),
		refunds: place({ fixed: ['created', 'amount'] }),
		charges: place({ fixed: ['id', 'amount', 'payment_time', 'status'], word: ['payment_method'] }),
		files: place({ fixed: ['id'], word: ['content_type'], free: ['title', 'file'] }),
		reminders: place({ fixed: ['id', 'days', 'invoice', 'run_at'], free: ['title'] }),
		customer: place({
			free: ['first_name', 'last_name', 'business_name', 'email', 'phone_number'],
		}),
	},
);
