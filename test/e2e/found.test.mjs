import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { sublimeSearch } from '@n8n/utils/search/sublime-search';

import { connect } from './support/session.mjs';

/**
 * Among all nodes of a real n8n, by the editor's own search: whoever types these words sees our node among the first
 * three. The words that don't get it there have their place beside them: n8n's own nodes bear the word in their names,
 * which count for more than an alias.
 */

/** @type {Array<{ typed: string, place?: number }>} */
const SEARCHES = JSON.parse(
	await readFile(new URL('../package/found/searches.json', import.meta.url), 'utf8'),
);

const NODE = 'n8n-nodes-payment-collection.paymentCollection';

/** What the editor adds to the score of a node that everybody uses. Here every other node is that popular. */
const MOST_POPULAR = 100;

const { n8n } = connect();
const nodeTypes = await n8n.nodeTypes();

/** The editor shows a trigger with the node of the same name, and no parts of agents outside of an agent. */
const items = [...new Map(nodeTypes.map((nodeType) => [nodeType.name, nodeType])).values()].flatMap(
	({ name, displayName, group, hidden, codex }) => {
		const isPart =
			codex?.categories?.includes('AI') && !codex.subcategories?.['AI']?.includes('Root Nodes');
		const isWithOther =
			group.includes('trigger') &&
			nodeTypes.some((other) => other.name === name.replace('Trigger', '') && other.name !== name);
		if (hidden || isPart || isWithOther) return [];
		return [{ key: name, properties: { displayName, codex } }];
	},
);

for (const { typed, place = 3 } of SEARCHES) {
	test(`“${typed}” finds the node`, () => {
		const found = sublimeSearch(typed.replace(/ trigger$/, ''), items)
			.map(({ score, item }) => ({
				...item,
				score: score + (item.key === NODE ? 0 : MOST_POPULAR),
			}))
			.sort((one, other) => other.score - one.score)
			.map(({ key }) => key);
		assert.ok(found.slice(0, place).includes(NODE), `before it: ${found.slice(0, 5).join(', ')}`);
	});
}
