const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const page = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
const blocks = Array.from(page.matchAll(/^```json\n([^]*?)^```/gm), ([, json = '']) => json);

/** @typedef {import('n8n-workflow').INodeParameters & { resource: string, operation: string }} Parameters */

/** The examples of docs/operations.md: blocks of JSON with parameters, each followed by the output of an item. */
const EXAMPLES = blocks.flatMap((block, index) => {
	if (!block.includes('"operation"')) return [];
	/** @type {Parameters} */
	const { resource, operation } = JSON.parse(block);
	/** @type {Record<string, unknown>} */
	const output = JSON.parse(blocks[index + 1] ?? '');
	return [{ name: `${resource} ${operation}`, block, output }];
});

/**
 * Parameters of an example, with the IDs and names of the page replaced by those of the sandbox.
 *
 * @param {string} block
 * @param {import('../../sandbox/index.js').Sandbox} sandbox
 * @returns {Parameters}
 */
function parametersIn(block, sandbox) {
	const { store } = sandbox;
	const charge = sandbox.insertCharge({ currency: 'EUR', total: '25.00' });
	const names = {
		'63d8b925-146f-4d8a-9938-192437a33265': charge.id,
		'c7db30cd-a2f5-41e8-9e14-1748de891d26': store.links.at(0)?.link.id,
		'3121116b-a298-451e-a37b-5e893d04f9cc': store.invoices.at(0)?.id,
		'2d682ac5-6c43-4bb7-b11c-147741f53288': store.checkoutSessions.at(0)?.id,
		Prohaska: store.customers.at(0)?.last_name,
	};
	const text = Object.entries(names).reduce(
		(replaced, [name, own = '']) => replaced.replaceAll(name, own),
		block,
	);
	return JSON.parse(text);
}

/**
 * Types of the fields that an example's output shows.
 *
 * @param {Record<string, unknown>} shown
 * @param {Record<string, unknown>} [record] that has these fields
 */
const typesOf = (shown, record = shown) =>
	Object.fromEntries(Object.keys(shown).map((field) => [field, typeof record[field]]));

module.exports = { EXAMPLES, parametersIn, typesOf };
