import { sleep } from 'n8n-workflow';

/** The source of time and randomness, except for the timeout of a request. Tests can replace it. */
export const clock = {
	/** Milliseconds since the epoch. */
	now: (): number => Date.now(),
	/** Milliseconds since some moment. It advances evenly, even if the host's clock is set. */
	elapsed: (): number => performance.now(),
	sleep,
	random: (): number => Math.random(),
};

export const utcText = (epochMs: number): string =>
	`${new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** n8n recognizes a canceled execution by this name and message. Any other error counts as a failed execution. */
export class CancelledError extends Error {
	override readonly name = 'ExecutionCancelledError';

	constructor() {
		super('The execution was canceled');
	}
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted === true) throw new CancelledError();
}

/** @throws {CancelledError} as soon as the signal is aborted: the execution was canceled, or another item failed */
export async function sleepUnlessAborted(ms: number, signal?: AbortSignal): Promise<void> {
	throwIfCancelled(signal);
	// A signal of its own, since Node warns of one with more than ten listeners.
	const ownSignal = AbortSignal.any(signal === undefined ? [] : [signal]);
	const aborted = new Promise<void>((resolve) => {
		ownSignal.onabort = () => resolve();
	});
	try {
		await Promise.race([clock.sleep(ms), aborted]);
	} finally {
		// Node keeps a signal alive as long as someone listens.
		ownSignal.onabort = null;
	}
	throwIfCancelled(signal);
}
