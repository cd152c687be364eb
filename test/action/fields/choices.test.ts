import type { INodeParameters } from 'n8n-workflow';
import { runOperation, sent, uuid } from '../../support/operations';
import { ITEM, LINK, server } from '../../support/linkService';

describe('currency', () => {
	const create = async (currency: string, items = [{}]) =>
		await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, currency },
			items,
			onError: 'continueRegularOutput',
		});

	it.each([
		['US', /^Currency is "US", length 2: it must be an ISO 4217 code of 3 letters such as USD$/],
		['USDX', /^Currency is "USDX", length 4/],
		['U$D', /^Currency is "U\$D"/],
		['123', /^Currency is "123"/],
		['ÄÖÜ', /^Currency is "ÄÖÜ"/],
		['', /^Currency is "", length 0/],
		[null, /^Currency is null/],
		[840, /^Currency is 840/],
	])('refuses %p from an expression', async (value, says) => {
		const result = await create('={{ $json.value }}', [{ value }] as [object]);
		expect(result.json[0]?.['error']).toMatch(says);
		expect(server.requests).toEqual([]);
	});

	it.each(['US', 'USDX', 'usd4'])('refuses the literal %p', async (value) => {
		const result = await create(value);
		expect(result.json[0]?.['error']).toMatch(/^Currency is "\w+", length [24]: it must be an ISO/);
		expect(server.requests).toEqual([]);
	});

	it('is required', async () => {
		expect((await create('')).error?.message).toMatch(/Parameter "Currency" is required/);
		expect(server.requests).toEqual([]);
	});

	it('is checked as a filter as well', async () => {
		const result = await runOperation(server, {
			resource: 'charge',
			operation: 'getAll',
			parameters: { filters: { currency: '={{ "EURO" }}' } },
		});
		expect(result.error?.message).toMatch(/^Filter Currency is "EURO", length 4: .* 3 letters/);
		expect(server.requests).toEqual([]);
	});
});

describe('lists of entries', () => {
	const create = async (parameters: INodeParameters) =>
		await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, ...parameters },
		});
	const fields = (count: number, name: string) => ({
		additionalFields: { customFields: { field: Array.from({ length: count }, () => ({ name })) } },
	});

	it.each(['Size', '={{ "Size" }}'])('takes 5 custom fields (%s) and refuses 6', async (name) => {
		expect((await create(fields(5, name))).error).toBeUndefined();
		expect(sent(server)).toMatchObject([{ body: { custom_fields: { length: 5 } } }]);
		server.forget();
		expect((await create(fields(6, name))).error).toMatchObject({
			message: 'Custom Fields has 6 entries: the limit is 5',
			context: { itemIndex: 0 },
		});
		expect(server.requests).toEqual([]);
	});

	it('refuses a custom field without a name', async () => {
		const { error } = await create(fields(2, '={{ " " }}'));
		expect(error?.message).toBe('Custom Fields → Field 1 → Name is empty');
		expect(server.requests).toEqual([]);
	});

	it('refuses a link without items', async () => {
		const { error } = await create({ items: { item: [] } });
		expect(error).toBeDefined();
		expect(server.requests).toEqual([]);
	});

	it('names the entry that is wrong', async () => {
		const { error } = await create({
			items: { item: [ITEM, { ...ITEM, amount: '1,00' }, { ...ITEM, quantity: 0 }] },
		});
		expect(error?.message).toMatch(/^Items → Item 2 → Amount is "1,00"/);
		expect(server.requests).toEqual([]);
	});
});

describe('choices', () => {
	it.each([
		[
			'link',
			'create',
			{ ...LINK, expiry: '={{ "later" }}' },
			'Expiry',
			'afterPayments, never, onDate',
		],
		[
			'link',
			'update',
			{ linkId: uuid(1), updateFields: { status: '={{ "paused" }}' } },
			'Status',
			'disabled, enabled',
		],
		[
			'charge',
			'getAll',
			{ filters: { type: '={{ "refund" }}' } },
			'Filter Type',
			'charge, checkout, creditpayment, invoice, link',
		],
		[
			'charge',
			'refund',
			{ chargeId: uuid(1), amount: '1', options: { onAlreadyRefunded: '={{ "again" }}' } },
			'On Already Refunded',
			'fail, returnExisting – NOT refunded',
		],
	])(
		'%s %s: an expression outside of the choice is refused by name',
		async (resource, operation, parameters, field, choice) => {
			const { error } = await runOperation(server, { resource, operation, parameters });
			expect(error?.message).toMatch(
				new RegExp(`^${field} is "(later|paused|refund|again)": it must be one of ${choice}$`),
			);
			expect(server.requests).toEqual([]);
		},
	);
});
