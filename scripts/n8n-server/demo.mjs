import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { UserError } from '../lib/program.mjs';
import { PACKAGE_NAME, ROOT } from '../lib/project.mjs';
import { N8nError } from './client/connection.mjs';

/** @typedef {import('./client/types.mjs').Workflow} Workflow */
/** @typedef {import('./client/types.mjs').CredentialReference} CredentialReference */
/** @typedef {import('./client/types.mjs').DataTable} DataTable */
/** @typedef {Omit<import('../postgres/address.mjs').DatabaseAddress, 'ssl'> & { ssl?: 'disable' | 'require' }} DatabaseAddress */

export const CREDENTIAL_TYPE = 'paymentCollectionApi';
export const POSTGRES_TYPE = 'postgres';

/** The names that n8n gives the first credential of a type, so that imported workflows find a user's own one. */
const CREDENTIAL_NAME = 'Payment Collection account';
const POSTGRES_NAME = 'Postgres account';

const EXAMPLES = join(ROOT, 'examples');

const LEDGER = 'accounting-ledger.json';
const RECONCILE_ALL = 'Every night';

/** @returns {Promise<{ file: string, text: string, workflow: Workflow & { id: string } }[]>} sorted by name */
export async function readExamples() {
	const files = (await readdir(EXAMPLES)).filter((name) => name.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => {
			const text = await readFile(join(EXAMPLES, file), 'utf8');
			return { file, text, workflow: JSON.parse(text) };
		}),
	);
}

/**
 * @template {Pick<Workflow, 'nodes'>} W
 * @param {W} workflow
 * @param {Record<string, CredentialReference | undefined>} credentials by type
 * @returns {W} the workflow with the given credentials in every node that names one of their types
 */
export function withCredentials(workflow, credentials) {
	const nodes = workflow.nodes.map((node) => {
		if (node.credentials === undefined) return node;
		const chosen = Object.entries(node.credentials).map(([type, present]) => {
			const { id, name } = credentials[type] ?? present;
			return [type, { id, name }];
		});
		return { ...node, credentials: Object.fromEntries(chosen) };
	});
	return { ...workflow, nodes };
}

/** @param {Pick<Workflow, 'nodes'>} workflow */
const manualTriggerOf = ({ nodes }) =>
	nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');

const TRIGGER_TYPE = `${PACKAGE_NAME}.paymentCollectionTrigger`;

/** Of triggers that work in published workflows alone. */
const PUBLISHED_TYPES = [TRIGGER_TYPE, 'n8n-nodes-base.webhook', 'n8n-nodes-base.formTrigger'];

/** @param {Pick<Workflow, 'nodes'>} workflow */
const startsByItself = ({ nodes }) => nodes.some(({ type }) => PUBLISHED_TYPES.includes(type));

/** @param {Pick<Workflow, 'nodes'>} workflow */
const polls = ({ nodes }) => nodes.some(({ type }) => type === TRIGGER_TYPE);

/**
 * @param {Pick<Workflow, 'nodes'>} workflow
 * @returns {boolean} whether the demo runs it once
 */
export const canRun = (workflow) => manualTriggerOf(workflow) !== undefined;

/** @typedef {{ name: string, columns: import('./client/types.mjs').DataTableColumn[] }} DataTableDraft */

/**
 * @param {Pick<Workflow, 'nodes'>} workflow
 * @returns {DataTableDraft[]} the data tables that nodes of the workflow create when a user runs them
 */
export function dataTablesOf({ nodes }) {
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

/**
 * What is remembered between two starts, beside n8n's own data.
 *
 * @typedef {object} DemoState
 * @property {import('./client/types.mjs').Owner} owner
 * @property {CredentialReference} [credential] for the sandbox
 * @property {CredentialReference} [postgresCredential]
 * @property {Record<string, string>} imported hash of each example as it was when it was imported, by its own id
 * @property {Record<string, string>} [ids] of the examples in an n8n that gave them ids of its choice, as n8n 1 does
 */

/** @param {string} userFolder */
const stateFileOf = (userFolder) => join(userFolder, 'demo.json');

/**
 * @param {string} userFolder
 * @param {DemoState} state
 */
async function saveState(userFolder, state) {
	await writeFile(stateFileOf(userFolder), JSON.stringify(state, undefined, '\t'), { mode: 0o600 });
}

/**
 * @param {string} path
 * @returns {Promise<boolean>}
 */
async function exists(path) {
	return await access(path).then(
		() => true,
		() => false,
	);
}

/**
 * Makes a folder the demo's own, before n8n puts anything into it: a password that n8n knows and nobody else would lock
 * everybody out.
 *
 * @param {string} userFolder
 * @param {{ reset?: boolean }} [options] reset: throws away the demo that it holds
 */
export async function claimUserFolder(userFolder, { reset = false } = {}) {
	await mkdir(userFolder, { recursive: true });
	const isOurs = await exists(stateFileOf(userFolder));
	if (!isOurs && (await exists(join(userFolder, '.n8n')))) {
		throw new UserError(
			`${userFolder} holds an n8n that is not this demo's. Choose another --user-folder.`,
		);
	}
	if (isOurs && !reset) return;
	for (const name of ['.n8n', '.cache', 'postgres', 'demo.json'])
		await rm(join(userFolder, name), { recursive: true, force: true });
	await saveState(userFolder, {
		owner: {
			email: 'demo@example.com',
			// n8n asks for a capital letter and a digit.
			password: `${randomBytes(9).toString('base64url')}-A1`,
			firstName: 'Demo',
			lastName: 'Owner',
		},
		imported: {},
	});
}

/**
 * Brings an n8n, new or used before, to the state that `npm start` promises: its owner logged in, a credential for the
 * sandbox, and every workflow of examples/ imported, after the data tables that it needs. A workflow that the user
 * changed stays as it is until its file changes. The ledger is brought up to the sandbox of this start.
 *
 * @param {object} options
 * @param {import('./client/index.mjs').N8nClient} options.client
 * @param {string} options.userFolder n8n's, claimed
 * @param {{ url: string, apiKey: string }} options.sandbox
 * @param {DatabaseAddress} [options.postgres] for the workflows that need one; without it, they have no credential for it
 * @param {boolean} [options.show] whether there is something to see: workflows that are imported run once, and those that
 *   start by themselves are published
 * @returns {Promise<{ owner: import('./client/types.mjs').Owner, credential: CredentialReference, workflows: { id: string, name: string, file: string, active: boolean, tables: DataTable[] }[] }>}
 */
export async function setUpDemo({ client, userFolder, sandbox, postgres, show = false }) {
	/** @type {DemoState} */
	const state = JSON.parse(await readFile(stateFileOf(userFolder), 'utf8'));
	await logInOwner(client, state.owner);
	state.credential = await saveCredential(client, state.credential, sandboxCredential(sandbox));
	if (postgres)
		state.postgresCredential = await saveCredential(
			client,
			state.postgresCredential,
			postgresCredential(postgres),
		);
	await saveState(userFolder, state);
	const credentials = {
		[CREDENTIAL_TYPE]: state.credential,
		[POSTGRES_TYPE]: state.postgresCredential,
	};

	const workflows = [];
	for (const { file, text, workflow } of await readExamples()) {
		const hash = createHash('sha256').update(text).digest('hex');
		const tables = await ensureDataTables(client, workflow);
		const wasHere = workflow.id in state.imported;
		const { id, isNew } = await importWorkflow(
			client,
			{ ...withCredentials(workflow, credentials), id: state.ids?.[workflow.id] ?? workflow.id },
			state.imported[workflow.id] !== hash,
		);
		if (id !== workflow.id) state.ids = { ...state.ids, [workflow.id]: id };
		// Only then: somebody who stopped the workflow in n8n wants it to stay so.
		if (show && isNew) await showWorkflow(client, { ...workflow, id });
		state.imported[workflow.id] = hash;
		await saveState(userFolder, state);
		const { active, nodes } = await client.workflow(id);
		// When n8n started, the credential was still one for the sandbox of before: else the next poll is a minute away.
		if (show && active && !isNew && polls(workflow)) await client.publishAgain(id);
		// Under another key the trigger does not tell what the new sandbox had before, and the ledger lacks that.
		const canReconcile = file === LEDGER && nodes.some(({ name }) => name === RECONCILE_ALL);
		if (show && active && wasHere && canReconcile) await client.run(id, { trigger: RECONCILE_ALL });
		workflows.push({ id, name: workflow.name, file, active, tables });
	}
	return { owner: state.owner, credential: state.credential, workflows };
}

/**
 * @param {import('./client/index.mjs').N8nClient} client
 * @param {Workflow & { id: string }} workflow
 */
async function showWorkflow(client, workflow) {
	const trigger = manualTriggerOf(workflow);
	if (trigger) await client.run(workflow.id, { trigger: trigger.name });
	if (startsByItself(workflow)) await client.publish(workflow.id);
}

/**
 * @param {import('./client/index.mjs').N8nClient} client
 * @param {import('./client/types.mjs').Owner} owner
 */
async function logInOwner(client, owner) {
	/** @type {{ userManagement: { showSetupOnFirstLoad: boolean } }} */
	const { userManagement } = await client.request('GET', '/rest/settings');
	if (userManagement.showSetupOnFirstLoad) return await client.setUpOwner(owner);
	await client.logIn(owner).catch((error) => {
		if (!(error instanceof N8nError) || error.status !== 401) throw error;
		throw new UserError(
			'the password of the demo user was changed. npm start -- --reset begins with a new n8n.',
		);
	});
}

/**
 * @param {import('./client/index.mjs').N8nClient} client
 * @param {CredentialReference | undefined} present
 * @param {{ name: string, type: string, data: Record<string, unknown> }} content
 * @returns {Promise<CredentialReference>}
 */
async function saveCredential(client, present, content) {
	const { id, name } =
		present && (await client.exists(`/rest/credentials/${present.id}`))
			? await client.request('PATCH', `/rest/credentials/${present.id}`, content)
			: await client.createCredential(content);
	return { id, name };
}

/** @param {{ url: string, apiKey: string }} sandbox */
const sandboxCredential = ({ url, apiKey }) => ({
	name: CREDENTIAL_NAME,
	type: CREDENTIAL_TYPE,
	data: { baseUrl: url, apiKey },
});

/** @param {DatabaseAddress} address */
export const postgresCredential = ({ host, port, user, password, database, ssl = 'disable' }) => ({
	name: POSTGRES_NAME,
	type: POSTGRES_TYPE,
	data: { host, port, user, password, database, ssl },
});

/**
 * @param {import('./client/index.mjs').N8nClient} client
 * @param {Workflow} workflow
 * @returns {Promise<DataTable[]>} those that the workflow needs, with all columns: an older demo's lack the new ones
 */
async function ensureDataTables({ dataTables }, workflow) {
	const tables = [];
	for (const draft of dataTablesOf(workflow)) {
		const table = (await dataTables.find(draft.name)) ?? (await dataTables.create(draft));
		const present = new Set((await dataTables.columns(table)).map(({ name }) => name));
		for (const column of draft.columns)
			if (!present.has(column.name)) await dataTables.addColumn(table, column);
		tables.push(table);
	}
	return tables;
}

/**
 * @param {import('./client/index.mjs').N8nClient} client
 * @param {Workflow & { id: string }} workflow
 * @param {boolean} replace whether to overwrite the one that n8n has
 * @returns {Promise<{ id: string, isNew: boolean }>} isNew: n8n has it as it is from now only
 */
async function importWorkflow(client, workflow, replace) {
	if (!(await client.exists(`/rest/workflows/${workflow.id}`))) {
		const { id } = await client.createWorkflow(workflow);
		return { id, isNew: true };
	}
	const { id, name, nodes, connections, settings } = workflow;
	if (replace) await client.updateWorkflow(id, { name, nodes, connections, settings });
	return { id, isNew: replace };
}
