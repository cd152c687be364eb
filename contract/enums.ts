/** Every enumeration of docs/service.md, as plain data that the nodes ship and the zod schemas build on. */

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

/** `type` filter of GET /v1/charges. */
export const CHARGE_TYPES = ['charge', 'checkout', 'creditpayment', 'invoice', 'link'] as const;

/** The one charge status that is shown; others exist but are not documented, so a status stays free text. */
export const SHOWN_CHARGE_STATUS = 'authorised';
