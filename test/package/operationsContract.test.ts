import type { z } from 'zod';

import { chargeFiltersSchema } from '../../contract/schemas/charge';
import { customerFiltersSchema } from '../../contract/schemas/customer';
import { linkCreateFieldsSchema, linkEditSchema } from '../../contract/schemas/link';
import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { create } from '../../nodes/PaymentCollection/resources/link/create';
import { update } from '../../nodes/PaymentCollection/resources/link/update';
import { isCollection, type AnyField } from '../../nodes/shared/fields/field';
import { LIST_FIELDS, LIST_OPERATIONS } from '../support/lists';
import { OPERATION_NAMES } from '../support/operations';

it('each operation has an example, with which all that holds for every operation is tried', () => {
	const operations = Object.entries(new PaymentCollection().customOperations).flatMap(
		([resource, byName]) => Object.keys(byName).map((operation) => `${resource} ${operation}`),
	);
	expect([...OPERATION_NAMES].sort()).toEqual(operations.sort());
	expect([...LIST_OPERATIONS].sort()).toEqual(
		operations.filter((name) => name.endsWith(' getAll')),
	);
});

/** What the service calls the fields. */
const namesOf = (fields: readonly AnyField[]): string[] =>
	fields.flatMap((field) => {
		if (isCollection(field)) return namesOf(field.fields);
		return field.sent !== undefined && 'as' in field.sent ? [field.sent.as] : [];
	});

it.each<[string, readonly AnyField[], { shape: z.ZodRawShape }]>([
	['a new link', create.fields, linkCreateFieldsSchema],
	['a change of a link', update.fields, linkEditSchema],
	['the list of charges', LIST_FIELDS.charge, chargeFiltersSchema],
	['the list of customers', LIST_FIELDS.customer, customerFiltersSchema],
])('every field of the contract can be set for %s, and no other', (_what, fields, { shape }) => {
	expect([...new Set(namesOf(fields))].sort()).toEqual(Object.keys(shape).sort());
});
