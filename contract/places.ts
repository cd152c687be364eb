/**
 * What the values of the service's records are, by their place: which of them can't be anything but what their name
 * says, and in which people or the service write what they like. Plain data, kept in step with the schemas by a test.
 * All kinds of records share one tree: where two have a field of the same name, it means the same in both.
 */

/**
 * fixed: an identifier, status, currency, amount, date or the like. free: text. number: text whose digits are no card's.
 * secret: sensitive. code: a card's security code. pairs: the merchant's own key-value pairs, each of which is a pair: one
 * named token is no payment token.
 */
export type Meaning = 'fixed' | 'free' | 'number' | 'secret' | 'code' | 'pairs' | 'pair';

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

/** docs/service.md, Charges: card data. */
export const CARD_DATA = place({
	fixed: ['expiry_month', 'expiry_year'],
	free: ['card_holder_name'],
	secret: ['card_number'],
	code: ['security_code'],
});

/** The names of a security code, in fields and in texts: cvv, CVC2, cav2, cvvCode, "card verification value", … */
export const SECURITY_CODE = String.raw`(?<![A-Za-z\d])(?:(?:card[\s_-]?)?(?:security[\s_-]?code|verification[\s_-]?value|(?:cav|cv[cdnvx]|ccv|csc)2?(?:[\s_-]?(?:code|number|value))?)|card[\s_-]?(?:verification[\s_-]?(?:code|number)|cid))`;

/** The meaning of an undocumented field, by its name=value. A customer's ID can be called cid as well. */
export const BY_NAME: ReadonlyArray<readonly [field: RegExp, Meaning | Place]> = [
	[/^card_?data=/i, CARD_DATA],
	[/^(?:card_?number|(?:(?:card|payment)_?)?token)=/i, 'secret'],
	[new RegExp(String.raw`^(?:\w*_)?(?:(?:${SECURITY_CODE}|cid_?code)=|cid=\d{3,4}$)`, 'i'), 'code'],
	[/^(?:\w*_)?(?:id|reference)=|^\w*[a-z]Id=/, 'number'],
];

/** docs/service.md, Charges: payment source object. */
const PAYMENT_SOURCE = place(
	{
		fixed: ['product_id'],
		free: [
			...['type', 'expiry_month', 'expiry_year', 'scheme', 'scheme_local', 'last4', 'bin'],
			...['card_type', 'card_category', 'issuer', 'issuer_country', 'product_type', 'expires_on'],
			...['name', 'card_holder_name'],
		],
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
	free: ['name', 'discount_type'],
	number: ['sku'],
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
		pairs: ['metadata'],
		free: [
			...['payment_method', 'payment_capture_source'],
			...['title', 'note', 'message', 'url', 'success_url', 'failure_url'],
			...['first_name', 'last_name', 'business_name', 'job_title', 'email'],
			...['city', 'street', 'zip_code', 'country'],
		],
		number: ['phone_number'],
	},
	{
		items: ITEM,
		taxes: place({ fixed: ['mode_value', 'value'], free: ['mode', 'name'] }),
		custom_fields: place({ fixed: ['is_required'], free: ['name'] }),
		user: USER,
		source: PAYMENT_SOURCE,
		events: place({ fixed: ['created'], free: ['type', 'message'] }, { user: USER }),
		refunds: place({ fixed: ['created', 'amount'] }),
		charges: place({ fixed: ['id', 'amount', 'payment_time', 'status'], free: ['payment_method'] }),
		files: place({ fixed: ['id'], free: ['content_type', 'title', 'file'] }),
		reminders: place({ fixed: ['id', 'days', 'invoice', 'run_at'], free: ['title'] }),
		customer: place({
			free: ['first_name', 'last_name', 'business_name', 'email'],
			number: ['phone_number'],
		}),
	},
);
