import { MANUAL_TRIGGER, NODE_TYPE, nodeOf } from './workflows.mjs';

/** @typedef {import('../../../../scripts/n8n-server/client/types.mjs').NodeType} NodeType */
/** @typedef {import('../../../../scripts/n8n-server/client/types.mjs').WorkflowNode} WorkflowNode */
/** @typedef {import('../../../../scripts/n8n-server/client/types.mjs').CredentialReference} CredentialReference */
/** @typedef {{ label: string, nodes: Omit<WorkflowNode, 'position'>[] }} Group the operations of a resource */

/** Where things stand on the canvas, in its pixels. */
const NODE_SIZE = 96;
const COLUMN_WIDTH = 240;
const ROW_HEIGHT = 240;
const NOTE_HEIGHT = 220;
const FIRST_COLUMN = 320;
/** Within a note, from its top to its nodes, and from its sides to the names below them. */
const TO_NODES = 60;
const TO_NAMES = (COLUMN_WIDTH - NODE_SIZE) / 2;
/** Of n8n's colours for notes, the one that is quiet in light and in dark. */
const GREY = 7;

/**
 * Makes a workflow of all operations: a row for each resource, in a note that names it.
 *
 * @param {import('../../../../scripts/n8n-server/client/index.mjs').N8nClient} n8n
 * @param {CredentialReference} credential
 * @returns {Promise<{ id: string, names: string[] }>} of the workflow and of its nodes
 */
export async function createCatalogue(n8n, credential) {
	const groups = groupsOf(await n8n.nodeTypes(), credential);
	const start = {
		...MANUAL_TRIGGER,
		position: [0, TO_NODES + (ROW_HEIGHT * (groups.length - 1)) / 2],
	};
	const { id } = await n8n.createWorkflow({
		name: 'Every operation',
		nodes: [
			start,
			...groups.flatMap((group, row) => [noteAround(group, row), ...placed(group, row)]),
		],
		connections: Object.fromEntries([
			[start.name, to(groups.flatMap(({ nodes }) => nodes.slice(0, 1)))],
			// One after the other, so that no line runs behind a node.
			...groups.flatMap(({ nodes }) =>
				nodes.slice(1).map((node, index) => [nodes[index]?.name, to([node])]),
			),
		]),
	});
	return { id, names: groups.flatMap(({ nodes }) => nodes.map(({ name }) => name)) };
}

/**
 * @param {NodeType[]} nodeTypes
 * @param {CredentialReference} credential
 * @returns {Group[]}
 */
function groupsOf(nodeTypes, credential) {
	const { properties = [] } = nodeTypes.find(({ name }) => name === NODE_TYPE) ?? {};
	const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
	return resources.flatMap(({ name: label, value: resource }) => {
		const nodes = properties
			.filter(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show.resource.includes(resource),
			)
			.flatMap(({ options = [] }) => options)
			// n8n adds a choice that has no action, for a request by hand.
			.flatMap(({ value: operation, action }) =>
				action === undefined ? [] : nodeOf(action, { resource, operation }, credential),
			);
		return nodes.length === 0 ? [] : { label, nodes };
	});
}

/**
 * @param {Group} group
 * @param {number} row
 * @returns {WorkflowNode}
 */
const noteAround = ({ label, nodes }, row) => ({
	name: label,
	type: 'n8n-nodes-base.stickyNote',
	typeVersion: 1,
	position: [FIRST_COLUMN - TO_NAMES, row * ROW_HEIGHT],
	parameters: {
		content: `## ${label}`,
		width: nodes.length * COLUMN_WIDTH,
		height: NOTE_HEIGHT,
		color: GREY,
	},
});

/**
 * @param {Group} group
 * @param {number} row
 * @returns {WorkflowNode[]}
 */
const placed = ({ nodes }, row) =>
	nodes.map((node, column) => ({
		...node,
		position: [FIRST_COLUMN + column * COLUMN_WIDTH, row * ROW_HEIGHT + TO_NODES],
	}));

const to = (/** @type {{ name: string }[]} */ nodes) => ({
	main: [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))],
});
