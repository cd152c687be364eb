import { randomUUID } from 'node:crypto';

/** @typedef {import('./types.mjs').Session} Session */

const REQUEST_TIMEOUT_MS = 60_000;

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
 * A user of n8n's own REST interface, the one that its editor uses: a session cookie, and a browser id that must stay
 * the same.
 */
export class Connection {
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
	async send(method, path, body) {
		const response = await fetch(this.baseUrl + path, {
			method,
			headers: {
				// n8n closes a kept connection after long work, even if the next request is already on it.
				connection: 'close',
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

	/**
	 * @param {string} path such as /rest/workflows/abc
	 * @returns {Promise<boolean>} whether n8n has it
	 */
	async exists(path) {
		return await this.send('GET', path).then(
			() => true,
			(error) => {
				if (error instanceof N8nError && error.status === 404) return false;
				throw error;
			},
		);
	}

	/** @returns {Promise<boolean>} whether n8n is up and its database migrated */
	async isReady() {
		return await this.exists('/healthz/readiness').catch(() => false);
	}
}
