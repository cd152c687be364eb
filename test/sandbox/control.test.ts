import { errorSchema } from '../../contract/schemas/error';
import { isThisMachine } from '../../sandbox/control';
import { sandbox, useSandbox } from '../support/sandbox';
import { ask, send } from './client';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

useSandbox({ seed: 5, counts: { charges: 30, customers: 5, links: 5 } });

async function control(method: string, path: string, body?: unknown) {
	const response = await fetch(`${sandbox.url}/_sandbox${path}`, {
		method,
		...(body === undefined
			? {}
			: { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
	});
	const text = await response.text();
	return { status: response.status, body: text ? (JSON.parse(text) as unknown) : undefined };
}

describe('the control surface', () => {
	it('lists its paths, each of which is there, its switches and what faults are made of, all in words', async () => {
		const { body } = await control('GET', '');
		const { paths, switches, faults } = body as {
			paths: Record<string, string>;
			switches: { name: string; meaning: string }[];
			faults: Record<'match' | 'action', Record<string, string>>;
		};
		expect(switches.map(({ name }) => name)).toEqual(Object.keys(sandbox.switches));
		expect(switches.filter(({ meaning }) => meaning === '')).toEqual([]);
		expect(faults.action).toHaveProperty('reset', 'Resets the connection.');
		for (const entry of Object.keys(paths)) {
			const [method = '', path = ''] = entry.replace(':id', UNKNOWN_ID).split(' /_sandbox');
			const { error } = errorSchema.safeParse((await control(method, path)).body).data ?? {};
			expect([entry, error?.message]).not.toEqual([entry, expect.stringContaining('Nothing at')]);
		}
	});

	it('shows the state of the sandbox without a key, and leaves no trace in the log', async () => {
		const { body } = await control('GET', '/state');
		expect(body).toMatchObject({
			url: sandbox.url,
			seed: 5,
			counts: { charges: 30, customers: 5 },
			switches: { rowOrder: 'newestFirst' },
			faults: 0,
		});
		const { samples } = body as { samples: { links: string[] } };
		expect((await send('linkGet', { id: samples.links[0] ?? '' })).status).toBe(200);
		expect(sandbox.requests).toHaveLength(1);
		expect(JSON.stringify(body)).not.toContain(sandbox.apiKey);
	});

	it('adds, shows and removes fault rules, and no rule hits itself', async () => {
		const rule = { match: { path: '/' }, action: { status: 500 } };
		expect((await control('POST', '/faults', rule)).body).toEqual({ id: 1 });
		await control('POST', '/faults', rule);
		expect((await send('chargeList')).status).toBe(500);
		expect((await control('GET', '/faults')).body).toMatchObject({
			faults: [
				{ id: 1, seen: 1, applied: 1 },
				{ id: 2, seen: 1, applied: 0 },
			],
		});
		expect((await control('DELETE', '/faults/1')).status).toBe(204);
		expect((await control('DELETE', '/faults/1')).status).toBe(404);
		expect((await control('DELETE', '/faults')).status).toBe(204);
		expect((await send('chargeList')).status).toBe(200);
	});

	it('inserts, refunds, moves and removes charges, and pays links', async () => {
		await control('POST', '/charges', { count: 3 });
		const { body } = await control('POST', '/charges', {
			charge: { currency: 'JPY', total: '500', type: 'link' },
		});
		expect(sandbox.store.charges.size).toBe(34);
		const [charge] = (body as { charges: { id: string }[] }).charges;
		const path = `/charges/${charge?.id}`;
		const refund = async (sent?: object) => await control('POST', `${path}/refund`, sent);
		expect((await refund({ amount: '200' })).body).toMatchObject({ refund_total: '200' });
		expect((await refund()).body).toMatchObject({ refund_total: '500' });
		expect((await refund()).status).toBe(409);
		const moved = await control('POST', `${path}/status`, { status: 'void' });
		expect(moved.body).toMatchObject({ status: 'void', events: { type: 'void' } });
		expect((await control('DELETE', path)).status).toBe(204);
		expect((await control('DELETE', path)).status).toBe(404);
		const { link } = sandbox.store.links.at(0) ?? {};
		const paid = await control('POST', `/links/${link?.id}/pay`);
		expect(paid.body).toMatchObject({ total: link?.amount, currency: link?.currency });
	});

	it('changes switches, shows and forgets requests, and resets, with another seed if one is given', async () => {
		const { body: switches } = await control('POST', '/switches', { maxPageSize: 2 });
		expect(switches).toMatchObject({ maxPageSize: 2, rowOrder: 'newestFirst' });
		expect((await ask('chargeList')).results).toHaveLength(2);
		const { body: log } = await control('GET', '/requests');
		const requests = [{ path: '/v1/charges', status: 200, keyRight: true }];
		expect(log).toMatchObject({ maxInFlight: 1, requests });
		await control('DELETE', '/requests');
		expect(sandbox.requests).toEqual([]);
		sandbox.insertCharge();
		const { body: other } = await control('POST', '/reset', { seed: 9 });
		expect(other).toMatchObject({
			seed: 9,
			counts: { charges: 30 },
			switches: { maxPageSize: 100 },
		});
		expect((await control('POST', '/reset')).body).toMatchObject({ seed: 5 });
	});

	it.each([
		['/switches', { colour: 'red' }, 'colour'],
		['/faults', { match: { nth: 0 }, action: {} }, 'match.nth'],
		['/faults', { action: { explode: true } }, 'explode'],
		['/charges', { charge: { colour: 'red' } }, 'colour'],
		['/charges', { count: 2, charge: { id: UNKNOWN_ID } }, 'charge.id'],
		[`/charges/${UNKNOWN_ID}/status`, {}, 'status'],
		['/reset', { seed: 'x' }, 'seed'],
	])('refuses POST %s with %j and names %s', async (path, sent, field) => {
		const { status, body } = await control('POST', path, sent);
		expect(status).toBe(400);
		expect(errorSchema.parse(body).error.message).toContain(field);
	});

	it('is for this machine only', () => {
		const own = ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'];
		const others = ['192.0.2.7', '2001:db8::7', '::ffff:192.0.2.7', '1127.0.0.1', '::12'];
		expect([...own, ...others].filter(isThisMachine)).toEqual(own);
	});
});
