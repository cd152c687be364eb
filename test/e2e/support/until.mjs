import pWaitFor from 'p-wait-for';

/**
 * Waits until something is so.
 *
 * @param {() => boolean | Promise<boolean>} condition
 * @param {() => string | Promise<string>} describe what went wrong, when it is not so in time
 */
export async function until(condition, describe, milliseconds = 300_000) {
	const fallback = async () => {
		throw new Error(await describe());
	};
	await pWaitFor(condition, { interval: 100, timeout: { milliseconds, fallback } });
}
