const HEARTBEAT_MS = 10_000;

/**
 * @param {number} ms
 * @returns {string} such as "40 s" or "2 min 5 s"
 */
export function duration(ms) {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Prints what is being done, and every ten seconds that it is still being done, so that a person sees life.
 *
 * @template T
 * @param {string} label what is being done, such as "Installing n8n"
 * @param {() => Promise<T>} work
 * @param {{ usually?: string }} [options] usually: how long it takes, in words
 * @returns {Promise<T>}
 */
export async function withProgress(label, work, { usually } = {}) {
	const started = Date.now();
	console.log(`${label}${usually ? ` (usually ${usually})` : ''} …`);
	const heartbeat = setInterval(
		() => console.log(`  still at it after ${duration(Date.now() - started)} …`),
		HEARTBEAT_MS,
	);
	try {
		const result = await work();
		console.log(`  done in ${duration(Date.now() - started)}`);
		return result;
	} finally {
		clearInterval(heartbeat);
	}
}
