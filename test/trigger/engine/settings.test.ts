import type { INodeParameters } from 'n8n-workflow';
import type { Poller } from '../../support/engine';
import { triggerOn } from '../../support/operations';
import { sandbox, useSandbox } from '../../support/sandbox';

useSandbox({ counts: { customers: 0, links: 0, invoices: 0, checkoutSessions: 0, charges: 0 } });

const pollerWith = (parameters: INodeParameters = {}): Poller => triggerOn(sandbox, { parameters });

it.each<[string, INodeParameters]>([
	[`'Options → Start Date' is "soon"`, { options: { startFrom: 'date', startDate: 'soon' } }],
	[
		'\'Options → Start Date\' is "2026-13-45"',
		{ options: { startFrom: 'date', startDate: '2026-13-45' } },
	],
	[
		'\'Options → Start Date\' is "2026-02-30T00:00:00Z"',
		{ options: { startFrom: 'date', startDate: '2026-02-30T00:00:00Z' } },
	],
	[`'Options → Start From' is "then"`, { options: { startFrom: 'then' } }],
	["'Options → Watch Days' is 0", { options: { watchDays: 0 } }],
	["'Events' is empty", { events: '={{ [] }}' }],
	['\'Events\' is "charge.lost"', { events: ['charge.lost'] }],
	[`'Resource' is "Customer"`, { resource: 'Customer', filters: { email: 'ana@example.com' } }],
	[`'Resource' is "link"`, { resource: 'link' }],
	[`'Resource' is "{{ `, { resource: '={{ "customer" }}' }],
	["'Filters → Email' is empty", { resource: 'customer', filters: { email: '={{ "" }}' } }],
])('a setting is refused when the workflow is published: %s', async (message, parameters) => {
	const { error } = await pollerWith(parameters).activate();
	expect(error?.message).toContain(message);
	expect(sandbox.requests).toEqual([]);
});

it('an expression can return one event without a list', async () => {
	const poller = pollerWith({ events: '={{ "charge.created" }}' });
	await poller.activate();
	sandbox.insertCharge();
	expect((await poller.tick()).json).toHaveLength(1);
});

it('a start date without an offset is in the workflow’s time zone', async () => {
	sandbox.insertCharge({ created: '2026-01-01T00:00:00Z' });
	const { id } = sandbox.insertCharge({ created: '2026-06-01T00:00:00Z' });
	const options = { startFrom: 'date', startDate: '2026-03-01 10:00:00' };
	const poller = pollerWith({ options });
	const first = await poller.activate();
	const next = await poller.tick();
	expect([...first.json, ...next.json].map((charge) => charge['id'])).toEqual([id]);
});

it('filters of customers are sent with the service’s names', async () => {
	const filters = { businessName: 'Ruiz & Co', email: ' ana@example.com', search: 'Ane\u0301' };
	await pollerWith({ resource: 'customer', filters }).activate();
	expect(sandbox.requests[0]).toMatchObject({
		path: '/v1/customers',
		query: { business_name: 'Ruiz & Co', email: 'ana@example.com', search: 'An\u00e9' },
	});
});

describe('a test event', () => {
	it('is the newest customer if the trigger is for customers', async () => {
		const poller = pollerWith({ resource: 'customer' });
		sandbox.insertCustomer({ created: '2026-01-01T00:00:00Z' });
		const { id } = sandbox.insertCustomer();
		expect((await poller.fetchTestEvent()).json[0]).toMatchObject({
			event: 'customer.created',
			event_id: `customer.created:${id}`,
		});
	});

	const ALSO = 'You can publish the workflow without a test event.';
	it.each<[INodeParameters, number, string, string]>([
		[{}, 0, 'No charge was found for a test event yet', 'Try again'],
		[{ resource: 'customer' }, 0, 'No customer was found for a test event yet', 'Try again'],
		[{ filters: { status: 'void' } }, 1, 'No matching charge was found', "Change 'Filters', or"],
		[{ filters: { currency: 'KWD' } }, 0, 'No matching charge was found', "Change 'Filters', or"],
	])('that is missing: %j, with %d charges', async (parameters, charges, message, advice) => {
		for (let count = 0; count < charges; count++) sandbox.insertCharge({ currency: 'EUR' });
		const { error } = await pollerWith(parameters).fetchTestEvent();
		expect(error?.message).toContain(message);
		expect(error).toMatchObject({
			description: expect.stringMatching(`^${advice}.*${ALSO}$`) as string,
		});
	});

	it('is one of each chosen event: the newest, or a sample made of the newest charge', async () => {
		const { id: refunded } = sandbox.insertCharge({ currency: 'EUR', total: '20.00' });
		const refunds = [{ created: new Date().toISOString(), amount: '5.00' }];
		sandbox.store.changeCharge(refunded, (charge) => ({
			...charge,
			refund_total: '5.00',
			refunds,
		}));
		const { id } = sandbox.insertCharge({ currency: 'EUR', total: '12.50' });
		const events = ['charge.refunded', 'charge.created', 'charge.statusChanged'];
		const testEvents = async () => (await pollerWith({ events }).fetchTestEvent()).json;
		const others = [
			{ event: 'charge.created', event_id: `charge.created:${id}` },
			{ event: 'charge.statusChanged', id },
		];
		expect(await testEvents()).toMatchObject([
			{ event_id: `charge.refunded:${refunded}:5.00`, refunded_amount: '5.00' },
			...others,
		]);
		sandbox.store.changeCharge(refunded, (charge) => ({
			...charge,
			refund_total: '0.00',
			refunds: [],
		}));
		expect(await testEvents()).toMatchObject([
			{ event_id: `charge.refunded:${id}:sample`, refunded_amount: '12.50', refund_total: '12.50' },
			...others,
		]);
	});

	it('is a sample if no status can be read', async () => {
		const { id } = sandbox.insertCharge();
		sandbox.store.changeCharge(id, (charge) => Object.assign({ ...charge }, { status: null }));
		const { json } = await pollerWith({ events: ['charge.statusChanged'] }).fetchTestEvent();
		expect(json).toMatchObject([{ event_id: `charge.statusChanged:${id}:sample` }]);
	});

	it('is the newest charge of an oldest-first list', async () => {
		sandbox.setSwitches({ rowOrder: 'oldestFirst' });
		for (let day = 1; day <= 150; day++) {
			sandbox.insertCharge({ created: new Date(Date.UTC(2026, 0, day)).toISOString() });
		}
		const { json } = await pollerWith().fetchTestEvent();
		expect(json[0]?.['created']).toBe(new Date(Date.UTC(2026, 0, 150)).toISOString());
	});
});
