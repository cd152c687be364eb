/**
 * Makes the output schemas from which n8n's editor shows what an operation returns before it has run. They follow from
 * the contract and the operations. `node scripts/generate/outputSchemas.mjs` prints them, for the tests.
 */

import { zodToJsonSchema } from 'zod-to-json-schema';

import { isProgram, main } from '../lib/program.mjs';
import { importTypeScript } from '../lib/typescript.mjs';
import generateSources from './sources.mjs';

/**
 * Keeps only types, properties and items: n8n's preview knows nothing else of JSON Schema.
 *
 * @param {any} schema
 * @returns {object}
 */
function preview({ type, anyOf, properties, items }) {
	const types = [type ?? anyOf?.map((/** @type {any} */ one) => one.type) ?? 'object'].flat(2);
	return {
		type: types.find((name) => name !== 'null'),
		...(properties && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([name, property]) => [name, preview(property)]),
			),
		}),
		...(items && { items: preview(items) }),
	};
}

/** @returns {Promise<Record<string, object>>} a schema for each operation, such as "charge/get" */
export async function outputSchemas() {
	await generateSources();
	const { OUTPUTS } = await importTypeScript('contract/schemas/records.ts');
	const { RESOURCES } = await importTypeScript('nodes/PaymentCollection/resources/index.ts');
	const all = RESOURCES.flatMap(({ value, operations }) =>
		Object.entries(operations).map(([operation, { output }]) => {
			const schema = zodToJsonSchema(OUTPUTS[output.name], { $refStrategy: 'none' });
			return [`${value}/${operation}`, { ...preview(schema), version: 1 }];
		}),
	);
	return Object.fromEntries(all);
}

if (isProgram(import.meta.url))
	await main(async () => console.log(JSON.stringify(await outputSchemas())));
