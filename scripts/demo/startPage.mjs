import { markup, table } from '../lib/sandbox.mjs';

/** @import { DemoWorkflow } from '../n8n-server/demo.mjs' */

/** The first two sentences of the note below its heading, without its marks. @param {DemoWorkflow} workflow */
function purposeOf({ nodes }) {
	const [note] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
	const [, text = ''] = `${note?.parameters['content']}`.split('\n');
	const plain = text.replace(/\[(.*?)\]\(.*?\)/g, '$1').replace(/[*`]/g, '');
	return plain.replace(/(\. .*?\.) .*/, '$1');
}

/**
 * The page of all that the demo has, for someone who sees it for the first time.
 *
 * @param {object} demo
 * @param {string} demo.n8n
 * @param {{ email: string, password: string }} demo.owner
 * @param {{ user: string, password: string }} demo.user
 * @param {{ name: string, value: string }} demo.header
 * @param {DemoWorkflow[]} demo.workflows
 * @param {{ mailbox: string, sandbox: string }} demo.pages
 * @returns {import('../../sandbox/html.js').Page}
 */
export function startPageOf({ n8n, owner, user, header, workflows, pages }) {
	const link = (/** @type {string} */ url, /** @type {string} */ text) =>
		markup`<a href="${url}" target="_blank">${text}</a>`;
	const forms = workflows.flatMap(({ active, name, nodes }) => {
		const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
		const { path } = /** @type {{ path?: string }} */ (form?.parameters['options'] ?? {});
		return active && path ? [markup`<li>Form: ${link(`${n8n}/form/${path}`, name)}</li>`] : [];
	});
	const tables = workflows
		.flatMap((workflow) => (workflow.active ? workflow.tables : []))
		.map(({ id, projectId, name }) => link(`${n8n}/projects/${projectId}/datatables/${id}`, name))
		.map((one) => markup`<li>Table: ${one}</li>`);
	return {
		title: 'Payment Collection demo',
		body: markup`<p>A real n8n with this package, and a payment service with made-up data. All of it runs on this machine.</p>
<h2>Sign in to n8n</h2>
<p>${link(`${n8n}/home/workflows`, 'Open n8n')}. Email <code>${owner.email}</code>, password <code>${owner.password}</code></p>
<h2>Try</h2>
<ul>${forms}${tables}
<li>${link(`${n8n}/webhook/payment-ledger`, 'Ledger')}: compares the database with the service. It fills every minute.</li>
<li>${link(pages.mailbox, 'Mailbox')}: emails that n8n sends, which go nowhere else.</li>
<li>${link(pages.sandbox, 'Sandbox')}: data of the payment service, payment pages of links, and requests.</li></ul>
<p>For the ledger, and to decide about a request by its link in the table refund_requests: user <code>${user.user}</code>, password <code>${user.password}</code></p>
<p>The orders of a shop go to <code>${n8n}/webhook/order-to-payment-link</code>, with the header <code>${header.name}: ${header.value}</code></p>
<h2>Example workflows</h2>
<p>Those with a button to execute ran once: see Executions, at the top of each. In the chat of an agent, ask “What was paid last?” or “Refund 5 of the last charge”. In the place of a model, a stand-in without intelligence understands these: choose your own in OpenAI Chat Model.</p>
${table(
	['Open in n8n', 'Purpose'],
	workflows.map((workflow) => [
		link(`${n8n}/workflow/${workflow.id}`, workflow.name),
		purposeOf(workflow),
	]),
)}`,
	};
}
