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
	it('sets switches, and accepts them from no other page', async () => {
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

	it('shows what came from outside as text, and loads nothing from elsewhere', async () => {
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

describe('the payment page of a link', () => {
	const open = async (body: object) => await ask('linkCreate', { body: { ...LINK, ...body } });
	const textOf = async (url: string) => (await (await fetch(url)).text()).replace(/<[^>]*>/g, ' ');
	const pay = async (url: string, entries: Record<string, string>) => {
		const response = await fetch(url, { method: 'POST', body: new URLSearchParams(entries) });
		return { status: response.status, text: await response.text() };
	};
	/** The service's API can't make a custom field required. */
	const requireFields = (id: string) => {
		const stored = sandbox.store.links.find(id);
		const custom_fields = stored.link.custom_fields.map((field) => ({
			...field,
			is_required: true,
		}));
		sandbox.store.links.replace(id, { ...stored, link: { ...stored.link, custom_fields } });
	};

	it('takes custom fields and a tip, which are part of the charge', async () => {
		const custom_fields = [{ name: 'Delivery note' }, { name: 'Gate' }];
		const { id, url } = await open({
			custom_fields,
			allow_tip: true,
			note: 'Thanks',
			title: 'Tea',
		});
		requireFields(id);
		expect(await textOf(url)).toMatch(
			/Sandbox Store.*Tea.*Thanks.*Tea +2 +12\.50 +25\.00 +Total in USD.*25\.00.*Delivery note.*Tip in USD/s,
		);
		const paid = await pay(url, { field0: 'Ring twice', field1: '7', tip: '2.50' });
		expect(paid.status).toBe(200);
		expect(paid.text).toMatch(/Thank you.*Tip.*2\.50.*27\.50.*Ring twice/s);
		const { results } = await ask('chargeList', { query: { type: 'link', page_size: 1 } });
		expect(results[0]).toMatchObject({
			total: '27.50',
			tip: '2.50',
			custom_fields: [
				{ name: 'Delivery note', value: 'Ring twice' },
				{ name: 'Gate', value: '7' },
			],
		});
		expect(await textOf(url)).toMatch(/ paid /);
	});

	it('says what is wrong with an entry, keeps the others, and takes no payment', async () => {
		const { id, url } = await open({ custom_fields: [{ name: 'Gate' }], allow_tip: true });
		requireFields(id);
		const entries = { field0: '"><img src=x>', tip: '-1' };
		for (const tip of ['-1', '1.005', 'ten'])
			expect(await pay(url, { ...entries, tip })).toMatchObject({
				status: 400,
				text: expect.stringContaining('The tip must be an amount in USD, such as 5.00') as string,
			});
		const { status, text } = await pay(url, { field0: ' ', tip: '3' });
		expect([status, text]).toEqual([400, expect.stringContaining('Fill in Gate.')]);
		expect(text).toContain('value="3"');
		expect((await pay(url, entries)).text).not.toContain('<img');
		expect(sandbox.store.links.find(id).payments).toBe(0);
	});

	it('says that a link is disabled or expired, and has no button then', async () => {
		const { id, url } = await open({});
		await ask('linkEdit', { id, body: { status: 'disabled' } });
		expect(await textOf(url)).toContain('This link is disabled.');
		const { id: once, url: paidUrl } = await open({ payment_expiry_limit: 1 });
		sandbox.store.payLink(once);
		expect(await textOf(paidUrl)).toContain('all of its payments were made');
		const { id: old, url: oldUrl } = await open({});
		const stored = sandbox.store.links.find(old);
		const link = { ...stored.link, expiry_date: '2020-01-31' };
		sandbox.store.links.replace(old, { ...stored, link });
		expect(await textOf(oldUrl)).toContain('Its last day was 2020-01-31.');
		for (const closed of [url, paidUrl, oldUrl])
			expect(await pay(closed, {})).toMatchObject({
				status: 410,
				text: expect.not.stringContaining('<button') as string,
			});
	});

	it('escapes all text of a link', async () => {
		const name = '<script>x</script>';
		const { url } = await open({
			title: name,
			note: name,
			items: [{ name, amount: '1', quantity: 1 }],
		});
		expect(await (await fetch(url)).text()).not.toContain('<script');
	});
});
