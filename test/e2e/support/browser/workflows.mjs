/** @typedef {import('../../../../scripts/n8n-server/client/types.mjs').WorkflowNode} WorkflowNode */
/** @typedef {import('../../../../scripts/n8n-server/client/types.mjs').CredentialReference} CredentialReference */

export const NODE_TYPE = 'n8n-nodes-payment-collection.paymentCollection';
/** What starts every workflow of these. */
export const MANUAL_TRIGGER = {
	name: 'When clicking ‘Execute workflow’',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};
/** Its name. */
export const TRIGGER = MANUAL_TRIGGER.name;
const ROWS = 4;

/** Of the service, see docs/service.md. */
const LONGEST_TITLE = 50;

/** What a link needs, to spoil one field of. */
export const LINK = {
	resource: 'link',
	operation: 'create',
	currency: 'EUR',
	items: { item: [{ name: 'Ticket', amount: '10', quantity: 1 }] },
};

/** Parameters with something wrong in one field, and what the error must say. */
export const FAULTS = [
	{
		name: 'an amount with a comma',
		parameters: { ...LINK, items: { item: [{ name: 'Ticket', amount: '12,50', quantity: 1 }] } },
		says: /Amount is .*12,50.*decimal number such as 12\.50/,
	},
	{
		name: 'a currency of four letters',
		parameters: { ...LINK, currency: '={{ "EURO" }}' },
		says: /Currency is .*EURO.*length 4.*such as USD.*Nothing was sent/,
	},
	{
		name: 'a date in the past',
		parameters: { ...LINK, expiry: 'onDate', expiryDate: '2020-01-31' },
		says: /Expiry Date is .*2020-01-31.*in the future/,
	},
	{
		name: 'an address without a scheme',
		parameters: { ...LINK, additionalFields: { successUrl: 'shop.example.com' } },
		says: /Success URL is .*shop\.example\.com.*begins with http/,
	},
	{
		name: 'a title that is too long',
		parameters: { ...LINK, additionalFields: { title: 'x'.repeat(LONGEST_TITLE + 1) } },
		says: /Title is 51 characters long: the limit is 50/,
	},
	{
		name: 'an ID that is no UUID',
		parameters: { resource: 'invoice', operation: 'get', invoiceId: '12345' },
		says: /Invoice ID is .*12345.*must be a UUID/,
	},
];

/**
 * @param {string} name
 * @param {Record<string, unknown>} parameters
 * @param {CredentialReference} credential
 * @returns {Omit<WorkflowNode, 'position'>} a node of ours
 */
export function nodeOf(name, parameters, credential) {
	const credentials = { paymentCollectionApi: credential };
	return { name, type: NODE_TYPE, typeVersion: 1, parameters, credentials };
}

/**
 * @param {import('../../../../scripts/n8n-server/client/index.mjs').N8nClient} n8n
 * @param {string} name
 * @param {Omit<WorkflowNode, 'position'>[]} nodes each is run by the same trigger
 * @returns {Promise<string>} its id
 */
export async function createWorkflowOf(n8n, name, nodes) {
	const placed = nodes.map((node, index) => ({
		...node,
		position: [300 + 280 * Math.floor(index / ROWS), 220 * (index % ROWS)],
	}));
	const { id } = await n8n.createWorkflow({
		name,
		nodes: [{ ...MANUAL_TRIGGER, position: [0, 0] }, ...placed],
		connections: {
			[TRIGGER]: { main: [nodes.map((node) => ({ node: node.name, type: 'main', index: 0 }))] },
		},
	});
	return id;
}
