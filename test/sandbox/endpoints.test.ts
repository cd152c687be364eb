import { ENDPOINTS, type EndpointName } from '../../contract/constants';
import type { LinkCreate } from '../../contract/schemas/link';
import { sandbox, useSandbox } from '../support/sandbox';
import { ask, refusal } from './client';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const LINK: LinkCreate = {
	currency: 'USD',
	items: [{ name: 'Tea', amount: '12.50', quantity: 2 }],
};

const NOON = Date.UTC(2026, 0, 15, 12);
let now = NOON;
beforeEach(() => {
	now = NOON;
});
useSandbox({
	clock: () => now,
	counts: { charges: 30, customers: 20, links: 20, invoices: 10, checkoutSessions: 10 },
});

const createLink = async (fields: Partial<LinkCreate> = {}) =>
	await ask('linkCreate', { body: { ...LINK, ...fields } });

const statusOf = async (id: string) => (await ask('linkGet', { id })).status;

describe('links', () => {
	it('are created from currency and items, with the documented defaults', async () => {
		const link = await createLink();
		expect(link).toMatchObject({
			...{ amount: '25.00', status: 'enabled', title: '', discount_percentage: 0 },
			...{ shipping_address_required: false, allow_tip: false, allow_service_fee: true },
			...{ allow_installment_a: true, allow_installment_b: true },
			...{ payment_expiry_limit: null, expiry_date: null },
			items: [{ name: 'Tea', amount: '12.50', quantity: 2, total_amount: '25.00' }],
		});
		expect(await ask('linkGet', { id: link.id })).toEqual(link);
	});

	it('keep their fields, and round half up', async () => {
		const given = { title: 'T', note: 'N', discount_percentage: 10, allow_installment_a: false };
		const link = await createLink({
			...given,
			currency: 'KWD',
			items: [{ name: 'Oud', amount: '3.125', quantity: 3 }],
		});
		// 9.375 less 10 %: 0.9375 is 0.938.
		expect(link).toMatchObject({ ...given, discount: '0.938', amount: '8.437' });
	});

	it.each<[string, object]>([
		['items', { items: undefined }],
		['currency', { currency: 'ZZZ' }],
		['items.0.amount', { items: [{ name: 'a', amount: '1.005', quantity: 1 }] }],
		['title', { title: 'x'.repeat(51) }],
		['expiry_date', { expiry_date: '2026-01-15' }],
		['only one of', { payment_expiry_limit: 1, expiry_date: '2026-03-01' }],
		['colour', { colour: 'red' }],
	])('refuse a body with a wrong %s, and name it', async (field, fields) => {
		const body = { ...LINK, ...fields };
		const { status, code, message } = await refusal('linkCreate', { body });
		expect({ status, code }).toEqual({ status: 400, code: 'invalid_request' });
		expect(message).toContain(field);
		expect(sandbox.store.links.size).toBe(20);
	});

	it.each([0, 240])('expire at 11:59 PM of their day, %i minutes east of UTC', async (minutes) => {
		sandbox.setSwitches({ expiryUtcOffsetMinutes: minutes });
		const { id } = await createLink({ expiry_date: '2026-01-20' });
		now = Date.UTC(2026, 0, 20, 23, 58, 59) - minutes * 60_000;
		expect(await statusOf(id)).toBe('enabled');
		now += 1_000;
		expect(await statusOf(id)).toBe('disabled');
	});
});

describe('errors', () => {
	const NAMES = Object.keys(ENDPOINTS) as EndpointName[];
	const withId = NAMES.filter((name) => ENDPOINTS[name].path.includes('{id}'));

	it.each(withId)(
		'%s of an unknown ID is a 404, and of another text than a UUID is refused',
		async (name) => {
			const bodies: Partial<Record<EndpointName, unknown>> = {
				linkEdit: { title: 'x' },
				chargeRefund: { amount: '1' },
			};
			const body = bodies[name];
			const { status, code, message } = await refusal(name, { id: UNKNOWN_ID, body });
			expect({ status, code }).toEqual({ status: 404, code: 'not_found' });
			expect(message).toMatch(/^No [a-z]+( [a-z]+)? with id /);
			// A checkout session's id is documented as any text: it is merely unknown.
			const other = await refusal(name, { id: 'abc', body });
			expect(other.status).toBe(name === 'checkoutGet' ? 404 : 400);
		},
	);

	it.each(NAMES)('%s checks the key before everything else', async (name) => {
		for (const key of [null, `${sandbox.apiKey}x`, sandbox.apiKey.slice(0, -1)]) {
			const body = ENDPOINTS[name].method === 'GET' ? undefined : { wrong: true };
			const { status, code } = await refusal(name, { id: 'abc', key, body });
			expect({ status, code }).toEqual({ status: 401, code: 'authentication_failed' });
		}
	});
});
