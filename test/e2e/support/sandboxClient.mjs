/** @typedef {import('../../../contract/schemas/charge.js').Charge} Charge */
/** @typedef {import('../../../contract/schemas/link.js').Link} Link */
/** @typedef {import('../../../sandbox/index.js').Counts} Counts */
/** @typedef {import('../../../sandbox/index.js').RequestEntry} RequestEntry */
/**
 * @template Row
 * @typedef {import('../../../contract/schemas/list.js').Envelope<Row>} Envelope
 */

/** The sandbox as a test sees it from outside: the service with its key, and the control surface below /_sandbox. */
export class SandboxClient {
	/**
	 * @param {string} url
	 * @param {string} apiKey
	 */
	constructor(url, apiKey) {
		this.url = url;
		this.apiKey = apiKey;
	}

	/**
	 * @template Answer what the sandbox documents for the path
	 * @param {string} method
	 * @param {string} path
	 * @param {unknown} [body] sent as JSON
	 * @returns {Promise<Answer>}
	 */
	async #send(method, path, body) {
		const response = await fetch(this.url + path, {
			method,
			headers: {
				'x-api-key': this.apiKey,
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok)
			throw new Error(`The sandbox answered ${response.status} to ${method} ${path}: ${text}`);
		return JSON.parse(text || 'null');
	}

	/**
	 * @param {string} id
	 * @returns {Promise<Link>}
	 */
	async link(id) {
		return await this.#send('GET', `/v1/links/${id}`);
	}

	/**
	 * @param {number} page of a hundred
	 * @returns {Promise<Charge[]>} the newest ones come first
	 */
	async charges(page) {
		/** @type {Envelope<Charge>} */
		const { results } = await this.#send('GET', `/v1/charges?page_size=100&page=${page}`);
		return results;
	}

	/**
	 * Reads a whole list, in the sandbox's order.
	 *
	 * @param {'/v1/charges' | '/v1/customers'} path
	 * @returns {Promise<Record<string, unknown>[]>}
	 */
	async list(path) {
		const rows = [];
		for (let page = 1; ; page++) {
			/** @type {Envelope<Record<string, unknown>> | [Envelope<Record<string, unknown>>]} */
			const answer = await this.#send('GET', `${path}?page=${page}&page_size=100`);
			const { results, next } = Array.isArray(answer) ? answer[0] : answer;
			rows.push(...results);
			if (next === null) return rows;
		}
	}

	/** @returns {Promise<Counts>} how many records of each kind there are */
	async counts() {
		/** @type {{ counts: Counts }} */
		const { counts } = await this.#send('GET', '/_sandbox/state');
		return counts;
	}

	/** @param {Partial<Charge>} charge a new one, created now */
	async insertCharge(charge) {
		await this.#send('POST', '/_sandbox/charges', { charge });
	}

	/** @returns {Promise<RequestEntry[]>} what was asked for since the last {@link forgetRequests} */
	async requests() {
		/** @type {{ requests: RequestEntry[] }} */
		const { requests } = await this.#send('GET', '/_sandbox/requests');
		return requests;
	}

	async forgetRequests() {
		await this.#send('DELETE', '/_sandbox/requests');
	}
}
