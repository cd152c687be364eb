import { lock } from 'proper-lockfile';

import { atEnd } from './program.mjs';

/**
 * Does the work while no other process of this machine does any under the same lock. A lock whose owner was killed is
 * free after 10 s.
 *
 * @template T
 * @param {string} path that of the lock
 * @param {() => Promise<T>} work
 * @param {{ onWait: () => void, maxWaitS?: number }} options onWait: told when another process holds the lock;
 *   maxWaitS: for ever by default
 * @returns {Promise<T>}
 */
export async function withLock(path, work, { onWait, maxWaitS }) {
	const options = { realpath: false, lockfilePath: path };
	const tries = maxWaitS === undefined ? { forever: true } : { retries: maxWaitS };
	const release = await lock(path, options).catch((error) => {
		if (error.code !== 'ELOCKED') throw error;
		onWait();
		return lock(path, { ...options, retries: { ...tries, factor: 1, maxTimeout: 1_000 } });
	});
	const takeBack = atEnd(release);
	try {
		return await work();
	} finally {
		takeBack();
		await release();
	}
}
