/** The sandbox as a test sees it from outside: the service with its key, and the control surface. */
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
	 * @param {string} method
	 * @param {string} path
	 * @param {unknown} [body]
	 * @returns {Promise<any>}
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
		return text === '' ? undefined : JSON.parse(text);
	}

	/**
	 * @param {string} path of the service, such as /v1/links/…
	 * @returns {Promise<any>}
	 */
	async get(path) {
		return await this.#send('GET', path);
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
			const answer = await this.get(`${path}?page=${page}&page_size=100`);
			const { results, next } = Array.isArray(answer) ? answer[0] : answer;
			rows.push(...results);
			if (next === null) return rows;
		}
	}

	/**
	 * Uses the control surface; GET /_sandbox lists what it offers.
	 *
	 * @param {string} method
	 * @param {string} path below /_sandbox, such as /charges
	 * @param {unknown} [body]
	 * @returns {Promise<any>}
	 */
	async control(method, path, body) {
		return await this.#send(method, `/_sandbox${path}`, body);
	}
}
