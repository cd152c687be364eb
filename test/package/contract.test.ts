import type { z } from 'zod';
import { CURRENCIES } from '../../contract/currencies.generated';
import {
	CHARGE_TYPES,
	CHECKOUT_STATUSES,
	INVOICE_STATUSES,
	LINK_STATUSES,
	RECORD_SOURCES,
	ENDPOINTS,
} from '../../contract/constants';
import { RECORD_FIELDS } from '../../contract/recordFields';
import { chargeSchema, refundSchema } from '../../contract/schemas/charge';
import { checkoutSessionSchema } from '../../contract/schemas/checkoutSession';
import { customerSchema } from '../../contract/schemas/customer';
import { invoiceSchema } from '../../contract/schemas/invoice';
import { linkCreateSchema, linkEditSchema, linkSchema } from '../../contract/schemas/link';

const ITEM = { name: 'Ticket', amount: '12.50', quantity: 1 };
const LINK = { currency: 'USD', items: [ITEM] };
const MOST = 2_147_483_647;

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

function expectTaken(schema: z.ZodTypeAny, values: unknown[], isTaken: boolean): void {
	for (const value of values) {
		expect([value, schema.safeParse(value).success]).toEqual([value, isTaken]);
	}
}

/** Beside what test/sandbox/endpoints.test.ts sends. */
it.each<[field: string, taken: unknown[], refused: unknown[]]>([
	['discount_percentage', [0, 100], [-1, 1.5]],
	['custom_fields', [times(5, { name: 'Size' })], [[{ name: 'Size', is_required: true }]]],
	['payment_expiry_limit', [1, MOST], [MOST + 1]],
	['expiry_date', ['2028-02-29'], ['2028-02-29T00:00:00Z', '2027-02-29']],
	['currency', [], ['USDX']],
	['success_url', [], ['shop.example']],
	['discount', [], ['1.00']],
	[
		'items',
		[[{ ...ITEM, quantity: MOST }]],
		[
			...[MOST + 1, undefined].map((quantity) => [{ ...ITEM, quantity }]),
			...['12,50', '-1.00'].map((amount) => [{ ...ITEM, amount }]),
			[{ ...ITEM, sku: 'x' }],
		],
	],
])('POST /v1/links takes of %s what the document shows, and nothing else', (field, ...values) => {
	const [taken, refused] = values.map((some) => some.map((value) => ({ ...LINK, [field]: value })));
	expectTaken(linkCreateSchema, taken ?? [], true);
	expectTaken(linkCreateSchema, refused ?? [], false);
});

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
])('%s takes what the document shows, and nothing else', (_what, schema, taken, refused) => {
	expectTaken(schema, taken, true);
	expectTaken(schema, refused, false);
});

it('the enumerations and endpoints are those of the document', () => {
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
	const endpoints = Object.values(ENDPOINTS).map(({ method, path }) => `${method} ${path}`);
	expect(endpoints.sort()).toEqual([
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

it.each<[keyof typeof RECORD_FIELDS, z.AnyZodObject, made: string[]]>([
	['charge', chargeSchema, ['payer_name']],
	['checkoutSession', checkoutSessionSchema, ['customer_name', 'customer_email']],
	['customer', customerSchema, []],
	['invoice', invoiceSchema, []],
	['link', linkSchema, []],
])('the fields of a %s are those of its schema, and those made of them', (kind, schema, made) => {
	const { all } = RECORD_FIELDS[kind];
	expect([...all].sort()).toEqual([...Object.keys(schema.shape as object), ...made].sort());
});

describe('the currencies', () => {
	const codes = CURRENCIES.map(({ code }) => code);

	it('begin with the usual ones, and go on by code', () => {
		expect(codes.slice(0, 3)).toEqual(['EUR', 'USD', 'GBP']);
		expect(codes.slice(10)).toEqual(codes.slice(10).sort());
		expect(codes).toHaveLength(new Set(codes).size);
	});

	it('are of money that somebody pays with today, each with a name', () => {
		for (const { code, name } of CURRENCIES) {
			expect([code, name]).toEqual([
				expect.stringMatching(/^[A-Z]{3}$/),
				expect.stringMatching(/\S{3,}/),
			]);
		}
		const usual = 'USD EUR JPY KWD CLF AED ZWG XCG XOF VES SLE'.split(' ');
		expect(codes).toEqual(expect.arrayContaining(usual));
		const neither =
			'XXX XTS XAU XAG XPT XPD XDR XBA XSU XUA DEM FRF HRK BGN ANG LTL SLL VEF ZWL ZWD MRO STD BYR';
		expect(codes.filter((code) => neither.includes(code))).toEqual([]);
	});

	it.each([
		[0, 'CLP ISK JPY KRW'],
		[2, 'EUR HUF USD'],
		[3, 'BHD KWD TND'],
		[4, 'CLF UYW'],
	])('have %i digits after the point: %s', (digits, some) => {
		const found = CURRENCIES.filter(({ code }) => some.includes(code));
		expect(found).toHaveLength(some.split(' ').length);
		for (const currency of found) expect(currency).toMatchObject({ digits });
	});
});
