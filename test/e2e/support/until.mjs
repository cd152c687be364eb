import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until something is so.
 *
 * @template T
 * @param {() => T | Promise<T>} look fails as long as it is not so, and says at the end of the time why it is not
 */
export async function until(look, milliseconds = 300_000) {
	for (const end = Date.now() + milliseconds; ; await sleep(100)) {
		try {
			return await look();
		} catch (error) {
			if (Date.now() >= end) throw error;
		}
	}
}
