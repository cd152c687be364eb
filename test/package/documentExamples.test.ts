import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { OPERATION_NAMES, runOperation } from '../support/operations';
import '../support/processedData';
import { EXAMPLES, parametersIn, typesOf } from '../support/pageExamples.cjs';
import { sandbox, useSandbox } from '../support/sandbox';
import { ROOT } from './project';

/** Output fields that n8n's editor shows before an operation has run. */
interface Preview {
	type: string;
	properties?: Record<string, Preview>;
	items?: Preview;
}

const { stdout, stderr } = spawnSync(
	process.execPath,
	[join(ROOT, 'scripts/generate/outputSchemas.mjs')],
	{ encoding: 'utf8' },
);
const PREVIEWS = JSON.parse(stdout || JSON.stringify(stderr)) as Record<string, Preview>;

/** Fields of a simplified record, as n8n's guidelines for nodes ask. */
const MOST_FIELDS = 10;

useSandbox({
	counts: { charges: 3, customers: 3, links: 3, invoices: 3, checkoutSessions: 3 },
});

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** Lists how an output differs from its preview. Null can stand for any type. */
function differences(value: unknown, preview: Preview, path = ''): string[] {
	if (value === null) return [];
	const { type, properties, items } = preview;
	const isWhole = type === 'integer' && Number.isInteger(value);
	if (typeOf(value) !== type && !isWhole) return [`${path} is ${typeOf(value)}, not ${type}`];
	if (Array.isArray(value)) {
		return items === undefined
			? []
			: value.flatMap((one, index) => differences(one, items, `${path}[${index}]`));
	}
	if (properties === undefined) return [];
	const record = value as Record<string, unknown>;
	return [
		...Object.keys(record)
			.filter((name) => !(name in properties))
			.map((name) => `${path}.${name} is not shown`),
		...Object.entries(properties).flatMap(([name, one]) =>
			name in record ? differences(record[name], one, `${path}.${name}`) : [],
		),
	];
}

describe('the examples of docs/operations.md', () => {
	it.each(EXAMPLES)('$name returns the documented fields', async ({ name, block, output }) => {
		const { resource, operation, ...parameters } = parametersIn(block, sandbox);
		const { error, json } = await runOperation(sandbox, { resource, operation, parameters });
		expect(error).toBeUndefined();
		const [given = {}] = json;
		expect(typesOf(output, given)).toEqual(typesOf(output));
		const { charge_id, payer_name } = output;
		if (name === 'charge refund') expect({ ...given, charge_id, payer_name }).toEqual(output);
		if (parameters['simplify'] === false) return;
		const preview = PREVIEWS[`${resource}/${operation}`] ?? { type: 'missing' };
		expect(json.flatMap((one) => differences(one, preview))).toEqual([]);
		const fields = Object.keys(preview.properties ?? {});
		for (const one of json)
			expect(Object.keys(one)).toEqual(
				fields.filter((field) => field !== 'refunded_amount' || one['event'] === 'charge.refunded'),
			);
	});

	it('exist for every operation that differs from the others', () => {
		const shown = EXAMPLES.map(({ name }) => name);
		const missing = OPERATION_NAMES.filter((name) => !shown.includes(name));
		expect(missing.sort()).toEqual(['charge get', 'customer get', 'link get']);
		const previewOf = (operation: string) => PREVIEWS[operation];
		expect(previewOf('charge/get')).toEqual(previewOf('charge/getAll'));
		expect(previewOf('customer/get')).toEqual(previewOf('customer/getAll'));
		expect(previewOf('link/get')).toEqual(previewOf('link/create'));
	});

	it('have a preview of at most ten fields for every operation', () => {
		const operations = Object.keys(PREVIEWS).map((name) => name.replace('/', ' '));
		expect(operations.sort()).toEqual([...OPERATION_NAMES].sort());
		for (const [name, { properties = {} }] of Object.entries(PREVIEWS)) {
			const fields = Object.keys(properties).filter(
				(field) => !/^(event(_id)?|refunded_amount)$/.test(field),
			);
			expect([name, fields.length <= MOST_FIELDS]).toEqual([name, true]);
		}
	});
});
