import { API_KEY_HEADER, ENDPOINTS, type EndpointName } from '../../contract/constants';
import { errorSchema } from '../../contract/schemas/error';
import type { LinkCreate } from '../../contract/schemas/link';
import { type Sandbox, startSandbox } from '../../sandbox';
import { ask, refusal, send } from './client';

const NOW = Date.UTC(2026, 0, 15, 12);
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const LINK: LinkCreate = {
	currency: 'USD',
	items: [{ name: 'Tea', amount: '12.50', quantity: 2 }],
};

let sandbox: Sandbox;
let now = NOW;
beforeEach(async () => {
	now = NOW;
	sandbox = await startSandbox({
		clock: () => now,
		counts: { charges: 30, customers: 20, links: 20, invoices: 10, checkoutSessions: 10 },
	});
});
afterEach(async () => sandbox.close());

describe('links', () => {
	it('are created from currency and items alone, with the defaults of the document', async () => {
		const link = await ask(sandbox, 'linkCreate', { body: LINK });
		expect(link).toMatchObject({
			amount: '25.00',
			currency: 'USD',
			status: 'enabled',
			title: '',
			discount_percentage: 0,
			shipping_address_required: false,
			allow_tip: false,
			allow_installment_a: true,
			allow_installment_b: true,
			allow_service_fee: true,
			payment_expiry_limit: null,
			expiry_date: null,
			items: [{ name: 'Tea', amount: '12.50', quantity: 2, total_amount: '25.00' }],
		});
		expect(await ask(sandbox, 'linkGet', { id: link.id })).toEqual(link);
	});

	it('take every documented field', async () => {
		const link = await ask(sandbox, 'linkCreate', {
			body: {
				...LINK,
				currency: 'KWD',
				items: [{ name: 'Oud', amount: '3.125', quantity: 3 }],
				title: 'T'.repeat(50),
				note: 'N'.repeat(280),
				discount_percentage: 10,
				shipping_address_required: true,
				allow_tip: true,
				custom_fields: [{ name: 'Table' }],
				success_url: 'https://shop.example.com/ok',
				failure_url: 'https://shop.example.com/no',
				allow_installment_a: false,
				allow_installment_b: false,
				allow_service_fee: false,
				payment_expiry_limit: 3,
			} satisfies LinkCreate,
		});
		// 9.375 less 10 %, rounded half up: 0.9375 is 0.938.
		expect(link).toMatchObject({ discount: '0.938', amount: '8.437', payment_expiry_limit: 3 });
		expect(link.custom_fields).toEqual([{ name: 'Table', is_required: false }]);
	});

	it.each<[string, unknown]>([
		['items', { currency: 'USD' }],
		['items', { currency: 'USD', items: [] }],
		['currency', { ...LINK, currency: 'usd' }],
		['currency', { ...LINK, currency: 'ZZZ' }],
		['items.0.amount', { ...LINK, items: [{ name: 'a', amount: '1.005', quantity: 1 }] }],
		['items.0.amount', { ...LINK, items: [{ name: 'a', amount: 5, quantity: 1 }] }],
		['items.0.quantity', { ...LINK, items: [{ name: 'a', amount: '5', quantity: 0 }] }],
		['title', { ...LINK, title: 'x'.repeat(51) }],
		['note', { ...LINK, note: 'x'.repeat(281) }],
		['discount_percentage', { ...LINK, discount_percentage: 101 }],
		['custom_fields', { ...LINK, custom_fields: Array(6).fill({ name: 'x' }) }],
		['payment_expiry_limit', { ...LINK, payment_expiry_limit: 0 }],
		['expiry_date', { ...LINK, expiry_date: '2026-01-15' }],
		['expiry_date', { ...LINK, expiry_date: '2026-02-30' }],
		['only one of', { ...LINK, payment_expiry_limit: 1, expiry_date: '2026-03-01' }],
		['colour', { ...LINK, colour: 'red' }],
	])('refuse a body with a wrong %s and name it', async (field, body) => {
		const { status, code, message } = await refusal(sandbox, 'linkCreate', { body });
		expect({ status, code }).toEqual({ status: 400, code: 'invalid_request' });
		expect(message).toContain(field);
		expect(sandbox.store.links.size).toBe(20);
	});

	it('are renamed, disabled and enabled again', async () => {
		const { id } = await ask(sandbox, 'linkCreate', { body: LINK });
		const edited = await ask(sandbox, 'linkEdit', {
			id,
			body: { title: 'New', status: 'disabled' },
		});
		expect(edited).toMatchObject({ title: 'New', status: 'disabled' });
		expect((await ask(sandbox, 'linkEdit', { id, body: { status: 'enabled' } })).status).toBe(
			'enabled',
		);
		expect((await refusal(sandbox, 'linkEdit', { id, body: { status: 'gone' } })).status).toBe(400);
	});

	it('are gone once deleted, and the answer to that has no body', async () => {
		const { id } = await ask(sandbox, 'linkCreate', { body: LINK });
		const response = await send(sandbox, 'linkDelete', { id });
		expect([response.status, await response.text()]).toEqual([204, '']);
		expect((await refusal(sandbox, 'linkGet', { id })).status).toBe(404);
		expect((await refusal(sandbox, 'linkDelete', { id })).code).toBe('not_found');
	});
});

describe('single records', () => {
	it('are answered as they are stored', async () => {
		const { invoices, checkoutSessions, links } = sandbox.store;
		for (const invoice of invoices.all()) {
			expect(await ask(sandbox, 'invoiceGet', { id: invoice.id })).toEqual(invoice);
		}
		for (const session of checkoutSessions.all()) {
			expect(await ask(sandbox, 'checkoutGet', { id: session.id })).toEqual(session);
		}
		for (const { link } of links.all()) {
			expect((await ask(sandbox, 'linkGet', { id: link.id })).title).toBe(link.title);
		}
	});
});

describe('errors', () => {
	const withId = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) =>
		ENDPOINTS[name].path.includes('{id}'),
	);
	const bodies: Partial<Record<EndpointName, unknown>> = {
		linkEdit: { title: 'x' },
		chargeRefund: { amount: '1' },
	};

	it.each(withId)('%s of an unknown id is a 404', async (name) => {
		const { status, code } = await refusal(sandbox, name, { id: UNKNOWN_ID, body: bodies[name] });
		expect({ status, code }).toEqual({ status: 404, code: 'not_found' });
	});

	it.each(withId)('%s of something that is no UUID is refused', async (name) => {
		// A checkout session's id is documented as any text: it is merely unknown.
		const { status } = await refusal(sandbox, name, { id: 'abc', body: bodies[name] });
		expect(status).toBe(name === 'checkoutGet' ? 404 : 400);
	});

	it.each(Object.keys(ENDPOINTS) as EndpointName[])('%s needs the right key', async (name) => {
		for (const key of [null, 'wrong', `${sandbox.apiKey}x`, sandbox.apiKey.slice(0, -1)]) {
			// The body is wrong as well: the key is told of first.
			const call = { id: 'abc', key, body: ENDPOINTS[name].method === 'GET' ? undefined : {} };
			const { status, code } = await refusal(sandbox, name, call);
			expect({ status, code }).toEqual({ status: 401, code: 'authentication_failed' });
		}
		expect(JSON.stringify(sandbox.requests)).not.toContain(sandbox.apiKey);
	});

	it('come as JSON for an unknown path, a wrong method, a broken path, broken JSON and another content type', async () => {
		const headers = { [API_KEY_HEADER]: sandbox.apiKey };
		const json = { ...headers, 'Content-Type': 'application/json' };
		const cases: [string, RequestInit, number][] = [
			['/v2/links', { headers }, 404],
			['/v1/charges/', { headers }, 404],
			['/v1/%zz', { headers }, 400],
			['/v1/links', { headers }, 405],
			['/v1/charges', { headers, method: 'DELETE' }, 405],
			['/v1/links', { method: 'POST', headers: json, body: '{' }, 400],
			['/v1/links', { method: 'POST', headers: json, body: '' }, 400],
			['/v1/links', { method: 'POST', headers, body: JSON.stringify(LINK) }, 415],
		];
		for (const [path, init, status] of cases) {
			const response = await fetch(sandbox.url + path, init);
			expect([path, response.status]).toEqual([path, status]);
			expect(errorSchema.strict().parse(await response.json()).error.code).not.toBe('');
		}
		const response = await fetch(`${sandbox.url}/v1/links`, { headers });
		expect(response.headers.get('Allow')).toBe('POST');
	});
});

describe('hosted pages', () => {
	it('show what the url of a link, an invoice and a checkout session points to, with titles escaped', async () => {
		const { url } = await ask(sandbox, 'linkCreate', { body: { ...LINK, title: '<script>' } });
		const html = await (await fetch(url)).text();
		expect(html).toContain('25.00 USD');
		expect(html).toContain('&lt;script&gt;');
		expect(html).not.toContain('<script>');
		for (const record of [sandbox.store.invoices.at(0), sandbox.store.checkoutSessions.at(0)]) {
			expect((await fetch(record?.url ?? '')).status).toBe(200);
		}
	});

	it('take a payment, which makes a charge of the link amount, and lead to success_url', async () => {
		const { url } = await ask(sandbox, 'linkCreate', {
			body: { ...LINK, success_url: 'https://shop.example.com/ok' },
		});
		const response = await fetch(url, { method: 'POST', redirect: 'manual' });
		expect([response.status, response.headers.get('Location')]).toEqual([
			303,
			'https://shop.example.com/ok',
		]);
		const { results } = await ask(sandbox, 'chargeList', { query: { type: 'link', page_size: 1 } });
		expect(results[0]).toMatchObject({ total: '25.00', currency: 'USD', items: [{ name: 'Tea' }] });
	});

	it('close with their link and are missing without', async () => {
		const { id, url } = await ask(sandbox, 'linkCreate', { body: LINK });
		await ask(sandbox, 'linkEdit', { id, body: { status: 'disabled' } });
		expect((await fetch(url)).status).toBe(410);
		expect((await fetch(url, { method: 'POST' })).status).toBe(410);
		for (const page of ['pay', 'invoice', 'checkout']) {
			expect((await fetch(`${sandbox.url}/${page}/${UNKNOWN_ID}`)).status).toBe(404);
		}
		expect(await (await fetch(sandbox.url)).text()).toContain('/v1/links/{id}/edit');
	});
});

describe('a link expires', () => {
	it('once it was paid as often as payment_expiry_limit says', async () => {
		const { id, url } = await ask(sandbox, 'linkCreate', {
			body: { ...LINK, payment_expiry_limit: 2 },
		});
		sandbox.payLink(id);
		expect((await ask(sandbox, 'linkGet', { id })).status).toBe('enabled');
		sandbox.payLink(id);
		expect((await ask(sandbox, 'linkGet', { id })).status).toBe('disabled');
		expect((await fetch(url, { method: 'POST' })).status).toBe(410);
	});

	it('at 11:59 PM of its day, in the time zone that is switched', async () => {
		const { id } = await ask(sandbox, 'linkCreate', {
			body: { ...LINK, expiry_date: '2026-01-20' },
		});
		const statusAt = async (instant: number) => {
			now = instant;
			return (await ask(sandbox, 'linkGet', { id })).status;
		};
		expect(await statusAt(Date.UTC(2026, 0, 20, 23, 58, 59))).toBe('enabled');
		expect(await statusAt(Date.UTC(2026, 0, 20, 23, 59))).toBe('disabled');
		sandbox.setSwitches({ expiryUtcOffsetMinutes: 240 });
		expect(await statusAt(Date.UTC(2026, 0, 20, 19, 58, 59))).toBe('enabled');
		expect(await statusAt(Date.UTC(2026, 0, 20, 19, 59))).toBe('disabled');
	});

	it('into the status that is switched', async () => {
		sandbox.setSwitches({ expiredLinkStatus: 'enabled' });
		const { id } = await ask(sandbox, 'linkCreate', { body: { ...LINK, payment_expiry_limit: 1 } });
		sandbox.payLink(id);
		expect((await ask(sandbox, 'linkGet', { id })).status).toBe('enabled');
	});
});
