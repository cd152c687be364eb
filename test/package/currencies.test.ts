import { CURRENCIES } from '../../contract/currencies.generated';

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
