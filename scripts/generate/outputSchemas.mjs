/**
 * Writes the output schemas from which n8n's editor shows what an operation returns before it has run. They follow from
 * the contract and the operations, so they are made by the build and are not tracked.
 */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { zodToJsonSchema } from 'zod-to-json-schema';

import { bundle } from '../compile/bundle.mjs';
import { syncFolder } from '../lib/folders.mjs';
import { isProgram, main } from '../lib/program.mjs';
import { ROOT } from '../lib/project.mjs';
import { compiledContract } from './records.mjs';
import generateSources from './sources.mjs';

/** Where n8n looks for them: beside the node file, by the node's version. */
const FOLDER = 'nodes/PaymentCollection/__schema__/v1.0.0';
const OPERATIONS = join(ROOT, 'node_modules', '.cache', 'operations');
const NO_REFERENCES = /** @type {const} */ ({ $refStrategy: 'none' });

/**
 * n8n's preview knows types, properties and items, and nothing else of JSON Schema.
 *
 * @param {any} schema
 * @returns {object}
 */
function preview(schema) {
	const { properties, items } = schema;
	const type = [schema.type ?? schema.anyOf?.map((/** @type {any} */ one) => one.type) ?? 'object']
		.flat(2)
		.find((name) => name !== 'null');
	return {
		type,
		...(properties && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([name, property]) => [name, preview(property)]),
			),
		}),
		...(items && { items: preview(items) }),
	};
}

/** @param {string} folder of the compiled contract @returns {Promise<[name: string, schema: object][]>} of all operations */
async function previews(folder) {
	const require = createRequire(import.meta.url);
	const { OUTPUTS } = require(join(folder, 'contract', 'schemas', 'records'));
	const { output } = await bundle(['nodes/PaymentCollection/resources/index.ts']);
	await syncFolder(OPERATIONS, output);
	const { RESOURCES } = require(join(OPERATIONS, 'nodes/PaymentCollection/resources/index.js'));
	return RESOURCES.flatMap(({ value, operations }) =>
		Object.entries(operations).map(([operation, definition]) => [
			`${value}/${operation}`,
			{ ...preview(zodToJsonSchema(OUTPUTS[definition.output.name], NO_REFERENCES)), version: 1 },
		]),
	);
}

export async function generateOutputSchemas() {
	const all = await previews(await compiledContract());
	const files = new Map(
		all.map(([name, schema]) => [`${name}.json`, `${JSON.stringify(schema, null, '\t')}\n`]),
	);
	return await syncFolder(join(ROOT, FOLDER), files);
}

/** `node scripts/generate/outputSchemas.mjs` prints them, from the sources as they are, for the tests. */
if (isProgram(import.meta.url)) {
	await main(async () => {
		await generateSources();
		console.log(JSON.stringify(Object.fromEntries(await previews(await compiledContract()))));
	});
}
