/** The longest that a timer takes: of more it makes 1 ms. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

interface Alarm {
	/** In milliseconds of {@link performance}, which nobody sets back. */
	readonly at: number;
	readonly call: () => void;
}

const alarms = new Set<Alarm>();

/** When the timer that ends first looks which alarms are due; infinite without one. */
let nextLook = Number.POSITIVE_INFINITY;

/**
 * Calls once `ms` milliseconds have passed, unless what it gives is called before.
 *
 * All share one timer: one for each request takes Node longer than the look for secrets in its answer.
 */
export function callAfter(ms: number, call: () => void): () => void {
	const alarm = { at: performance.now() + Math.min(MAX_TIMER_MS, Math.max(1, ms)), call };
	alarms.add(alarm);
	lookAt(alarm.at);
	return () => void alarms.delete(alarm);
}

/** Timers that end later stay, and look in vain: that costs less than ending them. */
function lookAt(at: number): void {
	if (at >= nextLook) return;
	nextLook = at;
	AbortSignal.timeout(Math.max(1, Math.ceil(at - performance.now()))).addEventListener(
		'abort',
		() => {
			if (nextLook === at) nextLook = Number.POSITIVE_INFINITY;
			ringWhatIsDue();
		},
	);
}

function ringWhatIsDue(): void {
	const now = performance.now();
	let next = Number.POSITIVE_INFINITY;
	for (const alarm of alarms) {
		if (alarm.at > now) next = Math.min(next, alarm.at);
		else if (alarms.delete(alarm)) alarm.call();
	}
	if (next < Number.POSITIVE_INFINITY) lookAt(next);
}
