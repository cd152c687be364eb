import type { z } from 'zod';
import { CURRENCIES } from '../../contract/currencies.generated';
import { ENDPOINTS } from '../../contract/endpoints';
import {
	CHARGE_TYPES,
	CHECKOUT_STATUSES,
	INVOICE_STATUSES,
	LINK_STATUSES,
	RECORD_SOURCES,
} from '../../contract/enums';
import { chargeFiltersSchema, refundSchema } from '../../contract/schemas/charge';
import { checkoutSessionSchema, metadataSchema } from '../../contract/schemas/checkoutSession';
import { customerSchema } from '../../contract/schemas/customer';
import { errorSchema } from '../../contract/schemas/error';
import { invoiceSchema } from '../../contract/schemas/invoice';
import { linkCreateSchema, linkEditSchema, linkSchema } from '../../contract/schemas/link';
import { envelopeSchema, pageQuerySchema } from '../../contract/schemas/list';

const ITEM = { name: 'Ticket', amount: '12.50', quantity: 1 };
const LINK = { currency: 'USD', items: [ITEM] };

const takesLink = (fields: object): boolean =>
	linkCreateSchema.safeParse({ ...LINK, ...fields }).success;
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('POST /v1/links', () => {
	it.each<[string, object]>([
		['nothing more than currency and items', {}],
		['a title of 50 characters', { title: 't'.repeat(50) }],
		['a note of 280 characters', { note: 'n'.repeat(280) }],
		['a discount of 0', { discount_percentage: 0 }],
		['a discount of 100', { discount_percentage: 100 }],
		['5 custom fields', { custom_fields: times(5, { name: 'Size' }) }],
		['a payment expiry limit of 1', { payment_expiry_limit: 1 }],
		['the greatest payment expiry limit', { payment_expiry_limit: 2_147_483_647 }],
		['a calendar date', { expiry_date: '2028-02-29' }],
		['the greatest quantity', { items: [{ ...ITEM, quantity: 2_147_483_647 }] }],
	])('takes %s', (_what, fields) => {
		expect(takesLink(fields)).toBe(true);
	});

	it.each<[string, object]>([
		['a title of 51 characters', { title: 't'.repeat(51) }],
		['a note of 281 characters', { note: 'n'.repeat(281) }],
		['a discount of -1', { discount_percentage: -1 }],
		['a discount of 101', { discount_percentage: 101 }],
		['a discount of 1.5', { discount_percentage: 1.5 }],
		['6 custom fields', { custom_fields: times(6, { name: 'Size' }) }],
		['a custom field of another form', { custom_fields: [{ name: 'Size', is_required: true }] }],
		['a payment expiry limit of 0', { payment_expiry_limit: 0 }],
		['a payment expiry limit beyond the integers', { payment_expiry_limit: 2_147_483_648 }],
		['both expiry rules', { payment_expiry_limit: 1, expiry_date: '2028-02-29' }],
		['a date with a time', { expiry_date: '2028-02-29T00:00:00Z' }],
		['a date that does not exist', { expiry_date: '2027-02-29' }],
		['no items', { items: [] }],
		['a quantity of 0', { items: [{ ...ITEM, quantity: 0 }] }],
		['a quantity beyond the integers', { items: [{ ...ITEM, quantity: 2_147_483_648 }] }],
		['an amount as a number', { items: [{ ...ITEM, amount: 12.5 }] }],
		['an amount with a comma', { items: [{ ...ITEM, amount: '12,50' }] }],
		['a negative amount', { items: [{ ...ITEM, amount: '-1.00' }] }],
		['an item with other fields', { items: [{ ...ITEM, sku: 'x' }] }],
		['an item without a quantity', { items: [{ name: 'x', amount: '1' }] }],
		['a currency of 4 letters', { currency: 'USDX' }],
		['a currency in small letters', { currency: 'usd' }],
		['a URL without a scheme', { success_url: 'shop.example' }],
		['a field that is not documented', { discount: '1.00' }],
	])('refuses %s', (_what, fields) => {
		expect(takesLink(fields)).toBe(false);
	});
});

describe('the other requests', () => {
	it.each<[string, z.ZodTypeAny, object[], object[]]>([
		[
			'PATCH /v1/links/{id}/edit',
			linkEditSchema,
			[{}, { title: 't'.repeat(50) }, { title: '' }, { status: 'enabled' }],
			[{ title: 't'.repeat(51) }, { status: 'paused' }, { note: 'x' }],
		],
		[
			'POST /v1/charges/{id}/refund',
			refundSchema,
			[{ amount: '12.50' }],
			[{}, { amount: 12.5 }, { amount: '' }, { amount: '1', note: 'x' }],
		],
		[
			'GET /v1/charges',
			chargeFiltersSchema,
			[{ type: 'link' }],
			[{ refunded: 'yes' }, { type: 'refund' }, { customer_id: 'x' }],
		],
		['a page of a list', pageQuerySchema, [{ page: '1' }], [{ page: '0' }]],
	])('%s takes what the document shows, and nothing else', (_what, schema, taken, refused) => {
		for (const one of taken) expect([one, schema.safeParse(one).success]).toEqual([one, true]);
		for (const one of refused) expect([one, schema.safeParse(one).success]).toEqual([one, false]);
	});
});

describe('checkout session metadata', () => {
	const pairs = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'v']));

	it.each<[string, object]>([
		['40 pairs', pairs(40)],
		['a key of 24 characters', { ['k'.repeat(24)]: 'v' }],
		['a value of 512 characters', { key: 'v'.repeat(512) }],
		['nothing', {}],
	])('can be %s', (_what, metadata) => {
		expect(metadataSchema.safeParse(metadata).success).toBe(true);
	});

	it.each<[string, object]>([
		['41 pairs', pairs(41)],
		['a key of 25 characters', { ['k'.repeat(25)]: 'v' }],
		['a key with brackets', { 'a[b]': 'v' }],
		['a value of 513 characters', { key: 'v'.repeat(513) }],
		['a number', { key: 1 }],
	])('can’t be %s', (_what, metadata) => {
		expect(metadataSchema.safeParse(metadata).success).toBe(false);
	});

	it('is limited inside of a session too, and so is the currency', () => {
		expect(checkoutSessionSchema.shape.metadata).toBe(metadataSchema);
		expect(checkoutSessionSchema.shape.currency.safeParse('USDX').success).toBe(false);
	});
});

describe('answers', () => {
	it('have the number of fields that the document lists', () => {
		const counts = [linkSchema, invoiceSchema, checkoutSessionSchema, customerSchema].map(
			({ shape }) => Object.keys(shape).length,
		);
		expect(counts).toEqual([27, 37, 12, 13]);
	});

	it('of a list have count, next, previous and results', () => {
		const envelope = { count: 0, next: null, previous: null, results: [] };
		const schema = envelopeSchema(customerSchema);
		expect(schema.safeParse(envelope).success).toBe(true);
		for (const name of Object.keys(envelope)) {
			expect(schema.safeParse({ ...envelope, [name]: undefined }).success).toBe(false);
		}
		expect(schema.safeParse({ ...envelope, count: 1.5 }).success).toBe(false);
		expect(schema.safeParse({ ...envelope, next: '/v1/customers?page=2' }).success).toBe(false);
	});

	it('of a failure have a message and a code', () => {
		expect(errorSchema.safeParse({ error: { message: 'm', code: 'c' } }).success).toBe(true);
		expect(errorSchema.safeParse({ error: { message: 'm' } }).success).toBe(false);
		expect(errorSchema.safeParse({ message: 'm', code: 'c' }).success).toBe(false);
	});
});

describe('enumerations and endpoints', () => {
	it('are those of the document', () => {
		const words = (...enums: ReadonlyArray<readonly string[]>) =>
			enums.map((one) => [...one].sort().join(' '));
		expect(
			words(LINK_STATUSES, CHARGE_TYPES, INVOICE_STATUSES, CHECKOUT_STATUSES, RECORD_SOURCES),
		).toEqual([
			'disabled enabled',
			'charge checkout creditpayment invoice link',
			'cancelled overdue paid scheduled unpaid',
			'cancelled created expired paid',
			'app automation_tool service_api service_hosted shop_plugin_a shop_plugin_b store web',
		]);
		expect(
			Object.values(ENDPOINTS)
				.map(({ method, path }) => `${method} ${path}`)
				.sort(),
		).toEqual([
			'DELETE /v1/links/{id}/delete',
			'GET /v1/charges',
			'GET /v1/checkout/{id}',
			'GET /v1/customers',
			'GET /v1/invoices/{id}',
			'GET /v1/links/{id}',
			'PATCH /v1/links/{id}/edit',
			'POST /v1/charges/{id}/refund',
			'POST /v1/links',
		]);
	});
});

describe('the currencies', () => {
	const codes = CURRENCIES.map(({ code }) => code);

	it('begin with the usual ones, and go on by code', () => {
		expect(codes.slice(0, 3)).toEqual(['EUR', 'USD', 'GBP']);
		expect(codes.slice(10)).toEqual(codes.slice(10).sort());
		expect(codes).toHaveLength(new Set(codes).size);
	});

	/** As n8n's editor does: it keeps the options whose text holds what was typed, in any case, and their order. */
	const shownFor = (typed: string): string[] =>
		CURRENCIES.filter(({ code, name }) =>
			`${code} - ${name}`.toLowerCase().includes(typed.toLowerCase()),
		).map(({ code }) => code);

	it('are found by their code: it comes first, or among few whose names hold these letters', () => {
		const late = codes.filter((code) => shownFor(code)[0] !== code);
		expect(shownFor('eur')).toEqual(['EUR', 'CHE']);
		expect(late).toEqual(['IRR', 'NAD', 'RON', 'RUB']);
		for (const code of late) expect(shownFor(code).length).toBeLessThan(6);
	});

	it('are codes of three letters, each with a name', () => {
		for (const { code, name } of CURRENCIES) {
			expect(code).toMatch(/^[A-Z]{3}$/);
			expect(name).toMatch(/\S{3,}/);
		}
	});

	it.each(['USD', 'EUR', 'JPY', 'KWD', 'CLF', 'AED', 'ZWG', 'XCG', 'XOF', 'VES', 'SLE'])(
		'include %s',
		(code) => {
			expect(codes).toContain(code);
		},
	);

	it.each(['XXX', 'XTS', 'XAU', 'XAG', 'XPT', 'XPD', 'XDR', 'XBA', 'XSU', 'XUA'])(
		'leave out %s, in which nobody can pay',
		(code) => {
			expect(codes).not.toContain(code);
		},
	);

	it.each([
		'DEM',
		'FRF',
		'HRK',
		'BGN',
		'ANG',
		'LTL',
		'SLL',
		'VEF',
		'ZWL',
		'ZWD',
		'MRO',
		'STD',
		'BYR',
	])('leave out %s, which is no currency any more', (code) => {
		expect(codes).not.toContain(code);
	});

	it.each([
		['JPY', 0],
		['KRW', 0],
		['CLP', 0],
		['ISK', 0],
		['USD', 2],
		['EUR', 2],
		['HUF', 2],
		['KWD', 3],
		['BHD', 3],
		['TND', 3],
		['CLF', 4],
		['UYW', 4],
	])('%s has %i digits after the point', (code, digits) => {
		expect(CURRENCIES.find((currency) => currency.code === code)?.digits).toBe(digits);
	});
});
