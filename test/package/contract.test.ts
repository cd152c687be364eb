import type { z } from 'zod';
import { CURRENCIES } from '../../contract/currencies.generated';
import { RECORD_FIELDS } from '../../contract/recordFields';
import { chargeSchema } from '../../contract/schemas/charge';
import { checkoutSessionSchema } from '../../contract/schemas/checkoutSession';
import { customerSchema } from '../../contract/schemas/customer';
import { invoiceSchema } from '../../contract/schemas/invoice';
import { linkSchema } from '../../contract/schemas/link';

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
