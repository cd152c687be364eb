import type { clock as nodesClock } from '../../nodes/shared/clock';

export type Clock = typeof nodesClock;

interface Sleeper {
	readonly wakesAt: number;
	readonly wake: () => void;
}

/** Time that only moves when somebody sleeps or a schedule says so. For the trigger, it is the service's time. */
export class VirtualTime {
	/** How far n8n's own clock is ahead of it. */
	hostErrorMs = 0;
	private sleepers: Sleeper[] = [];

	/** @param now milliseconds since the epoch */
	constructor(public now: number) {}

	get hasSleepers(): boolean {
		return this.sleepers.length > 0;
	}

	readonly sleep = async (ms: number): Promise<void> => {
		if (ms <= 0) return;
		await new Promise<void>((wake) => this.sleepers.push({ wakesAt: this.now + ms, wake }));
	};

	/** Puts this time under the nodes. */
	install(clock: Clock, random = () => 0.5): void {
		clock.now = () => this.now + this.hostErrorMs;
		clock.elapsed = () => this.now;
		clock.sleep = this.sleep;
		clock.random = random;
	}

	/** Lets time pass until something is over, or until a point in time. */
	async pass(isOver: () => boolean, until = Number.POSITIVE_INFINITY): Promise<void> {
		for (;;) {
			// Lets everything run that is ready.
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
