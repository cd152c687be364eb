import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { plainText } from '../../../nodes/shared/plainText';
import { useFakeClock } from '../../support/clock';
import { createPoller, runListSearch } from '../../support/engine';
import { LIST_PATHS } from '../../support/lists';
import { json, scriptedServer, type Answer } from '../../support/servers/http-server';
import {
	OPERATIONS,
	OPERATION_NAMES,
	credentialsFor,
	envelope,
	runOperation,
	uuid,
	type OperationCase,
} from '../../support/operations';
import { processedData } from '../../support/processedData';
import { PLANTED } from '../../support/secrets/secrets';
import {
	leaksOf,
	plainCharge,
	plantedCharges,
	setPlace,
	spellings,
	withCheckDigit,
} from '../../support/secrets/spelledSecrets';

/** What leaves the nodes on n8n's own engine, of charges that repeat their secrets wherever they can. */

beforeEach(() => void useFakeClock());

const CHARGES = fc
	.sample(plantedCharges, { seed: 20_250_115, numRuns: 90 })
	.map((charge, index) => ({ ...charge, row: { ...charge.row, id: uuid(index + 1) } }));
const listServer = async (rows: IDataObject[]) =>
	await scriptedServer(() => json(envelope(...rows)));
const ROWS: IDataObject[] = CHARGES.map(({ row }) => row);

describe.each([true, false])('with Simplify %s', (simplify) => {
	const expectNoSecrets = (items: readonly IDataObject[]): void => {
		expect(items).toHaveLength(CHARGES.length);
		const byId = new Map(items.map((item) => [item['id'], item]));
		for (const charge of CHARGES) expect(leaksOf(byId.get(charge.row.id), charge)).toEqual([]);
	};

	it('charge getAll gives no secret in any spelling', async () => {
		const server = await listServer(ROWS);
		const parameters = { returnAll: true, simplify };
		const result = await runOperation(server, { ...OPERATIONS['charge getAll'], parameters });
		expectNoSecrets(result.json);
	});

	it('the trigger gives no secret in any spelling', async () => {
		const server = await listServer(ROWS);
		const poller = createPoller({
			nodeType: new PaymentCollectionTrigger(),
			credentials: credentialsFor(server),
			parameters: { simplify, options: { startFrom: 'beginning' } },
		});
		const { json: items } = await poller.activate();
		expectNoSecrets(items);
		const [first] = (await poller.fetchTestEvent()).json;
		for (const charge of CHARGES) expect(leaksOf(first, charge)).toEqual([]);
	});

	it('both give a charge without secrets as it came', async () => {
		const rows = [plainCharge(1), plainCharge(2)];
		const server = await listServer(rows);
		const whole = await runOperation(server, {
			...OPERATIONS['charge getAll'],
			parameters: { returnAll: true, simplify },
		});
		const poller = createPoller({
			nodeType: new PaymentCollectionTrigger(),
			credentials: credentialsFor(server),
			parameters: { simplify, options: { startFrom: 'beginning' } },
		});
		const events = (await poller.activate()).json;
		whole.json.forEach((row, index) => {
			const { event, event_id: eventId, ...fields } = events[index] ?? {};
			expect([event, eventId]).toEqual([
				'charge.created',
				`charge.created:${plainText(row['id'])}`,
			]);
			expect(JSON.stringify(fields)).toBe(JSON.stringify(row));
			if (!simplify) expect(JSON.stringify(row)).toBe(JSON.stringify(rows[index]));
		});
	});
});

it('the list searches show no secret in any spelling', async () => {
	const server = await listServer(
		ROWS.map((row) => ({ ...row, first_name: row['note'], business_name: row['unknown'] })),
	);
	for (const [method, name] of [
		['searchCharges', 'charge refund'],
		['searchCustomers', 'customer getAll'],
	] as const) {
		const { resource, operation }: OperationCase = OPERATIONS[name];
		const { results } = await runListSearch({
			nodeType: new PaymentCollection(),
			credentials: credentialsFor(server),
			parameters: { resource, operation },
			method,
		});
		expect(results).toHaveLength(CHARGES.length);
		results.forEach(({ name: label }, index) => {
			const charge = CHARGES[index];
			if (charge !== undefined) expect(leaksOf(label, charge)).toEqual([]);
		});
	}
});

it('an error shows no card number, however the service spells it', async () => {
	const number = withCheckDigit('492942057359570');
	const written = fc
		.sample(spellings, { seed: 7, numRuns: 60 })
		.map(({ spell }) => spell(number))
		.filter((text) => !text.includes('<b>') && !/ - {2}- /.test(text));
	let message = '';
	const server = await scriptedServer(() => json({ error: { message, code: message } }, 400));
	for (const text of written) {
		message = `Card ${text} was declined`;
		const { error } = await runOperation(server, {
			...OPERATIONS['invoice get'],
			parameters: { invoiceId: uuid(1) },
		});
		const shown = `${error?.message} ${error?.description}`;
		expect(shown).toContain('[redacted]');
		expect(shown).not.toContain(text);
	}
});

it('numbers leave as the service sent them, as far as reading JSON keeps them', async () => {
	const numbers =
		'"fee":0.30000000000000004,"fx_fee":0.1,"net":19.99,"a":123456789012.345,"b":1e-7,"c":-0.5,"d":1000000';
	const server = await scriptedServer(() => ({ ...json({}), body: `{"id":"x",${numbers}}` }));
	const parameters = { checkoutSessionId: 'x' };
	const result = await runOperation(server, { ...OPERATIONS['checkoutSession get'], parameters });
	expect(JSON.stringify(result.json[0])).toBe(`{"id":"x",${numbers}}`);
});

const DEPTH = 20_000;
const deepJson = '{"a":'.repeat(DEPTH) + '"tok-planted-58ab3e0d2f"' + '}'.repeat(DEPTH);

const LISTS = new Set<string>(Object.values(LIST_PATHS));

describe('an answer nested 20,000 levels deep', () => {
	const reply = (record: IDataObject, isList: boolean): Answer => {
		const text = JSON.stringify(isList ? envelope(record) : record);
		return { ...json({}), body: text.replace('"DEEP"', () => deepJson) } as Answer;
	};
	const record = (id: string): IDataObject => ({
		...plainCharge(1),
		id,
		source: { token: 'tok-planted-58ab3e0d2f' },
		unknown: 'DEEP',
	});
	const problem = 'nested more than 200 levels deep';

	const isList = (name: keyof typeof OPERATIONS): boolean =>
		OPERATIONS[name].sends(uuid(1)).some(({ path }) => LISTS.has(path));
	const names = OPERATION_NAMES.filter((name) => !/delete|refund/.test(name));
	const run = async (name: keyof typeof OPERATIONS, more: { simplify?: boolean } = {}) => {
		const testCase: OperationCase = OPERATIONS[name];
		const server = await scriptedServer(() => reply(record(uuid(1)), isList(name)));
		const parameters = { ...testCase.parameters, ...more };
		return await runOperation(server, { ...testCase, parameters, items: [{ key: uuid(1) }] });
	};

	it.each(names.filter((name) => !isList(name)))(
		'is an error of %s that names the problem, and passes nothing on',
		async (name) => {
			const result = await run(name);
			expect(result.error?.message).toContain(problem);
			expect(result.error?.description).toContain('Base URL');
			expect(result.items).toEqual([]);
		},
	);

	it.each(names.filter(isList))(
		'leaves of a row of %s what can hold no secret, and says so',
		async (name) => {
			for (const simplify of [true, false]) {
				const { error, json: items, hints } = await run(name, { simplify });
				expect(error).toBeUndefined();
				expect(items).toMatchObject([{ id: uuid(1), created: plainCharge(1)['created'] }]);
				expect(JSON.stringify(items)).not.toContain('planted');
				expect(Object.keys(items[0] ?? {})).not.toContain('note');
				expect(JSON.stringify(hints)).toContain('nested so deep');
			}
		},
	);

	it('names the link that was created all the same, on either way of failing', async () => {
		const id = uuid(1);
		const server = await scriptedServer(() => reply(record(id), false));
		const created = { ...OPERATIONS['link create'], items: [{ key: 'x' }] };
		const stopped = await runOperation(server, created);
		expect(stopped.error?.description).toContain(
			`Done before this error: item 1: link ${id} created.`,
		);
		const { json: output } = await runOperation(server, {
			...created,
			onError: 'continueRegularOutput',
		});
		expect(output).toMatchObject([{ error: expect.stringContaining(problem) as string }]);
		expect(JSON.stringify(output)).toContain(`Done all the same: link ${id} created.`);
	});

	it('is no error of the trigger nor of a list search', async () => {
		const server = await scriptedServer(() => reply(record(uuid(1)), true));
		const poller = createPoller({
			nodeType: new PaymentCollectionTrigger(),
			credentials: credentialsFor(server),
			parameters: { options: { startFrom: 'beginning' } },
		});
		expect((await poller.activate()).json).toMatchObject([{ id: uuid(1) }]);
		expect((await poller.fetchTestEvent()).json).toMatchObject([{ id: uuid(1) }]);
		const { results } = await runListSearch({
			nodeType: new PaymentCollection(),
			credentials: credentialsFor(server),
			parameters: { resource: 'charge', operation: 'refund' },
			method: 'searchCharges',
		});
		expect(results).toMatchObject([{ value: uuid(1) }]);
		expect(JSON.stringify(results)).not.toContain('planted');
	});

	it('is taken up to 200 levels', async () => {
		const nested = (levels: number): IDataObject =>
			JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)) as IDataObject;
		const row = plainCharge(1);
		setPlace(row, 'unknown', nested(199));
		const server = await scriptedServer(() => json(row));
		const parameters = { invoiceId: uuid(1) };
		const taken = await runOperation(server, { ...OPERATIONS['invoice get'], parameters });
		expect(taken.json).toEqual([row]);
		setPlace(row, 'unknown', nested(201));
		const refused = await runOperation(server, { ...OPERATIONS['invoice get'], parameters });
		expect(refused.error?.message).toContain(problem);
	});
});

describe('a value that a parameter was given by mistake', () => {
	const { apiKey, cardNumber } = PLANTED;
	const badly = (value: string): Array<Parameters<typeof runOperation>[1]> => [
		{
			...OPERATIONS['link create'],
			parameters: { ...OPERATIONS['link create'].parameters, currency: value },
		},
		{ ...OPERATIONS['link get'], parameters: { linkId: value } },
		{ ...OPERATIONS['invoice get'], parameters: { invoiceId: `${value}/..` } },
		{ ...OPERATIONS['charge getAll'], parameters: { limit: `={{ ${JSON.stringify(value)} }}` } },
		{
			...OPERATIONS['charge getAll'],
			parameters: { options: { maxConcurrency: `={{ ${JSON.stringify(value)} }}` } },
		},
		{
			...OPERATIONS['charge refund'],
			parameters: {
				...OPERATIONS['charge refund'].parameters,
				amount: value,
				options: { maximumAmount: '1.00' },
			},
		},
		{
			...OPERATIONS['charge refund'],
			parameters: { ...OPERATIONS['charge refund'].parameters, amount: value },
		},
	];

	it.each([
		['the API key', apiKey],
		['the API key in capitals', apiKey.toUpperCase()],
		['the API key in Base64', Buffer.from(apiKey).toString('base64')],
		['a card number', cardNumber],
		['a card number in groups', '4929 4205 7359 5709'],
	])('is in none of the node’s own messages: %s', async (_what, value) => {
		const server = await scriptedServer(() =>
			json(envelope({ id: uuid(1), total: '1.00', currency: 'USD', refund_total: '0.00' })),
		);
		for (const options of badly(value)) {
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				const result = await runOperation(server, {
					...options,
					items: [{ key: uuid(1) }],
					onError,
				});
				const { message, description } = result.error ?? {};
				// On the debug level n8n itself logs a node with its parameters.
				const logs = result.logs.filter(({ level }) => level !== 'debug');
				const shown = JSON.stringify([message, description, result.json, logs]);
				expect(result.error ?? result.json[0]?.['error']).toBeDefined();
				expect(shown).not.toContain(value);
			}
		}
	});

	it('nor is the beginning of a key that is longer than what is shown of a value', async () => {
		const server = await scriptedServer(() => json({}));
		const key = `live-${'k7'.repeat(40)}`;
		const credentials = { ...credentialsFor(server), apiKey: key };
		for (const linkId of [key, `Bearer ${key}`, key.toUpperCase()]) {
			const { error } = await runOperation(server, {
				...OPERATIONS['link get'],
				parameters: { linkId },
				credentials,
			});
			expect(error?.message).toMatch(/^Payment Link ID is ".*\[redacted\]/);
			expect(error?.message.toLowerCase()).not.toContain('k7');
		}
	});

	it.each([apiKey, cardNumber])(
		'as an Idempotency Key is not repeated by its message: %s',
		async (key) => {
			processedData.reset();
			const server = await scriptedServer(({ method }) =>
				json({ id: uuid(1) }, method === 'POST' ? 201 : 200),
			);
			const options = {
				...OPERATIONS['link create'],
				parameters: { ...OPERATIONS['link create'].parameters, options: { idempotencyKey: key } },
				items: [{ key: 'a' }, { key: 'b' }],
			};
			const { error } = await runOperation(server, options);
			expect(error?.message).toBe(
				'Idempotency Key “[redacted]” was used before: nothing was sent for it this time',
			);
		},
	);
});
