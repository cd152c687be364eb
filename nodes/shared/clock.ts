import { sleep } from 'n8n-workflow';

/**
 * The source of time and chance for both nodes, but for the timeout of a request: one object, which tests can replace.
 */
export const clock = {
	/** Milliseconds since the epoch. */
	now: (): number => Date.now(),
	/** Milliseconds since some moment, for how long something takes: it advances evenly, whatever the host's clock is set to. */
	elapsed: (): number => performance.now(),
	sleep: async (ms: number): Promise<void> => {
		await sleep(ms);
	},
	/** A number from 0 (inclusive) to 1 (exclusive). */
	random: (): number => Math.random(),
};

/** A moment as people read it, to the second. @param ms milliseconds since the epoch */
export const utcText = (ms: number): string =>
	`${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/**
 * The execution was stopped. n8n knows a cancelled execution by this name and message; with any other error it
 * would count as a failed one.
 */
export class CancelledError extends Error {
	override readonly name = 'ExecutionCancelledError';

	constructor() {
		super('The execution was canceled');
	}
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted === true) throw new CancelledError();
}

/**
 * Waits `ms` milliseconds.
 *
 * @throws {CancelledError} as soon as the execution is canceled
 */
export async function sleepUnlessAborted(ms: number, signal?: AbortSignal): Promise<void> {
	throwIfCancelled(signal);
	// A signal of its own, since Node warns of one that has more than ten listeners.
	const ownSignal = AbortSignal.any(signal === undefined ? [] : [signal]);
	const aborted = new Promise<void>((resolve) => {
		ownSignal.onabort = () => resolve();
	});
	try {
		await Promise.race([clock.sleep(ms), aborted]);
	} finally {
		// Node keeps a signal alive for as long as someone listens.
		ownSignal.onabort = null;
	}
	throwIfCancelled(signal);
}
