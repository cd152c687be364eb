import type { IDataObject } from 'n8n-workflow';

import { linkCreateBody } from '../../../nodes/PaymentCollection/resources/link/linkBody';
import type { Item } from '../../../nodes/PaymentCollection/run/item';

/** The body of POST /v1/links from values as n8n gives them to a tool of an agent, where it checks none itself. */

const bodyFrom = (items: unknown): IDataObject =>
	linkCreateBody({
		body: { currency: 'USD', items: items as IDataObject },
		parameter: (_name: string, fallback?: unknown) => fallback,
		context: { getTimezone: () => 'UTC' },
	} as unknown as Item);

it.each([undefined, null, '', []])('is refused without items: %j', (items) => {
	expect(() => bodyFrom(items)).toThrow('Items has 0 entries: at least 1 is needed');
});

it('takes a single item that is no list', () => {
	const item = { name: 'Ticket', amount: '12.50', quantity: 1 };
	expect(bodyFrom(item)).toEqual({ currency: 'USD', items: [item] });
});
