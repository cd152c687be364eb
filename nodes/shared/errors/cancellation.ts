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
