import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runOperation, sent, uuid } from '../../support/operations';
import { LINK, server } from '../../support/linkService';

describe('the expiry of a link', () => {
	const create = async (parameters: INodeParameters, timeZone?: string) =>
		await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, ...parameters },
			timeZone,
		});

	it.each([
		['never', {}],
		['afterPayments', { payment_expiry_limit: 2 }],
		['onDate', { expiry_date: '2025-02-01' }],
	])('is one rule at most, also when an expression chooses it: %s', async (expiry, rule) => {
		const { error } = await create({
			expiry: `={{ "${expiry}" }}`,
			paymentExpiryLimit: 2,
			expiryDate: '2025-02-01',
		});
		expect(error).toBeUndefined();
		expect(sent(server)).toMatchObject([{ body: { currency: 'USD', ...rule } }]);
		const { body } = sent(server)[0] ?? {};
		const rules = ['payment_expiry_limit', 'expiry_date'].filter(
			(name) => name in (body as object),
		);
		expect(rules).toEqual(Object.keys(rule));
	});

	it('needs no date for another rule, when an expression chooses it', async () => {
		expect((await create({ expiry: '={{ "never" }}' })).error).toBeUndefined();
	});

	it('needs a date with On Date', async () => {
		const { error } = await create({ expiry: 'onDate' });
		expect(error?.message).toMatch(/^Expiry Date is "": it must be a date/);
		expect(server.requests).toEqual([]);
	});

	it.each([
		['Pacific/Kiritimati', '2025-01-16', '2025-01-17'],
		['Europe/Berlin', '2025-01-15', '2025-01-16'],
		['America/Los_Angeles', '2025-01-15', '2025-01-16'],
		['Pacific/Pago_Pago', '2025-01-15', '2025-01-16'],
	])('is after today in the workflow’s time zone (%s)', async (timeZone, today, tomorrow) => {
		const refused = await create({ expiry: 'onDate', expiryDate: today }, timeZone);
		expect(refused.error?.message).toBe(
			`Expiry Date is ${today}: it must be in the future, and today is ${today}`,
		);
		expect(server.requests).toEqual([]);
		expect(
			(await create({ expiry: 'onDate', expiryDate: tomorrow }, timeZone)).error,
		).toBeUndefined();
	});
});

describe('the currency of a link', () => {
	it.each<[unknown]>([[''], [null], [' '], ['credential'], ['EURO']])(
		'is what the node says: nothing stands in for %j that an expression gives',
		async (value) => {
			const { error } = await runOperation(server, {
				resource: 'link',
				operation: 'create',
				parameters: { ...LINK, currency: '={{ $json.value }}' },
				items: [{ value }] as IDataObject[],
			});
			expect(error?.message).toMatch(/^Currency is .*: it must be an ISO 4217 code/);
			expect(server.requests).toEqual([]);
		},
	);

	it('has to be chosen', async () => {
		const { currency: _, ...others } = LINK;
		const { error } = await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: others,
		});
		expect(error?.message).toMatch(/Currency/);
		expect(server.requests).toEqual([]);
	});
});

describe('link update', () => {
	it.each<[INodeParameters]>([
		[{}],
		[{ title: '={{ $json.missing }}' }],
		[{ title: '={{ null }}', status: '={{ undefined }}' }],
	])('refuses to change nothing: %p', async (updateFields) => {
		const { error } = await runOperation(server, {
			resource: 'link',
			operation: 'update',
			parameters: { linkId: uuid(1), updateFields },
		});
		expect(error).toMatchObject({
			message: 'There is nothing to update: Update Fields is empty',
			description: 'Add a title or a status under Update Fields. Nothing was sent.',
			context: { itemIndex: 0 },
		});
		expect(server.requests).toEqual([]);
	});
});
