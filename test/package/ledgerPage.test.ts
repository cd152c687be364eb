import { parametersOf, run } from './example';

interface Page {
	summary: string;
	currencies: string;
	days: string;
	chart: { what: string; picture: string };
}

interface Total {
	day: string;
	currency: string;
	charges: string;
	charged: string | null;
	highest: string | null;
	share: string | null;
}

const NOW = '2026-03-03T00:30:00Z';

/** Runs the Code node with the rows of both Postgres nodes, which return an empty item for no rows. */
function written({ currencies = [], totals = [] }: { currencies?: object[]; totals?: Total[] }) {
	const { jsCode } = parametersOf('ledger-page.json', 'Write the page');
	const itemsOf = (rows: object[]) => ({
		all: () => (rows.length > 0 ? rows : [{}]).map((json) => ({ json })),
	});
	jest.useFakeTimers({ now: Date.parse(NOW) });
	const withNet = totals.map((total) => ({ ...total, refunded: '0.00', net: '-1234.50' }));
	const globals = { $: () => itemsOf(currencies), $input: itemsOf(withNet) };
	const [{ json }] = run(jsCode, globals) as [{ json: Page }];
	return json;
}

const total = (day: string, charged: string | null, rest: Partial<Total> = {}): Total => ({
	day,
	currency: 'USD',
	charges: '2',
	charged,
	highest: '2469.00',
	share: '50.0',
	...rest,
});

/** The height of each day's bar, in the order of the picture. */
const barsOf = (picture: string) =>
	[...picture.matchAll(/<g><title>(\S+): .*?<\/title>(.*?)<\/g>/g)].map(([, day, drawn = '']) => [
		day,
		/<rect .* height="([\d.]+)"/.exec(drawn)?.[1],
	]);

afterEach(() => {
	jest.useRealTimers();
});

describe('the picture of the ledger page', () => {
	it('has the last 14 days in UTC, with a bar for each day with charges', () => {
		const { chart } = written({
			totals: [
				total('2026-03-03', '2469.00', { share: '100.0' }),
				total('2026-03-02', '0.00', { charges: '0', share: '0.0' }),
				total('2026-02-28', '1234.50'),
				total('2026-02-18', '0.01', { share: '0.0' }),
			],
		});
		expect(barsOf(chart.picture)).toEqual([
			['2026-02-18', '1'],
			...[19, 20, 21, 22, 23, 24, 25, 26, 27].map((day) => [`2026-02-${day}`, undefined]),
			['2026-02-28', '75'],
			['2026-03-01', undefined],
			['2026-03-02', undefined],
			['2026-03-03', '150'],
		]);
	});

	it('says in its titles what it shows, with the exact amount of each day', () => {
		const { chart } = written({
			totals: [
				total('2026-03-03', '90071992547409.93', { highest: '90071992547409.93', share: '100.0' }),
			],
		});
		expect(chart.what).toBe('Charged per day in USD');
		expect(chart.picture).toContain('role="img" aria-labelledby="picture"');
		expect(chart.picture).toContain(
			'<title id="picture">Charged per day in USD, 2026-02-18 to 2026-03-03, at most 90,071,992,547,409.93</title>',
		);
		expect(chart.picture).toContain('<title>2026-03-03: 90,071,992,547,409.93 USD</title>');
		expect(chart.picture).toContain('<title>2026-03-02: no charges</title>');
	});

	it('is empty when nothing was charged', () => {
		const { chart, days, currencies, summary } = written({});
		expect(chart.what).toBe('No charges');
		expect(barsOf(chart.picture)).toHaveLength(14);
		expect(chart.picture).not.toContain('<rect');
		expect([days, currencies]).toEqual(['', '']);
		expect(summary).toContain('The ledger agrees with the service');
	});

	it('has the lowest bar for an amount that can’t be read', () => {
		const { chart } = written({
			totals: [total('2026-03-03', null, { highest: null, share: null })],
		});
		expect(barsOf(chart.picture).at(-1)).toEqual(['2026-03-03', '1']);
		expect(chart.picture).toContain('<title>2026-03-03: – USD</title>');
	});
});

describe('the tables of the ledger page', () => {
	const agreeing = {
		currency: 'KWD',
		charges: '1234567',
		charged: '9007199254740993.125',
		refunded: '0.025',
		service_charges: '1234567',
		service_charged: '9007199254740993.125',
		service_refunded: '0.025',
		agrees: true,
		newer: '0',
	};

	it('separate thousands, keep every digit, and show a missing value as a dash', () => {
		const differing = { ...agreeing, currency: 'JPY', charged: '1000', service_charged: null };
		const { currencies, days } = written({
			currencies: [agreeing, { ...differing, agrees: false }],
			totals: [total('2026-03-03', '999.90')],
		});
		expect(currencies.split('\n')).toEqual([
			'<tr><td>KWD<td>1,234,567<td>9,007,199,254,740,993.125<td>0.025<td>1,234,567<td>9,007,199,254,740,993.125<td>0.025<td><span class="yes">agrees</span>',
			'<tr><td>JPY<td>1,234,567<td>1,000<td>0.025<td>1,234,567<td>–<td>0.025<td><span class="no">differs</span>',
		]);
		expect(days).toBe('<tr><td>2026-03-03<td>USD<td>2<td>999.90<td>0.00<td>-1,234.50');
	});

	it('escape HTML in the name of a currency, as the picture does', () => {
		const currency = '<b>&"';
		const { currencies, days, chart } = written({
			currencies: [{ ...agreeing, currency }],
			totals: [total('2026-03-03', '1.00', { currency })],
		});
		for (const html of [currencies, days, chart.what, chart.picture]) {
			expect(html).toContain('&#60;b&#62;&#38;&#34;');
			expect(html).not.toContain('<b>');
		}
	});

	it('say whether ledger and service agree, and how many newer charges follow', () => {
		expect(written({ currencies: [agreeing, { ...agreeing, agrees: false }] }).summary).toContain(
			'The ledger differs from the service',
		);
		expect(written({ currencies: [{ ...agreeing, newer: '1200' }] }).summary).toMatch(
			/agrees with the service.* 1,200 newer charges are written with the next poll\.$/,
		);
	});
});
