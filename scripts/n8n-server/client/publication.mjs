import pWaitFor from 'p-wait-for';

import { N8nError } from './connection.mjs';

const POLL_MS = 200;
/** n8n tries a trigger 5 times before it gives up, in about 15 s. */
const PUBLISH_TIMEOUT_MS = 90_000;

/**
 * Waits until a workflow that is being published runs: n8n's editor says so before.
 *
 * @param {import('./connection.mjs').Connection} connection
 * @param {string} id
 * @throws what n8n says when one of its triggers can't be started
 */
export async function untilPublished(connection, id) {
	const path = `/rest/workflows/${id}/publication-status`;
	/** @returns {Promise<{ status: string }>} */
	const publication = async () =>
		await connection.request('GET', path).catch((error) => {
			// Without n8n's publication service there is no such status: the answer to the request was the end of it.
			if (error instanceof N8nError && error.status === 404) return { status: 'published' };
			throw error;
		});
	// "partial": some other trigger of the workflow runs, a manual one, say.
	const ends = ['published', 'failed', 'partial'];
	await pWaitFor(async () => ends.includes((await publication()).status), {
		interval: POLL_MS,
		timeout: { milliseconds: PUBLISH_TIMEOUT_MS, fallback: () => {} },
	});
	const end = await publication();
	if (end.status !== 'published')
		throw new Error(`n8n could not publish the workflow: ${JSON.stringify(end)}`);
}
