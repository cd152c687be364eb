import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';

const FOLDER = join(__dirname, '../../examples');
const PREFIX = 'n8n-nodes-payment-collection.';
/** Parameters that n8n adds to a node itself: its Request Options, and when a trigger polls. */
const OF_N8N = ['requestOptions', 'pollTimes'];

const { description: action } = new PaymentCollection();
const { description: trigger } = new PaymentCollectionTrigger();
/** Of the tool, n8n's editor shows what it shows of the node, but for fields of one of them alone. */
const DESCRIPTIONS = [action, { ...action, name: `${action.name}Tool` }, trigger];

interface Saved {
	title: string;
	node: INode;
	description: INodeTypeDescription;
}

const SAVED: Saved[] = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.flatMap((file) => {
		const { nodes } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { nodes: INode[] };
		return nodes
			.filter(({ type }) => type.startsWith(PREFIX))
			.map((node) => {
				const description = DESCRIPTIONS.find(({ name }) => PREFIX + name === node.type);
				if (description === undefined) throw new Error(`${file}: there is no ${node.type}`);
				return { title: `${file}: ${node.name}`, node, description };
			});
	});

type Values = Record<string, unknown>;

/** What n8n would take for the value of a field that the workflow does not name. */
const withDefaults = (fields: INodeProperties[], values: Values): INodeParameters =>
	Object.fromEntries([
		...fields.map((field) => [field.name, field.default]),
		...Object.entries(values),
	]) as INodeParameters;

/** Whatever of the saved values the editor would not let a person enter. */
function faultsOf({ node, description }: Saved): string[] {
	const root = withDefaults(description.properties, node.parameters);

	function inFields(fields: INodeProperties[], values: Values, path: string): string[] {
		const siblings = withDefaults(fields, values);
		return Object.entries(values).flatMap(([name, value]) => {
			const named = fields.filter((field) => field.name === name);
			if (named.length === 0) return [`${path}${name}: no such parameter`];
			const shown = named.find((field) =>
				NodeHelpers.displayParameter(siblings, field, node, description, root),
			);
			if (shown === undefined) return [`${path}${name}: not shown here`];
			return inField(shown, value, `${path}${name}`);
		});
	}

	function inField(field: INodeProperties, value: unknown, path: string): string[] {
		const { type, options = [], modes = [] } = field;
		if (typeof value === 'string' && value.startsWith('=')) return [];
		if (type === 'collection')
			return inFields(options as INodeProperties[], value as Values, `${path}.`);
		if (type === 'fixedCollection')
			return Object.entries(value as Values).flatMap(([name, entries]) => {
				const group = options.find((option) => option.name === name);
				if (group === undefined || !('values' in group)) return [`${path}.${name}: no such group`];
				return [entries]
					.flat()
					.flatMap((entry) => inFields(group.values, entry as Values, `${path}.${name}.`));
			});
		const allowed =
			type === 'resourceLocator'
				? modes.map(({ name }) => name)
				: options.flatMap((option) => ('value' in option ? [option.value] : []));
		const chosen = type === 'resourceLocator' ? [(value as Values)['mode']] : [value].flat();
		if (allowed.length > 0)
			return chosen
				.filter((one) => !allowed.some((choice) => choice === one))
				.map((one) => `${path}: no choice "${String(one)}"`);
		return typeof value === typeof field.default ? [] : [`${path}: a ${typeof value}`];
	}

	const own = Object.entries(node.parameters).filter(([name]) => !OF_N8N.includes(name));
	return inFields(description.properties, Object.fromEntries(own), '');
}

describe('the examples', () => {
	it.each(SAVED)('$title has only parameters and choices that the node has', (saved) => {
		expect(faultsOf(saved)).toEqual([]);
	});

	it.each(SAVED)('$title lacks nothing that is required', ({ node, description }) => {
		const parameters = NodeHelpers.getNodeParameters(
			description.properties,
			node.parameters,
			true,
			false,
			node,
			description,
		);
		const issues = NodeHelpers.getNodeParametersIssues(
			description.properties,
			{ ...node, parameters: parameters ?? {} },
			description,
		);
		expect(issues).toBeNull();
	});
});
