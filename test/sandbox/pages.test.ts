import { API_KEY_HEADER } from '../../contract/constants';
import { sandbox, useSandbox } from '../support/sandbox';
import { ask, send } from './client';

const LINK = { currency: 'USD', items: [{ name: 'Tea', amount: '12.50', quantity: 2 }] };

useSandbox({ counts: { charges: 0, customers: 1 }, apiKey: 'a key+1' });

/** The words of the page as a reader sees them, each cell of a table after a bar. */
async function read(): Promise<string> {
	const markup = await (await fetch(sandbox.url)).text();
	return markup.replace(/<td[^>]*>/g, ' | ').replace(/<[^>]*>/g, '');
}

describe("the page at the sandbox's address", () => {
	it('sets switches, for no one but itself', async () => {
		const set = async (switches: Record<string, string>, headers = {}) => {
			const body = new URLSearchParams(switches);
			const url = `${sandbox.url}/_sandbox/form`;
			return (await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })).status;
		};
		expect(await read()).toContain('Greatest page_size. | overMaxPageSize');
		expect(await set({ maxPageSize: '7', rowOrder: '"shuffled"', pastTheEnd: '"404"' })).toBe(303);
		expect(sandbox.switches).toMatchObject({ maxPageSize: 7, rowOrder: 'shuffled' });
		expect(await read()).toContain('Greatest page_size. Changed: usually 100.');
		expect(await set({ maxPageSize: 'many' })).toBe(400);
		expect(await set({ maxPageSize: '8' }, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
		expect(sandbox.switches.maxPageSize).toBe(7);
	});

	it('shows what was asked for lately, the newest first, and never a key', async () => {
		const query = { search: `Ana ${sandbox.apiKey}` };
		await ask('chargeList', { query });
		await send('customerList', { key: null });
		const text = await read();
		expect(text).toMatch(
			/GET \/v1\/customers \| none \| 401[^]*GET \/v1\/charges\?search=Ana \[key\] \| right \| 200/,
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

it('the page of a record takes a payment of a link, leads to success_url, and closes with the link', async () => {
	const success_url = 'https://shop.example.com/ok';
	const body = { ...LINK, success_url, payment_expiry_limit: 1 };
	const { url } = await ask('linkCreate', { body });
	const paid = await fetch(url, { method: 'POST', redirect: 'manual' });
	expect([paid.status, paid.headers.get('Location')]).toEqual([303, success_url]);
	const { results } = await ask('chargeList', { query: { type: 'link', page_size: 1 } });
	expect(results[0]).toMatchObject({ total: '25.00', currency: 'USD', items: [{ name: 'Tea' }] });
	expect(await (await fetch(url)).text()).not.toContain('<button>');
	expect((await fetch(url, { method: 'POST' })).status).toBe(410);
});
