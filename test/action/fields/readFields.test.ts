import type { IDataObject } from 'n8n-workflow';

import { create } from '../../../nodes/PaymentCollection/resources/link/create';
import { update } from '../../../nodes/PaymentCollection/resources/link/update';
import { getAll } from '../../../nodes/PaymentCollection/resources/customer';
import type { AnyField, Field } from '../../../nodes/shared/fields/field';
import { FieldValues } from '../../../nodes/shared/fields/readFields';

/** Values that n8n does not check, as in an agent's tool. */

const ID = '3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b';
const TICKET = { name: 'Ticket', amount: '12.50', quantity: 1 };
const LINK = { currency: 'USD', items: { item: [TICKET] } };

const read = (fields: readonly AnyField[], values: IDataObject): FieldValues =>
	new FieldValues(
		fields,
		(name, fallback) => (name in values ? values[name] : fallback),
		{ type: 'node', parameters: {} },
		'UTC',
	);

it.each([undefined, null, '', [], 'none', { item: [] }])(
	'the body of a link is refused without items: %j',
	(items) => {
		expect(() => read(create.fields, { currency: 'USD', items })).toThrow(
			"'Items' has 0 entries: at least 1 is required",
		);
	},
);

it('the body of a link takes a single item that is no list, and refuses an item that is no record by its place', () => {
	expect(read(create.fields, { ...LINK, items: { item: TICKET } }).body['items']).toEqual([TICKET]);
	expect(() => read(create.fields, { ...LINK, items: { item: [TICKET, null] } })).toThrow(
		"'Items → Item 2' is null: it must have name, amount, quantity",
	);
});

describe('a collection', () => {
	it.each(['text', 7, true, null, [{ title: 'a' }]])('is refused by name if it is %j', (value) => {
		expect(() => read(update.fields, { linkId: ID, updateFields: value })).toThrow(
			/^'Update Fields' is .*: it must be a collection of fields/,
		);
		expect(() => read(getAll.fields, { filters: value })).toThrow(/^'Filters' is /);
	});

	it('with an unknown name, or one that every object has, is refused by name', () => {
		for (const name of ['nobody', 'constructor', 'toString', '__proto__']) {
			const filters = JSON.parse(`{"${name}": "x"}`) as IDataObject;
			expect(() => read(getAll.fields, { filters })).toThrow(`There is no filter named '${name}'`);
		}
	});
});

it.each<[IDataObject, number | undefined]>([
	[{ returnAll: true }, undefined],
	[{ returnAll: 'true' }, undefined],
	[{ returnAll: false }, 50],
	[{ returnAll: 'false' }, 50],
	[{}, 50],
])('a field that another one hides has no value: %j', (values, expected) => {
	const limit = getAll.fields.find(({ name }) => name === 'limit') as Field;
	expect(read(getAll.fields, values).of(limit)).toBe(expected);
});
