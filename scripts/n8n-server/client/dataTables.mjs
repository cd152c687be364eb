/** @typedef {import('./types.mjs').DataTable} DataTable */
/** @typedef {import('./types.mjs').DataTableColumn} DataTableColumn */

/** The most rows of a data table that n8n gives at once; n8n 1 gives fewer. */
const ROWS_PER_REQUEST = 250;

/** The user's own data tables. */
export class DataTables {
	#connection;

	/** @param {import('./connection.mjs').Connection} connection */
	constructor(connection) {
		this.#connection = connection;
	}

	/** @returns {Promise<string>} id of the project that holds the user's own workflows and data tables */
	async #personalProjectId() {
		/** @type {{ id: string }} */
		const { id } = await this.#connection.request('GET', '/rest/projects/personal');
		return id;
	}

	/**
	 * @param {string} name
	 * @returns {Promise<DataTable | undefined>} the user's own data table of this name
	 */
	async find(name) {
		// The filter finds names that contain the given one, too.
		const query = `filter=${encodeURIComponent(JSON.stringify({ name }))}&take=${ROWS_PER_REQUEST}`;
		const path = `/rest/projects/${await this.#personalProjectId()}/data-tables?${query}`;
		/** @type {{ data: DataTable[] }} */
		const { data } = await this.#connection.request('GET', path);
		return data.find((table) => table.name === name);
	}

	/**
	 * @param {{ name: string, columns: DataTableColumn[] }} table
	 * @returns {Promise<DataTable>}
	 */
	async create(table) {
		const path = `/rest/projects/${await this.#personalProjectId()}/data-tables`;
		return await this.#connection.request('POST', path, table);
	}

	/**
	 * @param {DataTable} table
	 * @returns {Promise<(DataTableColumn & { id: string })[]>}
	 */
	async columns({ id, projectId }) {
		return await this.#connection.request(
			'GET',
			`/rest/projects/${projectId}/data-tables/${id}/columns`,
		);
	}

	/**
	 * @param {DataTable} table
	 * @param {DataTableColumn} column comes last
	 */
	async addColumn({ id, projectId }, column) {
		const path = `/rest/projects/${projectId}/data-tables/${id}/columns`;
		await this.#connection.request('POST', path, column);
	}

	/**
	 * @param {DataTable} table
	 * @returns {Promise<Record<string, unknown>[]>} all rows, in the order in which they were inserted
	 */
	async rows({ id, projectId }) {
		/** @type {Record<string, unknown>[]} */
		const rows = [];
		for (;;) {
			const query = `sortBy=id:asc&take=${ROWS_PER_REQUEST}&skip=${rows.length}`;
			const path = `/rest/projects/${projectId}/data-tables/${id}/rows?${query}`;
			/** @type {{ count: number, data: Record<string, unknown>[] }} */
			const { count, data } = await this.#connection.request('GET', path);
			rows.push(...data);
			if (data.length === 0 || rows.length >= count) return rows;
		}
	}
}
