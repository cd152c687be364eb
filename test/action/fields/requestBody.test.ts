import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { createFields } from '../../../nodes/PaymentCollection/resources/link/create';
import { updateFields } from '../../../nodes/PaymentCollection/resources/link/update';
import { collectBody } from '../../../nodes/PaymentCollection/run/requestBody';
import type { INodeProperties } from 'n8n-workflow';

/** The body of a request as the fields' routing declares it. */

const bodyOf = (fields: readonly INodeProperties[], values: Record<string, unknown>) =>
	collectBody(fields, (name) => values[name] ?? null);

describe('collectBody', () => {
	it('takes what the fields declare, by the names that the service knows', () => {
		const values = {
			currency: 'USD',
			items: { item: [{ name: 'Ticket', amount: '1', quantity: 1 }] },
			expiry: 'never',
			additionalFields: {
				title: 'Workshop',
				allowTip: true,
				customFields: { field: [{ name: 'Size' }] },
				unknown: 'never sent',
			},
			options: { idempotencyKey: 'order-1' },
		};
		expect(bodyOf(createFields, values)).toEqual({
			currency: 'USD',
			items: [{ name: 'Ticket', amount: '1', quantity: 1 }],
			title: 'Workshop',
			allow_tip: true,
			custom_fields: [{ name: 'Size' }],
		});
	});

	it('leaves out what the user did not add', () => {
		expect(bodyOf(updateFields, { linkId: 'x', updateFields: {} })).toEqual({});
		expect(bodyOf(updateFields, { linkId: 'x' })).toEqual({});
		expect(bodyOf(updateFields, { updateFields: { status: null } })).toEqual({ status: null });
	});

	it('gives nothing for a part of something that is no collection', () => {
		expect(bodyOf(createFields, { items: 'none' })).toEqual({ currency: null, items: undefined });
	});

	it.each(['text', 7, [{ title: 'a' }]])('refuses %j for a collection', (value) => {
		expect(() => bodyOf(updateFields, { updateFields: value })).toThrow(
			/^updateFields must be a collection of fields/,
		);
	});

	it('evaluates no parameter that does not go into the body', () => {
		const asked: string[] = [];
		collectBody(createFields, (name) => {
			asked.push(name);
			return null;
		});
		expect(asked).toEqual(['currency', 'items', 'additionalFields']);
	});

	it('understands every routing of the description', () => {
		const { properties } = new PaymentCollection().description;
		const routings: Array<{ type?: string; value?: string }> = [];
		JSON.stringify(properties, (name, value: unknown) => {
			if (name === 'send') routings.push(value as (typeof routings)[number]);
			return value;
		});
		const bodies = routings.filter(({ type }) => type === 'body');
		expect(bodies.length).toBeGreaterThan(10);
		for (const { value } of bodies) {
			expect(value ?? '={{ $value.item }}').toMatch(/^=\{\{ \$value\.\w+ \}\}$/);
		}
	});
});
