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

/** By signal, what is to be called: one listener for all, since Node warns of a signal that has more than ten. */
const calls = new WeakMap<AbortSignal, Set<() => void>>();

function callAll(this: AbortSignal): void {
	for (const call of calls.get(this) ?? []) call();
}

/** Calls back when the signal is aborted, until what it gives is called. */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
	const others = calls.get(signal) ?? new Set();
	calls.set(signal, others);
	if (others.size === 0) signal.addEventListener('abort', callAll);
	others.add(call);
	return () => {
		if (others.delete(call) && others.size === 0) signal.removeEventListener('abort', callAll);
	};
}
