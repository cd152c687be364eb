import pRetry from 'p-retry';

/**
 * Waits until something is so.
 *
 * @template T
 * @param {() => T | Promise<T>} look fails as long as it is not so, and says at the end of the time why it is not
 */
export const until = async (look, milliseconds = 300_000) =>
	await pRetry(look, {
		retries: Infinity,
		factor: 1,
		minTimeout: 100,
		maxRetryTime: milliseconds,
	});
