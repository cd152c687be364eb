import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { parse as parseFlatted } from 'flatted';

const REQUEST_TIMEOUT_MS = 60_000;
const POLL_MS = 200;
/** n8n tries a trigger 5 times before it gives up, in about 15 s. */
const PUBLISH_TIMEOUT_MS = 90_000;
/** The most rows of a data table that n8n gives at once. */
const ROWS_PER_REQUEST = 250;

/** An answer of n8n that is not a success. */
export class N8nError extends Error {
	/**
	 * @param {string} request method and path
	 * @param {number} status
	 * @param {string} body
	 */
	constructor(request, status, body) {
		super(`n8n answered ${status} to ${request}: ${body.slice(0, 500)}`);
		this.status = status;
	}
}

/**
 * @typedef {object} Owner
 * @property {string} email
 * @property {string} password
 * @property {string} firstName
 * @property {string} lastName
 *
 * @typedef {{ cookies: [string, string][], browserId: string }} Session
 *
 * @typedef {{ id: string, name: string }} CredentialReference
 *
 * @typedef {object} WorkflowNode
 * @property {string} [id] n8n makes one up without it
 * @property {number} [typeVersion]
 * @property {number[]} [position]
 * @property {string} [onError]
 * @property {string} name
 * @property {string} type
 * @property {Record<string, unknown>} parameters
 * @property {Record<string, CredentialReference>} [credentials]
 *
 * @typedef {object} Workflow
 * @property {string} [id]
 * @property {string} name
 * @property {WorkflowNode[]} nodes
 * @property {object} connections
 * @property {object} [settings]
 *
 * @typedef {Workflow & { id: string, active: boolean, versionId: string, staticData: unknown }} SavedWorkflow
 *
 * @typedef {object} NodeType
 * @property {string} name
 * @property {string} displayName
 * @property {string | { light: string, dark: string }} [iconUrl] relative to n8n's address
 * @property {{ name: string, default: unknown }[]} properties
 *
 * @typedef {object} Item
 * @property {Record<string, unknown>} json
 * @property {Record<string, BinaryFile>} [binary]
 *
 * @typedef {object} BinaryFile
 * @property {string} data base64, or the name of the store that n8n keeps the content in
 * @property {string} [id] where the content is in that store
 * @property {string} mimeType
 * @property {string} [fileName]
 *
 * @typedef {object} DataTable
 * @property {string} id
 * @property {string} name
 * @property {string} projectId
 *
 * @typedef {object} DataTableColumn
 * @property {string} name
 * @property {'string' | 'number' | 'boolean' | 'date'} type
 *
 * @typedef {object} Execution
 * @property {string} id
 * @property {string} status such as "success" or "error"
 * @property {string} mode such as "manual" or "trigger"
 * @property {string} workflowId
 * @property {{ resultData: { runData: Record<string, { data?: { main: (Item[] | null)[] }, error?: { message: string, description?: string } }[]>, error?: { message: string, description?: string } } }} data
 */

/**
 * n8n's own REST interface, the one that its editor uses: a session cookie, and a browser id that must stay the same.
 */
export class N8nClient {
	/** @type {Map<string, string>} */
	#cookies;
	#browserId;

	/**
	 * @param {string} baseUrl such as http://127.0.0.1:5678
	 * @param {Session} [session] of another client, to go on with
	 */
	constructor(baseUrl, session) {
		this.baseUrl = baseUrl;
		this.#cookies = new Map(session?.cookies);
		this.#browserId = session?.browserId ?? randomUUID();
	}

	/** @returns {Session} what another process needs to act as this client; n8n lets a user log in only a few times a minute */
	get session() {
		return { cookies: [...this.#cookies], browserId: this.#browserId };
	}

	/**
	 * @param {string} method
	 * @param {string} path
	 * @param {unknown} [body] sent as JSON
	 * @returns {Promise<Response>} of a success
	 */
	async #send(method, path, body) {
		const response = await fetch(this.baseUrl + path, {
			method,
			headers: {
				'browser-id': this.#browserId,
				...(this.#cookies.size > 0 && {
					cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
				}),
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
		});
		for (const cookie of response.headers.getSetCookie()) {
			const [, name, value] = cookie.match(/^([^=]+)=([^;]*)/) ?? [];
			if (name && value) this.#cookies.set(name, value);
		}
		if (!response.ok)
			throw new N8nError(`${method} ${path}`, response.status, await response.text());
		return response;
	}

	/**
	 * For what this client has no method for.
	 *
	 * @param {string} method
	 * @param {string} path such as /rest/workflows
	 * @param {unknown} [body]
	 * @returns {Promise<any>} the answer without its envelope `{ data }`
	 */
	async request(method, path, body) {
		/** @type {any} */
		const answer = await (await this.#send(method, path, body)).json();
		return answer?.data ?? answer;
	}

	/**
	 * @param {string} path such as /rest/workflows/abc
	 * @returns {Promise<boolean>} whether n8n has it
	 */
	async exists(path) {
		return await this.#send('GET', path).then(
			() => true,
			(error) => {
				if (error instanceof N8nError && error.status === 404) return false;
				throw error;
			},
		);
	}

	/** @returns {Promise<boolean>} whether n8n is up and its database migrated */
	async isReady() {
		return await this.#send('GET', '/healthz/readiness').then(
			() => true,
			() => false,
		);
	}

	/** @param {Owner} owner the first user of an n8n that has none; logs in */
	async setUpOwner(owner) {
		await this.request('POST', '/rest/owner/setup', owner);
	}

	/** @param {Pick<Owner, 'email' | 'password'>} owner */
	async logIn({ email, password }) {
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** @returns {Promise<NodeType[]>} every one that n8n knows */
	async nodeTypes() {
		return await this.request('GET', '/types/nodes.json');
	}

	/**
	 * @param {{ name: string, type: string, data: Record<string, unknown> }} credential
	 * @returns {Promise<CredentialReference>}
	 */
	async createCredential(credential) {
		return await this.request('POST', '/rest/credentials', credential);
	}

	/**
	 * Runs a credential's test, as its "Retry" button does.
	 *
	 * @param {{ id?: string, name: string, type: string, data: Record<string, unknown> }} credential need not be saved
	 * @returns {Promise<{ status: 'OK' | 'Error', message: string }>}
	 */
	async testCredential(credential) {
		return await this.request('POST', '/rest/credentials/test', {
			credentials: { id: '', ...credential },
		});
	}

	/**
	 * @param {Workflow} workflow
	 * @returns {Promise<SavedWorkflow>}
	 */
	async createWorkflow(workflow) {
		return await this.request('POST', '/rest/workflows', { settings: {}, ...workflow });
	}

	/**
	 * @param {string} id
	 * @returns {Promise<SavedWorkflow>}
	 */
	async workflow(id) {
		return await this.request('GET', `/rest/workflows/${id}`);
	}

	/**
	 * @param {string} id
	 * @param {Partial<Workflow>} changes
	 * @returns {Promise<SavedWorkflow>}
	 */
	async updateWorkflow(id, changes) {
		const { versionId } = await this.workflow(id);
		return await this.request('PATCH', `/rest/workflows/${id}`, { ...changes, versionId });
	}

	/**
	 * Publishes a workflow, so that its triggers run, and waits until they do.
	 *
	 * @param {string} id
	 * @throws what n8n says when one of its triggers can't be started
	 */
	async publish(id) {
		const { versionId } = await this.workflow(id);
		await this.request('POST', `/rest/workflows/${id}/activate`, { versionId });
		const deadline = Date.now() + PUBLISH_TIMEOUT_MS;
		for (;;) {
			// Without n8n's publication service there is no such status: the answer above was the end of it.
			const status = await this.request('GET', `/rest/workflows/${id}/publication-status`).catch(
				(error) => {
					if (error instanceof N8nError && error.status === 404) return { status: 'published' };
					throw error;
				},
			);
			if (status.status === 'published') return;
			// "partial": some other trigger of the workflow runs, a manual one, say.
			if (['failed', 'partial'].includes(status.status) || Date.now() > deadline)
				throw new Error(`n8n could not publish the workflow: ${JSON.stringify(status)}`);
			await sleep(POLL_MS);
		}
	}

	/** @param {string} id */
	async unpublish(id) {
		await this.request('POST', `/rest/workflows/${id}/deactivate`);
	}

	/**
	 * Runs a saved workflow as its "Execute workflow" button does, and waits for its end.
	 *
	 * @param {string} id
	 * @param {{ trigger: string, timeoutMs?: number }} options trigger: name of the trigger node to start from
	 * @returns {Promise<Execution>}
	 */
	async run(id, { trigger, timeoutMs }) {
		const { executionId } = await this.request('POST', `/rest/workflows/${id}/run`, {
			triggerToStartFrom: { name: trigger },
		});
		return await this.finishedExecution(executionId, { timeoutMs });
	}

	/**
	 * @param {string} id
	 * @param {{ timeoutMs?: number }} [options]
	 * @returns {Promise<Execution>}
	 */
	async finishedExecution(id, { timeoutMs = 60_000 } = {}) {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.request('GET', `/rest/executions/${id}`);
			if (!['new', 'running', 'waiting'].includes(execution.status)) {
				return { ...execution, data: parseFlatted(execution.data) };
			}
			if (Date.now() > deadline)
				throw new Error(`Execution ${id} is still ${execution.status} after ${timeoutMs} ms`);
			await sleep(POLL_MS);
		}
	}

	/**
	 * @param {string} workflowId
	 * @returns {Promise<{ id: string, status: string, mode: string }[]>} newest first, without their data
	 */
	async executions(workflowId) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		return (await this.request('GET', `/rest/executions?filter=${filter}&limit=100`)).results;
	}

	/** @returns {Promise<string>} id of the project that holds the user's own workflows and data tables */
	async #personalProjectId() {
		return (await this.request('GET', '/rest/projects/personal')).id;
	}

	/**
	 * @param {string} name
	 * @returns {Promise<DataTable | undefined>} the user's own data table of this name
	 */
	async dataTable(name) {
		// The filter finds names that contain the given one, too.
		const query = `filter=${encodeURIComponent(JSON.stringify({ name }))}&take=${ROWS_PER_REQUEST}`;
		const path = `/rest/projects/${await this.#personalProjectId()}/data-tables?${query}`;
		/** @type {{ data: DataTable[] }} */
		const { data } = await this.request('GET', path);
		return data.find((table) => table.name === name);
	}

	/**
	 * @param {{ name: string, columns: DataTableColumn[] }} table
	 * @returns {Promise<DataTable>}
	 */
	async createDataTable(table) {
		const path = `/rest/projects/${await this.#personalProjectId()}/data-tables`;
		return await this.request('POST', path, table);
	}

	/**
	 * @param {DataTable} table
	 * @returns {Promise<Record<string, unknown>[]>} all rows, in the order in which they were inserted
	 */
	async dataTableRows({ id, projectId }) {
		/** @type {Record<string, unknown>[]} */
		const rows = [];
		for (;;) {
			const query = `sortBy=id:asc&take=${ROWS_PER_REQUEST}&skip=${rows.length}`;
			const { data } = await this.request(
				'GET',
				`/rest/projects/${projectId}/data-tables/${id}/rows?${query}`,
			);
			rows.push(...data);
			if (data.length < ROWS_PER_REQUEST) return rows;
		}
	}

	/**
	 * @param {BinaryFile} file
	 * @returns {Promise<Buffer>} its content
	 */
	async readFile({ data, id }) {
		if (id === undefined) return Buffer.from(data, 'base64');
		const response = await this.#send(
			'GET',
			`/rest/binary-data?action=download&id=${encodeURIComponent(id)}`,
		);
		return Buffer.from(await response.arrayBuffer());
	}
}

/**
 * @param {Execution} execution
 * @param {string} nodeName
 * @returns {Item[][]} what the node put out at its first output, for each of its runs
 */
export function runsOf(execution, nodeName) {
	const runs = execution.data.resultData.runData[nodeName] ?? [];
	return runs.map((run) => run.data?.main[0] ?? []);
}

/**
 * @param {Execution} execution
 * @param {string} nodeName
 * @returns {Item[]} what the node put out at its first output in its last run
 */
export function outputOf(execution, nodeName) {
	return runsOf(execution, nodeName).at(-1) ?? [];
}
