import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_MS = 100;

/**
 * Waits until something is so.
 *
 * @param {() => boolean | Promise<boolean>} condition
 * @param {() => string | Promise<string>} describe what went wrong, when it is not so in time
 */
export async function until(condition, describe, timeoutMs = 90_000) {
	const deadline = Date.now() + timeoutMs;
	while (!(await condition())) {
		if (Date.now() > deadline) throw new Error(await describe());
		await sleep(CHECK_MS);
	}
}
