/**
 * Writes the output schemas from which n8n's editor shows what an operation gives before it has run. They follow from
 * the contract, so they are made by the build and are not tracked.
 */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { zodToJsonSchema } from 'zod-to-json-schema';

import generateCurrencies from './currencies.mjs';
import { compile } from '../compile/compile.mjs';
import { syncFolder } from '../lib/folders.mjs';
import { isProgram, main } from '../lib/program.mjs';
import { ROOT } from '../lib/project.mjs';

/** Where n8n looks for them: beside the node file, by the node's version. */
const FOLDER = 'nodes/PaymentCollection/__schema__/v1.0.0';

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

/**
 * What each operation gives, as zod schemas.
 *
 * @param {(name: string) => any} contract gives a module of contract/schemas
 * @returns {Record<string, any>}
 */
function outputSchemas(contract) {
	const { chargeEventItemSchema, deletedLinkSchema, refundResultSchema, simplifiedSchemas } =
		contract('outputs');
	// Simplify is on unless the user turns it off.
	const { charge, checkoutSession, customer, invoice, link } = simplifiedSchemas;
	return {
		'charge/get': charge,
		'charge/getAll': charge,
		'charge/getEvents': chargeEventItemSchema,
		'charge/refund': refundResultSchema,
		'checkoutSession/get': checkoutSession,
		'customer/get': customer,
		'customer/getAll': customer,
		'invoice/get': invoice,
		'link/create': link,
		'link/delete': deletedLinkSchema,
		'link/get': link,
		'link/update': link,
	};
}

/** @param {Record<string, any>} schemas of zod @returns {[name: string, schema: object][]} */
const previews = (schemas) =>
	Object.entries(schemas).map(([name, schema]) => [
		name,
		{ ...preview(zodToJsonSchema(schema, { $refStrategy: 'none' })), version: 1 },
	]);

/** @param {string} folder of compiled code @returns {[name: string, schema: object][]} */
const previewsIn = (folder) => {
	const require = createRequire(import.meta.url);
	return previews(outputSchemas((name) => require(join(folder, 'contract', 'schemas', name))));
};

/** Reads the compiled contract in build/, so that must be there. */
export async function generateOutputSchemas() {
	const files = new Map(
		previewsIn(join(ROOT, 'build')).map(([name, schema]) => [
			`${name}.json`,
			Buffer.from(`${JSON.stringify(schema, null, '\t')}\n`),
		]),
	);
	return await syncFolder(join(ROOT, FOLDER), files);
}

/** `node scripts/generate/outputSchemas.mjs` prints them, from the sources as they are, for the tests. */
if (isProgram(import.meta.url)) {
	await main(async () => {
		await generateCurrencies();
		const folder = join(ROOT, 'node_modules', '.cache', 'outputSchemas');
		await syncFolder(folder, await compile('contract'));
		console.log(JSON.stringify(Object.fromEntries(previewsIn(folder))));
	});
}
