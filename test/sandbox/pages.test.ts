import { API_KEY_HEADER } from '../../contract/constants';
import { type Sandbox, startSandbox } from '../../sandbox';
import { ask, send } from './client';

const LINK = { currency: 'USD', items: [{ name: 'Tea', amount: '12.50', quantity: 2 }] };

let sandbox: Sandbox;
beforeAll(async () => {
	const counts = { charges: 0, customers: 1_234, invoices: 1, checkoutSessions: 1 };
	sandbox = await startSandbox({ counts, apiKey: 'a key+1' });
});
beforeEach(() => sandbox.reset());
afterAll(async () => sandbox.close());

/** The words of the page as a reader sees them, each cell of a table after a bar. */
async function read(): Promise<string> {
	const markup = await (await fetch(sandbox.url)).text();
	return markup.replace(/<td>/g, ' | ').replace(/<[^>]*>/g, '');
}

describe("the page at the sandbox's address", () => {
	it('shows what there is, and the newest charges', async () => {
		const { id, source } = sandbox.insertCharge({ currency: 'EUR', total: '84.50' });
		const text = await read();
		expect(text).toContain('| 1234 | customers');
		expect(text).toContain('| maxPageSize | 100 | usually 100 | Greatest page_size.');
		const holder = source.card_holder_name.replace("'", '&#39;');
		expect(text).toContain(`| 84.50 EUR | authorised | 0.00 refunded | ${holder} | ${id}`);
	});

	it('shows what was asked for lately, the newest first, and never a key', async () => {
		const query = { search: `Ana ${sandbox.apiKey}` };
		await ask(sandbox, 'chargeList', { query });
		await send(sandbox, 'customerList', { key: null });
		const text = await read();
		expect(text).toMatch(
			/GET \/v1\/customers \| no key \| 401[^]*GET \/v1\/charges\?search=Ana \[key\] \| right key \| 200/,
		);
		expect(text).not.toContain(sandbox.apiKey);
	});

	it('shows what came from outside as text, and needs nothing from anywhere else', async () => {
		sandbox.insertCharge({ status: '<img src=x>' });
		await fetch(`${sandbox.url}/v1/<script>?q="onload="1`, { headers: { [API_KEY_HEADER]: 'x' } });
		const response = await fetch(sandbox.url);
		expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
		expect(await response.text()).not.toMatch(/<(img|script)/);
	});
});

describe('the page of a record', () => {
	it('is there for a link, an invoice and a checkout session, and missing for none', async () => {
		const { url } = await ask(sandbox, 'linkCreate', { body: LINK });
		expect(await (await fetch(url)).text()).toContain('25.00 USD');
		const { invoices, checkoutSessions } = sandbox.store;
		for (const record of [invoices.at(0), checkoutSessions.at(0)]) {
			expect((await fetch(record?.url ?? '')).status).toBe(200);
			expect((await fetch(`${record?.url}0`)).status).toBe(404);
		}
		expect((await fetch(`${url}0`)).status).toBe(404);
	});

	it('takes a payment of a link, leads to success_url, and closes with the link', async () => {
		const success_url = 'https://shop.example.com/ok';
		const body = { ...LINK, success_url, payment_expiry_limit: 1 };
		const { url } = await ask(sandbox, 'linkCreate', { body });
		const paid = await fetch(url, { method: 'POST', redirect: 'manual' });
		expect([paid.status, paid.headers.get('Location')]).toEqual([303, success_url]);
		const { results } = await ask(sandbox, 'chargeList', { query: { type: 'link', page_size: 1 } });
		expect(results[0]).toMatchObject({ total: '25.00', currency: 'USD', items: [{ name: 'Tea' }] });
		expect(await (await fetch(url)).text()).not.toContain('<button>');
		expect((await fetch(url, { method: 'POST' })).status).toBe(410);
	});
});
