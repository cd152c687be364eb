export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const START_MS = Date.UTC(2026, 0, 15, 12);

/** What the nodes read time and chance from, see nodes/shared/clock.ts. */
export interface Clock {
	now: () => number;
	elapsed: () => number;
	sleep: (ms: number) => Promise<void>;
	random: () => number;
}

interface Sleeper {
	readonly wakesAt: number;
	readonly wake: () => void;
}

/** Time that only moves when somebody sleeps or a schedule says so. It is the service's time. */
export class VirtualTime {
	now = START_MS;
	/** How far n8n's own clock is ahead of it. */
	hostErrorMs = 0;
	private sleepers: Sleeper[] = [];

	readonly sleep = async (ms: number): Promise<void> => {
		if (ms <= 0) return;
		await new Promise<void>((wake) => this.sleepers.push({ wakesAt: this.now + ms, wake }));
	};

	/** Puts this time under the nodes. */
	install(clock: Clock): void {
		clock.now = () => this.now + this.hostErrorMs;
		clock.elapsed = () => this.now;
		clock.sleep = this.sleep;
		clock.random = () => 0.5;
	}

	/** Lets time pass until something is over, or until a point in time. */
	async pass(isOver: () => boolean, until = Number.POSITIVE_INFINITY): Promise<void> {
		for (;;) {
			// Whatever is ready to run has run after this.
			await new Promise((resolve) => setImmediate(resolve));
			if (isOver()) return;
			const next = this.takeNext(until);
			if (next === undefined) {
				if (until === Number.POSITIVE_INFINITY) throw new Error('A poll waits for ever');
				this.now = Math.max(this.now, until);
				return;
			}
			this.now = Math.max(this.now, next.wakesAt);
			next.wake();
		}
	}

	private takeNext(until: number): Sleeper | undefined {
		const [first] = this.sleepers.sort((one, other) => one.wakesAt - other.wakesAt);
		if (first === undefined || first.wakesAt > until) return undefined;
		this.sleepers.shift();
		return first;
	}
}
