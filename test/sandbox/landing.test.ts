import { API_KEY_HEADER } from '../../contract/constants';
import { type Sandbox, startSandbox } from '../../sandbox';
import { DEFAULT_SWITCHES, SWITCH_MEANINGS } from '../../sandbox/behaviour/switches';
import { ask, send } from './client';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ counts: { charges: 0, customers: 1_234 }, apiKey: 'a key+1' });
});
beforeEach(() => sandbox.reset());
afterAll(async () => sandbox.close());

/** The words of the page as a reader sees them, each cell of a table after a bar. */
async function read(): Promise<string> {
	const markup = await (await fetch(sandbox.url)).text();
	return markup
		.replace(/<style>.*<\/style>/s, '')
		.replace(/<t[hd][^>]*>/g, ' | ')
		.replace(/<[^>]*>/g, '')
		.replace(/\s+/g, ' ');
}

describe("the page at the sandbox's address", () => {
	it('shows how many records there are, and what the charges come to, exactly and by currency', async () => {
		sandbox.insertCharge({ currency: 'USD', total: '1234567890123456.10', status: 'captured' });
		sandbox.insertCharge({ currency: 'USD', total: '0.20', status: 'captured' });
		sandbox.insertCharge({
			currency: 'KWD',
			total: '1.005',
			refund_total: '0.005',
			status: 'void',
		});
		const text = await read();
		expect(text).toContain('3 charges');
		expect(text).toContain('1,234 customers');
		expect(text).toContain('2 captured · 1 void');
		expect(text).toContain('| USD | 2 | 1,234,567,890,123,456.30 | 0.00');
		expect(text).toContain('| KWD | 1 | 1.005 | 0.005');
	});

	it('shows who paid the newest charges', async () => {
		const charge = sandbox.insertCharge({ currency: 'EUR', total: '84.50' });
		expect(await read()).toContain(
			`| 84.50 EUR | ${charge.status} | 0.00 | ${charge.source.card_holder_name} | ${charge.id}`,
		);
	});

	it('shows every switch with what it does and how it stands, and what it usually is', async () => {
		expect(Object.keys(SWITCH_MEANINGS)).toEqual(Object.keys(DEFAULT_SWITCHES));
		expect(Object.values(SWITCH_MEANINGS)).not.toContain('');
		sandbox.setSwitches({ pastTheEnd: 'empty' });
		const text = await read();
		for (const name of Object.keys(DEFAULT_SWITCHES)) expect(text).toContain(`| ${name} |`);
		expect(text).toContain('| &quot;empty&quot; usually &quot;404&quot; |');
		expect(text).toContain('| maxPageSize | 100 | Greatest page_size.');
	});

	it('shows what was asked for lately, the newest first, with its answer', async () => {
		await ask(sandbox, 'chargeList', { query: { search: 'Ana Ruiz' } });
		await send(sandbox, 'customerList', { key: 'another' });
		await send(sandbox, 'customerList', { key: null });
		const text = await read();
		const requests = text.slice(text.indexOf('Requests'));
		expect(requests).toMatch(
			/GET \/v1\/customers \| none \| 401 .*GET \/v1\/customers \| wrong \| 401 .*GET \/v1\/charges\?search=Ana\+Ruiz \| right \| 200 /,
		);
		expect(requests).toContain('3 so far.');
	});

	it('never shows a key, even where it was sent in the address', async () => {
		const query = { api_key: sandbox.apiKey };
		await fetch(`${sandbox.url}/v1/charges?${new URLSearchParams(query).toString()}`, {
			headers: { [API_KEY_HEADER]: sandbox.apiKey },
		});
		const text = await read();
		expect(text).toContain('GET /v1/charges?api_key=[key]');
		for (const spelling of ['a key+1', 'a+key%2B1', 'a%20key%2B1'])
			expect(text).not.toContain(spelling);
	});

	it('shows what came from outside as text', async () => {
		sandbox.insertCharge({ status: '<img src=x>' });
		await fetch(`${sandbox.url}/v1/<script>?q="onload="1`);
		const markup = await (await fetch(sandbox.url)).text();
		expect(markup).toContain('&lt;img src=x&gt;');
		expect(markup).not.toMatch(/<(img|script)/);
	});

	it('needs nothing from anywhere else', async () => {
		const response = await fetch(sandbox.url);
		expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
		const markup = await response.text();
		const addresses = [...markup.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
		expect(addresses.length).toBeGreaterThan(0);
		for (const address of addresses) expect(address).toMatch(/^(data:|\/_sandbox)/);
	});
});
