import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { runToolCalls, type CredentialData } from '../../support/engine';
import { ITEM, server } from '../../support/linkService';
import {
	credentialsFor,
	runOperation,
	sent,
	type OperationOptions,
} from '../../support/operations';
import { processedData } from '../../support/processedData';
import { PLANTED } from '../../support/secrets/secrets';

/** A new link whose Currency is left at its default: the credential says which one that is. */

const BY_CREDENTIAL = { items: { item: [ITEM] } };

const account = (fields: CredentialData = {}): CredentialData => ({
	...credentialsFor(server),
	...fields,
});

const create = async (
	parameters: INodeParameters,
	fields: CredentialData = {},
	options: Partial<OperationOptions> = {},
) =>
	await runOperation(server, {
		resource: 'link',
		operation: 'create',
		parameters: { ...BY_CREDENTIAL, ...parameters },
		credentials: account(fields),
		...options,
	});

/** As a model's tool by n8n's older path. */
const call = async (
	parameters: INodeParameters,
	fields: CredentialData,
	said: IDataObject = {},
) => {
	const [result] = await runToolCalls({
		nodeType: new PaymentCollection(),
		credentials: account(fields),
		parameters: { resource: 'link', operation: 'create', ...BY_CREDENTIAL, ...parameters },
		calls: [said],
	});
	return result?.answer ?? '';
};

const currencies = (): unknown[] =>
	sent(server).map(({ body }) => (body as IDataObject | undefined)?.['currency']);

const EUR = { defaultCurrency: 'EUR' };

const NONE_SET = /^Currency is left to the credential, which has no Default Currency/;

describe('is in the Default Currency of the credential', () => {
	it.each<[string, INodeParameters]>([
		['when nothing is chosen', {}],
		['when it is chosen', { currency: 'credential' }],
		['when an expression chooses it', { currency: '={{ "credential" }}' }],
	])('%s', async (_when, parameters) => {
		const { error } = await create(parameters, EUR);
		expect(error).toBeUndefined();
		expect(await call(parameters, EUR)).toContain('"id"');
		expect(currencies()).toEqual(['EUR', 'EUR']);
	});

	it('as the service wants it', async () => {
		await create({}, { defaultCurrency: ' eur ' });
		expect(currencies()).toEqual(['EUR']);
	});

	it('which says how many digits an amount may have', async () => {
		const { error } = await create({}, { defaultCurrency: 'JPY' });
		expect(error?.message).toMatch(/Amount is .*12\.50.* JPY/);
		await create({ items: { item: [{ ...ITEM, amount: '1250' }] } }, { defaultCurrency: 'JPY' });
		expect(currencies()).toEqual(['JPY']);
	});

	it('of each item, where the credential has an expression', async () => {
		const items = [{ money: 'EUR' }, { money: 'USD' }, {}];
		const result = await create(
			{},
			{ defaultCurrency: '={{ $json.money }}' },
			{ items, onError: 'continueRegularOutput' },
		);
		expect(currencies().sort()).toEqual(['EUR', 'USD']);
		expect(result.json[2]?.['error']).toMatch(NONE_SET);
	});

	it('of the item that asks for it, beside items that say their own', async () => {
		const items = [{ money: 'credential' }, { money: 'USD' }];
		await create({ currency: '={{ $json.money }}' }, EUR, { items });
		expect(currencies().sort()).toEqual(['EUR', 'USD']);
	});

	it('once for a key, whatever the credential says by then', async () => {
		processedData.reset();
		const keyed = { options: { idempotencyKey: 'order-1' } };
		await create(keyed, EUR);
		const { error } = await create(keyed, { defaultCurrency: 'USD' });
		expect(error?.message).toMatch(/Idempotency Key/);
		expect(currencies()).toEqual(['EUR']);
	});
});

it('a currency that is chosen wins over the one of the credential', async () => {
	await create({ currency: 'USD' }, EUR);
	await create({ currency: '={{ "GBP" }}' }, EUR);
	await create({ currency: 'USD' }, { defaultCurrency: 'EURO' });
	expect(currencies()).toEqual(['USD', 'GBP', 'USD']);
});

describe('is refused before anything is sent', () => {
	afterEach(() => expect(server.requests).toEqual([]));

	it.each<[string, CredentialData]>([
		['was saved before it had that field', {}],
		['has none', { defaultCurrency: '' }],
		['has an expression that gives nothing', { defaultCurrency: '={{ $json.missing }}' }],
	])('when the credential %s', async (_what, fields) => {
		const { error } = await create({}, fields);
		expect(error?.message).toMatch(NONE_SET);
		expect(error?.description).toBe(
			'Choose a Currency in this node, or set Default Currency in the Payment Collection API credential. Nothing was sent.',
		);
		const answer = await call({}, fields);
		expect(answer).toMatch(/Currency is left to the credential.* the link was NOT created/);
	});

	it.each(['EURO', 'E', '€€€', 978, '  ', ['EUR'], 'credential'])(
		'when that of the credential is %j',
		async (defaultCurrency) => {
			const { error } = await create({}, { defaultCurrency });
			expect(error?.message).toMatch(
				/^Default Currency of the credential is .*: it must be an ISO 4217 code of 3 letters such as USD$/,
			);
			expect(error?.description).toBe(
				'Choose another one in the Payment Collection API credential. Nothing was sent.',
			);
		},
	);

	it('without a word of an API key that was entered there', async () => {
		const { error } = await create({}, { defaultCurrency: PLANTED.apiKey });
		expect(error?.message).toMatch(/^Default Currency of the credential is /);
		expect(JSON.stringify(error)).not.toContain(PLANTED.apiKey);
	});

	it.each<[unknown]>([[''], [null], [undefined], [' '], ['Credential'], [' credential ']])(
		'when the expression of Currency gives %j: no data that lack a currency may become another one’s',
		async (value) => {
			const items = [value === undefined ? {} : { value }] as IDataObject[];
			const { error } = await create({ currency: '={{ $json.value }}' }, EUR, { items });
			expect(error?.message).toMatch(/^Currency is /);
			const answer = await call(
				{ currency: `={{ $json.missing ?? ${JSON.stringify(value)} }}` },
				EUR,
			);
			expect(answer).toMatch(/Currency is .* the link was NOT created/);
		},
	);

	it.each<[unknown]>([[''], [null]])('when Currency was saved as %j', async (value) => {
		const { error } = await create({ currency: value } as INodeParameters, EUR);
		expect(error?.message).toMatch(/Currency/);
	});

	it('when a model is to say the currency, and does not', async () => {
		const currency = "={{ $fromAI('currency', '', 'string') }}";
		expect(await call({ currency }, EUR)).toMatch(/Currency is .* the link was NOT created/);
	});
});
