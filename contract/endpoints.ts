/** The endpoints of docs/service.md as plain data: path segments, `{id}` where an identifier goes. */
export const ENDPOINTS = {
	linkCreate: { method: 'POST', path: '/v1/links' },
	linkGet: { method: 'GET', path: '/v1/links/{id}' },
	linkEdit: { method: 'PATCH', path: '/v1/links/{id}/edit' },
	linkDelete: { method: 'DELETE', path: '/v1/links/{id}/delete' },
	invoiceGet: { method: 'GET', path: '/v1/invoices/{id}' },
	chargeList: { method: 'GET', path: '/v1/charges' },
	chargeRefund: { method: 'POST', path: '/v1/charges/{id}/refund' },
	checkoutGet: { method: 'GET', path: '/v1/checkout/{id}' },
	customerList: { method: 'GET', path: '/v1/customers' },
} as const;

export type EndpointName = keyof typeof ENDPOINTS;

/** docs/service.md, Authentication. */
export const API_KEY_HEADER = 'X-API-KEY';
