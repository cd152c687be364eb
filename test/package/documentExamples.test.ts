import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { OPERATION_NAMES, runOperation } from '../support/operations';
import { processedData } from '../support/processedData';

interface Parameters extends INodeParameters {
	resource: string;
	operation: string;
}

/** The examples of docs/operations.md: blocks of JSON with parameters, and behind each one the output of an item. */
const page = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
const blocks = [...page.matchAll(/^```json\n([^]*?)^```/gm)].map(([, json = '']) => json);
const EXAMPLES = blocks.flatMap((block, index) => {
	if (!block.includes('"operation"')) return [];
	const { resource, operation } = JSON.parse(block) as Parameters;
	return [{ name: `${resource} ${operation}`, block, output: blocks[index + 1] ?? '' }];
});

let sandbox: Sandbox;
beforeAll(async () => {
	processedData.reset();
	sandbox = await startSandbox({
		counts: { charges: 3, customers: 3, links: 3, invoices: 3, checkoutSessions: 3 },
	});
});
afterAll(async () => await sandbox.close());

/** An example with what the sandbox has in the place of what the page names. */
function inSandbox(json: string): Parameters {
	const { store } = sandbox;
	const charge = sandbox.insertCharge({ currency: 'EUR', total: '25.00' });
	const names = {
		'63d8b925-146f-4d8a-9938-192437a33265': charge.id,
		'c7db30cd-a2f5-41e8-9e14-1748de891d26': store.links.at(0)?.link.id,
		'3121116b-a298-451e-a37b-5e893d04f9cc': store.invoices.at(0)?.id,
		'2d682ac5-6c43-4bb7-b11c-147741f53288': store.checkoutSessions.at(0)?.id,
		Prohaska: store.customers.all()[0]?.last_name,
	};
	const text = Object.entries(names).reduce(
		(replaced, [name, own = '']) => replaced.replaceAll(name, own),
		json,
	);
	return JSON.parse(text) as Parameters;
}

describe('the examples of docs/operations.md', () => {
	it.each(EXAMPLES)('$name gives the fields that are shown', async ({ name, block, output }) => {
		const { resource, operation, ...parameters } = inSandbox(block);
		const { error, json } = await runOperation(sandbox, {
			resource,
			operation,
			parameters,
			credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		});
		expect(error).toBeUndefined();
		const [given = {}] = json;
		const shown = JSON.parse(output) as IDataObject;
		for (const [field, value] of Object.entries(shown)) {
			expect([field, typeof given[field]]).toEqual([field, typeof value]);
		}
		if (name === 'charge refund')
			expect({ ...given, charge_id: shown['charge_id'] }).toEqual(shown);
	});

	it('are there for every operation but those that differ in nothing else', () => {
		const shown = EXAMPLES.map(({ name }) => name);
		const missing = OPERATION_NAMES.filter((name) => !shown.includes(name));
		expect(missing.sort()).toEqual(['charge get', 'customer get', 'link get']);
	});
});
