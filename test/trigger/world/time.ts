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
	/** How far n8n's own clock is ahead of it, and the most that it was wrong by. */
	hostErrorMs = 0;
	worstErrorMs = 0;
	private sleepers: Sleeper[] = [];

	readonly sleep = async (ms: number): Promise<void> => {
		if (ms <= 0) return;
		await new Promise<void>((wake) => this.sleepers.push({ wakesAt: this.now + ms, wake }));
	};

	setHostError(errorMs: number): void {
		this.hostErrorMs = errorMs;
		this.worstErrorMs = Math.max(this.worstErrorMs, Math.abs(errorMs));
	}

	/** Puts this time under the nodes. */
	install(clock: Clock): void {
		clock.now = () => this.now + this.hostErrorMs;
		clock.elapsed = () => this.now;
		clock.sleep = this.sleep;
		clock.random = () => 0.5;
	}

	/**
	 * Lets time pass until something is over, or until a point in time.
	 *
	 * @returns whether it is over
	 */
	async pass(isOver: () => boolean, until = Number.POSITIVE_INFINITY): Promise<boolean> {
		for (;;) {
			// Whatever is ready to run has run after this.
			await new Promise((resolve) => setImmediate(resolve));
			if (isOver()) return true;
			const next = this.takeNext(until);
			if (next === undefined) {
				if (until === Number.POSITIVE_INFINITY)
					throw new Error('A poll waits for nothing, for ever');
				this.now = Math.max(this.now, until);
				return false;
			}
			this.now = Math.max(this.now, next.wakesAt);
			next.wake();
		}
	}

	private takeNext(until: number): Sleeper | undefined {
		let best: Sleeper | undefined;
		for (const sleeper of this.sleepers) {
			if (best === undefined || sleeper.wakesAt < best.wakesAt) best = sleeper;
		}
		if (best === undefined || best.wakesAt > until) return undefined;
		this.sleepers = this.sleepers.filter((sleeper) => sleeper !== best);
		return best;
	}
}
