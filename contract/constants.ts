/** Names and limits of docs/service.md, as plain data that the nodes ship and the zod schemas build on. */

/**
 * Path segments, `{id}` where an identifier goes; and what a success contains. `change`: the changed record or nothing.
 * `deletion`: nothing. `confirmation`: a message that confirms a refund.
 */
export const ENDPOINTS = {
	linkCreate: { method: 'POST', path: '/v1/links', answers: 'record' },
	linkGet: { method: 'GET', path: '/v1/links/{id}', answers: 'record' },
	linkEdit: { method: 'PATCH', path: '/v1/links/{id}/edit', answers: 'change' },
	linkDelete: { method: 'DELETE', path: '/v1/links/{id}/delete', answers: 'deletion' },
	invoiceGet: { method: 'GET', path: '/v1/invoices/{id}', answers: 'record' },
	chargeList: { method: 'GET', path: '/v1/charges', answers: 'list' },
	chargeRefund: { method: 'POST', path: '/v1/charges/{id}/refund', answers: 'confirmation' },
	checkoutGet: { method: 'GET', path: '/v1/checkout/{id}', answers: 'record' },
	customerList: { method: 'GET', path: '/v1/customers', answers: 'list' },
} as const;

export type EndpointName = keyof typeof ENDPOINTS;

/** docs/service.md, Authentication. */
export const API_KEY_HEADER = 'X-API-KEY';

/** docs/service.md, Links; both values can be set by link edit. */
export const LINK_STATUSES = ['disabled', 'enabled'] as const;

/** Link and invoice `source` (a charge's `source` is an object instead). */
export const RECORD_SOURCES = [
	'service_hosted',
	'shop_plugin_a',
	'shop_plugin_b',
	'automation_tool',
	'service_api',
	'store',
	'app',
	'web',
] as const;

/** docs/service.md, Invoices. */
export const INVOICE_STATUSES = ['paid', 'unpaid', 'overdue', 'cancelled', 'scheduled'] as const;

/** docs/service.md, Checkout sessions. */
export const CHECKOUT_STATUSES = ['paid', 'created', 'cancelled', 'expired'] as const;

/** Every status that is documented for a record that can be read by its ID. */
export const RECORD_STATUSES: readonly string[] = [
	...LINK_STATUSES,
	...INVOICE_STATUSES,
	...CHECKOUT_STATUSES,
];

/** `type` filter of GET /v1/charges. */
export const CHARGE_TYPES = ['charge', 'checkout', 'creditpayment', 'invoice', 'link'] as const;

/** The one charge status that is shown; others exist but are not documented, so a status stays free text. */
export const DOCUMENTED_CHARGE_STATUS = 'authorised';

/** Characters; link create and edit. The nodes count code points, zod UTF-16 code units, which are more. */
export const MAX_TITLE_LENGTH = 50;
/** Characters; link create. */
export const MAX_NOTE_LENGTH = 280;
/** Characters; link create and checkout session, ISO 4217. */
export const CURRENCY_CODE_LENGTH = 3;
/** Percent; link create. */
export const MIN_DISCOUNT_PERCENTAGE = 0;
/** Percent; link create. */
export const MAX_DISCOUNT_PERCENTAGE = 100;
/** Entries; link create. */
export const MAX_CUSTOM_FIELDS = 5;
/** Payments; link create. */
export const MIN_PAYMENT_EXPIRY_LIMIT = 1;
/** Greatest integer that the service documents (item quantities); taken for every other integer too. */
export const MAX_INTEGER = 2_147_483_647;
/** Units of a link item. The least is not documented: an item of which nothing is sold is taken as a mistake. */
export const MIN_ITEM_QUANTITY = 1;
/** Items of a link. The least is not documented: a link that sells nothing is taken as a mistake. */
export const MIN_LINK_ITEMS = 1;
/** Pairs; checkout session. */
export const MAX_METADATA_PAIRS = 40;
/** Characters; checkout session. */
export const MAX_METADATA_KEY_LENGTH = 24;
/** Characters; checkout session. */
export const MAX_METADATA_VALUE_LENGTH = 512;
/** Rows asked for by a list page. Default and maximum of the service are not documented: it may give fewer. */
export const DEFAULT_PAGE_SIZE = 100;
