import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { UserError } from '../lib/program.mjs';
import { PACKAGE_NAME, ROOT } from '../lib/project.mjs';
import { N8nError } from './client/index.mjs';

/**
 * @import { N8nClient } from './client/index.mjs'
 * @import { CredentialContent, CredentialReference, DataTable, DataTableDraft, Owner, SavedWorkflow, Workflow } from './client/types.mjs'
 * @typedef {Pick<SavedWorkflow, 'id' | 'name' | 'active' | 'nodes'> & { tables: DataTable[] }} DemoWorkflow
 */

export const CREDENTIAL_TYPE = 'paymentCollectionApi';

const EXAMPLES = join(ROOT, 'examples');

/** The example that keeps a ledger, and its triggers that make the tables and compare all with the service. */
const LEDGER = 'accounting-ledger.json';
const LEDGER_BEGINNING = ['When clicking ‘Execute workflow’', 'Every night'];

/** @returns {Promise<{ file: string, workflow: Workflow & { id: string } }[]>} sorted by name */
export async function readExamples() {
	const files = (await readdir(EXAMPLES)).filter((name) => name.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => ({
			file,
			workflow: JSON.parse(await readFile(join(EXAMPLES, file), 'utf8')),
		})),
	);
}

/**
 * @param {CredentialReference[]} credentials
 * @returns {Record<string, Pick<CredentialReference, 'id' | 'name'>>} as a node names its credentials
 */
export const byType = (credentials) =>
	Object.fromEntries(credentials.map(({ type, id, name }) => [type, { id, name }]));

/**
 * @template {Pick<Workflow, 'nodes'>} W
 * @param {W} workflow
 * @param {CredentialReference[]} credentials
 * @returns {W} the workflow with the given credentials in every node that names one of their types
 */
export function withCredentials(workflow, credentials) {
	const chosen = byType(credentials);
	const nodes = workflow.nodes.map((node) => {
		const own = Object.entries(node.credentials ?? {});
		const credentials = own.map(([type, present]) => [type, chosen[type] ?? present]);
		return { ...node, credentials: Object.fromEntries(credentials) };
	});
	return { ...workflow, nodes };
}

/** Finds the trigger by which the demo runs a workflow once. @param {Pick<Workflow, 'nodes'>} workflow */
export const manualTriggerOf = ({ nodes }) =>
	nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');

/** Triggers that work in published workflows alone. */
const PUBLISHED_TYPES = [
	`${PACKAGE_NAME}.paymentCollectionTrigger`,
	'n8n-nodes-base.webhook',
	'n8n-nodes-base.formTrigger',
	// n8n calls a part of a workflow, such as an agent's tool, only if it is published.
	'n8n-nodes-base.executeWorkflowTrigger',
];

/** @param {Pick<Workflow, 'nodes'>} workflow */
const startsByItself = ({ nodes }) => nodes.some(({ type }) => PUBLISHED_TYPES.includes(type));

/**
 * @param {Pick<Workflow, 'nodes'>} workflow
 * @returns {DataTableDraft[]} the data tables that nodes of the workflow create when a user runs them
 */
function dataTablesOf({ nodes }) {
	return nodes
		.filter(
			({ type, parameters: { resource, operation } }) =>
				type === 'n8n-nodes-base.dataTable' && resource === 'table' && operation === 'create',
		)
		.map(({ parameters }) => {
			const { tableName, columns } =
				/** @type {{ tableName: string, columns: { column: DataTableDraft['columns'] } }} */ (
					parameters
				);
			return { name: tableName, columns: columns.column };
		});
}

/** @param {string} userFolder */
const ownerFileOf = (userFolder) => join(userFolder, 'owner.json');

/**
 * Makes a folder the demo's own, and saves the owner's password in it before n8n does anything: without that file, nobody
 * could log in.
 *
 * @param {string} userFolder
 * @param {{ reset?: boolean }} [options] reset: throws away the demo that it holds
 */
export async function claimUserFolder(userFolder, { reset = false } = {}) {
	await mkdir(userFolder, { recursive: true });
	const isOurs = existsSync(ownerFileOf(userFolder));
	if (!isOurs && (await readdir(userFolder)).length > 0)
		throw new UserError(
			`${userFolder} holds what is not this demo's. Choose another --user-folder.`,
		);
	if (isOurs && !reset) return;
	if (isOurs) await rm(join(userFolder, '.n8n'), { recursive: true, force: true });
	/** @type {Owner} */
	const owner = {
		email: 'demo@example.com',
		// n8n asks for a capital letter and a digit.
		password: `${randomBytes(9).toString('base64url')}-A1`,
		firstName: 'Demo',
		lastName: 'Owner',
	};
	await writeFile(ownerFileOf(userFolder), JSON.stringify(owner), { mode: 0o600 });
}

/**
 * Brings an n8n, new or used before, to the state that `npm start` promises: its owner logged in, a credential for the
 * sandbox and one for each other server, and the workflows of examples/ that it lacks imported, with the data tables that
 * they need.
 *
 * @param {object} options
 * @param {N8nClient} options.client
 * @param {string} options.userFolder n8n's, claimed
 * @param {{ url: string, apiKey: string }} options.sandbox
 * @param {CredentialContent[]} [options.others] credentials of other servers, for the workflows that need them
 * @param {boolean} [options.show] whether there is something to see: workflows that are imported run once, and those that
 *   start by themselves are published
 * @returns {Promise<{ owner: Owner, credential: CredentialReference, workflows: DemoWorkflow[] }>}
 */
export async function setUpDemo({ client, userFolder, sandbox, others = [], show = false }) {
	/** @type {Owner} */
	const owner = JSON.parse(await readFile(ownerFileOf(userFolder), 'utf8'));
	await logInOwner(client, owner);
	const credential = await saveCredential(client, sandboxCredential(sandbox));
	const credentials = [credential];
	for (const content of others) credentials.push(await saveCredential(client, content));

	/** @type {{ id: string, name: string }[]} */
	const present = await client.request('GET', '/rest/workflows');
	const workflows = [];
	for (const { file, workflow } of await readExamples()) {
		const tables = [];
		for (const draft of dataTablesOf(workflow))
			tables.push((await client.dataTable(draft.name)) ?? (await client.createDataTable(draft)));
		// n8n 1 gave it an id of its own choice, the user may have given it another name.
		const known = present.find(({ id, name }) => id === workflow.id || name === workflow.name);
		const { id } = known ?? (await client.createWorkflow(withCredentials(workflow, credentials)));
		if (show && !known) {
			const trigger = manualTriggerOf(workflow);
			if (trigger) await client.run(id, { trigger: trigger.name });
			if (startsByItself(workflow)) await client.publish(id);
		}
		const { active, nodes } = await client.workflow(id);
		// Sandbox and database have begun anew, and the trigger does not emit what the sandbox began with.
		if (show && known && active && file === LEDGER)
			for (const trigger of LEDGER_BEGINNING)
				if (nodes.some(({ name }) => name === trigger)) await client.run(id, { trigger });
		workflows.push({ id, name: workflow.name, active, nodes, tables });
	}
	return { owner, credential, workflows };
}

/**
 * @param {N8nClient} client
 * @param {Owner} owner
 */
async function logInOwner(client, owner) {
	/** @type {{ userManagement: { showSetupOnFirstLoad: boolean } }} */
	const { userManagement } = await client.request('GET', '/rest/settings');
	if (userManagement.showSetupOnFirstLoad)
		return await client.request('POST', '/rest/owner/setup', owner);
	await client.logIn(owner).catch((error) => {
		if (!(error instanceof N8nError) || error.status !== 401) throw error;
		throw new UserError(
			'the password of the demo user was changed. npm start -- --reset begins with a new n8n.',
		);
	});
}

/**
 * @param {N8nClient} client
 * @param {CredentialContent} content replaces the content of a credential with the same name and type, if there is one
 * @returns {Promise<CredentialReference>}
 */
async function saveCredential(client, content) {
	/** @type {CredentialReference[]} */
	const all = await client.request('GET', '/rest/credentials');
	const present = all.find(({ name, type }) => name === content.name && type === content.type);
	if (present === undefined) return await client.createCredential(content);
	return await client.request('PATCH', `/rest/credentials/${present.id}`, content);
}

// The names are those that n8n gives the first credential of a type, so that imported workflows find a user's own one.

/** @param {{ url: string, apiKey: string }} sandbox */
const sandboxCredential = ({ url, apiKey }) => ({
	name: 'Payment Collection account',
	type: CREDENTIAL_TYPE,
	data: { baseUrl: url, apiKey },
});

/** @param {import('./postgres.mjs').RunningPostgres} server */
export const postgresCredential = ({ host, port, user, password, database }) => ({
	name: 'Postgres account',
	type: 'postgres',
	data: { host, port, user, password, database, ssl: 'disable' },
});

/** @param {{ host: string, port: number }} address of a server without a password and TLS */
export const smtpCredential = ({ host, port }) => ({
	name: 'SMTP account',
	type: 'smtp',
	data: { user: '', password: '', host, port, secure: false, disableStartTls: true },
});

/** @param {{ name: string, value: string }} data */
export const headerCredential = (data) => ({
	name: 'Header Auth account',
	type: 'httpHeaderAuth',
	data,
});

/** @param {{ user: string, password: string }} data */
export const basicAuthCredential = (data) => ({
	// No example names it: those who read the ledger and those who approve refunds are different people, except here.
	name: 'Demo user',
	type: 'httpBasicAuth',
	data,
});

/** @param {{ url: string }} address */
export const chatModelCredential = ({ url }) => ({
	// A credential named "OpenAI account", as n8n does it, is the user's own, and stays as it is.
	name: 'Stand-in for OpenAI',
	type: 'openAiApi',
	data: { apiKey: 'none', url },
});
