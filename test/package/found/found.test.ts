import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import codex from '../../../nodes/PaymentCollection/PaymentCollection.node.json';
import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import SEARCHES from './searches.json';

/**
 * What people type into the editor's search for nodes, and what they then find, by the editor's own search
 * (`@n8n/utils`). It knows a node by its display name and its aliases, and an action by its name. How the node ranks
 * among all nodes of a real n8n is tried in test/e2e/found.test.mjs.
 */

const { description } = new PaymentCollection();
const trigger = new PaymentCollectionTrigger().description;

const item = (displayName: string, alias: string[] = []) => ({
	properties: { displayName, codex: { alias } },
});
const nodeItem = item(description.displayName, codex.alias);

const optionsOf = ({ properties }: INodeTypeDescription, name: string): INodePropertyOptions[] =>
	properties
		.filter((property) => property.name === name)
		.flatMap(({ options = [] }: INodeProperties) => options as INodePropertyOptions[]);

/** As the editor makes them: it shows the trigger's events among the actions of the node of the same name. */
const ACTIONS = [
	...optionsOf(description, 'operation').map(({ action }) => String(action)),
	...optionsOf(trigger, 'events').map(({ name }) => `On ${name.toLowerCase()}`),
];

/** The editor drops a last word that may become "trigger". */
const asSearched = (typed: string): string => typed.replace(/ t(r(i(g(g(er?)?)?)?)?)?$/, '');

describe('whoever types', () => {
	it.each(SEARCHES.map(({ typed }) => typed))('“%s” finds the node', (typed) => {
		const searched = asSearched(typed);
		const [found] = sublimeSearch(searched, [nodeItem]);
		// The search gives 60 points for each letter after the one before it, and takes points away for what is between.
		expect(found?.score).toBeGreaterThan(55 * searched.length);
	});

	it.each(
		SEARCHES.flatMap(({ typed, action }) => (action === null ? [] : [[typed, action] as const])),
	)('“%s” among the node’s actions finds “%s” among the first three', (typed, action) => {
		const found = sublimeSearch(
			asSearched(typed),
			ACTIONS.map((name) => item(name)),
		);
		expect(found.slice(0, 3).map((one) => one.item.properties.displayName)).toContain(action);
	});
});

it('the names of actions are in sentence case, name their object and have no articles', () => {
	for (const action of ACTIONS) {
		expect(action).toMatch(/^[A-Z][a-z]+( [a-z]+)+$/);
		expect(action).not.toMatch(/ (a|an|the) /);
	}
	expect(new Set(ACTIONS).size).toBe(ACTIONS.length);
});

it('no alias stands there twice', () => {
	expect(new Set(codex.alias).size).toBe(codex.alias.length);
});
