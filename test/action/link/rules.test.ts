import type { INodeParameters } from 'n8n-workflow';
import { runOperation, sent, uuid } from '../../support/operations';
import { LINK, server } from '../../support/linkService';

describe('the expiry of a link', () => {
	const create = async (parameters: INodeParameters) =>
		await runOperation(server, {
			resource: 'link',
			operation: 'create',
			parameters: { ...LINK, ...parameters },
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
});

it('the currency of a link has to be chosen', async () => {
	const { currency: _, ...parameters } = LINK;
	const { error } = await runOperation(server, {
		resource: 'link',
		operation: 'create',
		parameters,
	});
	expect(error?.message).toMatch(/Currency/);
	expect(server.requests).toEqual([]);
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
