import { createRequire } from 'node:module';

import { parse as parseFlatted } from 'flatted';
import pWaitFor from 'p-wait-for';

/**
 * @import { CredentialContent, CredentialReference, DataTable, DataTableDraft, Execution } from './types.mjs'
 * @import { Owner, SavedWorkflow, Start, Workflow } from './types.mjs'
 * @import { IBinaryData, INodeExecutionData, INodeTypeDescription } from 'n8n-workflow'
 */

// n8n-workflow's ES modules do not load.
/** @type {typeof import('n8n-workflow')} */
const { ExecutionStatusList } = createRequire(import.meta.url)('n8n-workflow');

const REQUEST_TIMEOUT_MS = 60_000;
const POLL_MS = 200;
/** n8n tries a trigger 5 times before it gives up, in about 15 s. */
const PUBLISH_TIMEOUT_MS = 90_000;
const EXECUTION_TIMEOUT_MS = 60_000;
/** The most rows of a data table that n8n gives at once; n8n 1 gives fewer. */
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
 * Ignores a failure of n8n's own: on a busy machine, its database may not be ready meanwhile, and n8n 2.20 can't read an
 * execution without data.
 *
 * @type {<T>(answer: Promise<T>) => Promise<T | undefined>}
 */
const ifReady = async (answer) =>
	await answer.catch((error) => {
		if (error instanceof N8nError && error.status >= 500) return undefined;
		throw error;
	});

/** Does with an n8n what `npm start` and the end-to-end tests need, by the REST API of its editor. */
export class N8nClient {
	/**
	 * @param {string} baseUrl such as http://127.0.0.1:5678
	 * @param {string} [cookie] another client's: n8n lets a user log in only a few times a minute
	 */
	constructor(baseUrl, cookie = '') {
		this.baseUrl = baseUrl;
		this.cookie = cookie;
	}

	/**
	 * @param {string} method
	 * @param {string} path
	 * @param {unknown} [body] sent as JSON
	 * @returns {Promise<Response>} of a success
	 */
	async send(method, path, body) {
		const response = await fetch(this.baseUrl + path, {
			method,
			headers: {
				// n8n closes a kept connection after long work, even if the next request is already on it.
				connection: 'close',
				cookie: this.cookie,
				'content-type': 'application/json',
			},
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
		});
		// n8n has a single cookie, the session.
		const [cookie] = response.headers.getSetCookie();
		this.cookie = cookie?.split(';')[0] ?? this.cookie;
		if (!response.ok)
			throw new N8nError(`${method} ${path}`, response.status, await response.text());
		return response;
	}

	/**
	 * Sends a request for which there is no method.
	 *
	 * @template Answer what n8n answers, as the caller knows it
	 * @param {string} method
	 * @param {string} path such as /rest/workflows
	 * @param {unknown} [body]
	 * @returns {Promise<Answer>} without its envelope `{ data }`
	 */
	async request(method, path, body) {
		const response = await this.send(method, path, body);
		const answer = /** @type {Answer & { data?: Answer }} */ (await response.json());
		return answer.data ?? answer;
	}

	/** @param {string} path such as /rest/workflows/abc */
	async exists(path) {
		try {
			return Boolean(await this.send('GET', path));
		} catch (error) {
			if (error instanceof N8nError && error.status === 404) return false;
			throw error;
		}
	}

	/** @returns {Promise<boolean>} whether n8n is up and its database migrated */
	async isReady() {
		return await this.exists('/healthz/readiness').catch(() => false);
	}

	/** @param {Pick<Owner, 'email' | 'password'>} owner */
	async logIn({ email, password }) {
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** @returns {Promise<INodeTypeDescription[]>} every one that n8n knows */
	async nodeTypes() {
		return await this.request('GET', '/types/nodes.json');
	}

	/** @type {(credential: CredentialContent) => Promise<CredentialReference>} */
	async createCredential(credential) {
		return await this.request('POST', '/rest/credentials', credential);
	}

	/**
	 * Saves a credential, since n8n tests no other, and runs its test as its "Retry" button does.
	 *
	 * @param {CredentialContent} credential
	 * @returns {Promise<{ status: 'OK' | 'Error', message: string }>}
	 */
	async testCredential(credential) {
		const { id } = await this.createCredential(credential);
		const credentials = { id, ...credential };
		return await this.request('POST', '/rest/credentials/test', { credentials });
	}

	/** @type {(workflow: Workflow) => Promise<SavedWorkflow>} */
	async createWorkflow(workflow) {
		// n8n 1 asks for both.
		const present = { settings: {}, active: false };
		return await this.request('POST', '/rest/workflows', { ...present, ...workflow });
	}

	/** @type {(id: string) => Promise<SavedWorkflow>} */
	async workflow(id) {
		return await this.request('GET', `/rest/workflows/${id}`);
	}

	/** @type {(id: string, changes: Partial<Workflow>) => Promise<SavedWorkflow>} */
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
		const path = `/rest/workflows/${id}/publication-status`;
		// Without n8n's publication service there is no such status: the answer to the request was the end of it.
		if (!(await this.exists(path))) return;
		// n8n's editor calls a workflow published even before its triggers run.
		const isPublished = async () => {
			/** @type {{ status: string } | undefined} */
			const publication = await ifReady(this.request('GET', path));
			// "partial": some other trigger of the workflow runs, a manual one, say.
			if (['failed', 'partial'].includes(publication?.status ?? ''))
				throw new Error(`n8n could not publish the workflow: ${JSON.stringify(publication)}`);
			return publication?.status === 'published';
		};
		await pWaitFor(isPublished, { interval: POLL_MS, timeout: PUBLISH_TIMEOUT_MS });
	}

	/** @param {string} id */
	async unpublish(id) {
		await this.request('POST', `/rest/workflows/${id}/deactivate`);
	}

	/**
	 * Runs a saved workflow as its "Execute workflow" button does, and waits for its end.
	 *
	 * @param {string} id
	 * @param {Start} start
	 * @returns {Promise<Execution>}
	 */
	async run(id, start) {
		return await this.finishedExecution(await this.start(id, start));
	}

	/**
	 * Runs a saved workflow and does not wait for its end.
	 *
	 * @param {string} id
	 * @param {Start} start
	 * @returns {Promise<string>} the execution's id
	 */
	async start(id, { trigger, item, tool }) {
		const data = item && {
			startTime: Date.now(),
			executionTime: 0,
			executionIndex: 0,
			source: [null],
			data: { main: [[item]] },
		};
		/** @type {{ executionId: string }} */
		const { executionId } = await this.request('POST', `/rest/workflows/${id}/run`, {
			triggerToStartFrom: { name: trigger, data },
			...(tool && {
				destinationNode: { nodeName: tool.name, mode: 'inclusive' },
				agentRequest: { query: { [tool.name]: tool.input }, tool: { name: tool.name } },
			}),
			// n8n 1 runs the workflow that it is sent, newer ones the one that they have.
			workflowData: await this.workflow(id),
		});
		return executionId;
	}

	/** @type {(id: string) => Promise<Execution>} */
	async finishedExecution(id) {
		const finished = async () => {
			/** @type {(Execution & { data: any }) | undefined} */
			const execution = await ifReady(this.request('GET', `/rest/executions/${id}`));
			if (!execution || ['new', 'running', 'waiting'].includes(execution.status)) return false;
			return pWaitFor.resolveWith({ ...execution, data: parseFlatted(execution.data) });
		};
		return await pWaitFor(finished, { interval: POLL_MS, timeout: EXECUTION_TIMEOUT_MS });
	}

	/**
	 * @param {string} workflowId
	 * @returns {Promise<{ id: string, status: string, mode: string }[]>} newest first, without their data
	 */
	async executions(workflowId) {
		// Without a status, n8n sends two queries at once, for executions under way and for ended ones: one that ends
		// meanwhile is listed twice, or not at all.
		const status = ExecutionStatusList;
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		/** @type {{ results: { id: string, status: string, mode: string }[] }} */
		const { results } = await this.request('GET', `/rest/executions?filter=${filter}&limit=100`);
		return results;
	}

	/** @returns {Promise<string>} where the data tables of the user's own project are */
	async #tables() {
		/** @type {{ id: string }} */
		const { id } = await this.request('GET', '/rest/projects/personal');
		return `/rest/projects/${id}/data-tables`;
	}

	/** @type {(name: string) => Promise<DataTable | undefined>} */
	async dataTable(name) {
		// The filter finds names that contain the given one, too.
		const query = `filter=${encodeURIComponent(JSON.stringify({ name }))}&take=${ROWS_PER_REQUEST}`;
		/** @type {{ data: DataTable[] }} */
		const { data } = await this.request('GET', `${await this.#tables()}?${query}`);
		return data.find((table) => table.name === name);
	}

	/** @type {(table: DataTableDraft) => Promise<DataTable>} */
	async createDataTable(table) {
		return await this.request('POST', await this.#tables(), table);
	}

	/**
	 * @param {string} name of a data table
	 * @returns {Promise<Record<string, unknown>[]>} all rows, in the order in which they were inserted
	 */
	async rowsOf(name) {
		const table = await this.dataTable(name);
		const path = `${await this.#tables()}/${table?.id}/rows`;
		/** @type {Record<string, unknown>[]} */
		const rows = [];
		for (;;) {
			const query = `sortBy=id:asc&take=${ROWS_PER_REQUEST}&skip=${rows.length}`;
			/** @type {{ count: number, data: Record<string, unknown>[] }} */
			const { count, data } = await this.request('GET', `${path}?${query}`);
			rows.push(...data);
			if (data.length === 0 || rows.length >= count) return rows;
		}
	}

	/**
	 * @param {IBinaryData} file
	 * @returns {Promise<Buffer>} its content
	 */
	async readFile({ id = '' }) {
		const query = `action=download&id=${encodeURIComponent(id)}`;
		const response = await this.send('GET', `/rest/binary-data?${query}`);
		return Buffer.from(await response.arrayBuffer());
	}
}

/**
 * @param {Execution} execution
 * @param {string} nodeName
 * @returns {INodeExecutionData[][]} what the node put out at its first output, for each of its runs
 */
export function runsOf(execution, nodeName) {
	const runs = execution.data.resultData.runData[nodeName] ?? [];
	return runs.map((run) => run.data?.['main']?.[0] ?? []);
}

/**
 * @param {Execution} execution
 * @param {string} nodeName
 * @returns {INodeExecutionData[]} what the node put out at its first output in its last run
 */
export function outputOf(execution, nodeName) {
	return runsOf(execution, nodeName).at(-1) ?? [];
}
