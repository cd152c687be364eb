import { clock as nodesClock } from '../../nodes/shared/clock';

/** Virtual time: it stands still, but for sleeps, which take no real time at all. */
interface FakeClock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Moves time on without a sleep. */
	advance(ms: number): void;
	/** Sets the clock of the host on by so much, or back: no time passes. */
	setHost(byMs: number): void;
	/** Time stands still in sleeps too: nobody wakes any more. */
	freeze(): void;
	/** Every sleep that was asked for, in order, in milliseconds. */
	readonly sleeps: number[];
	/** Called after each test by itself; useful in the middle of one. */
	restore(): void;
}

interface Sleeper {
	wakesAt: number;
	wake: () => void;
}

const real = { ...nodesClock };
const realTimeout = AbortSignal.timeout.bind(AbortSignal);

function restoreRealClock(): void {
	Object.assign(nodesClock, real);
	AbortSignal.timeout = realTimeout;
}

/** For the file that imports this: a new one in each of its tests, in which no wait takes time. */
export let clock: FakeClock;

beforeEach(() => {
	clock = useFakeClock();
});
afterEach(restoreRealClock);

/**
 * Puts another virtual clock under the nodes until the end of the test. Sleepers wake in the order of
 * their times, each after all that is ready to run has run, so concurrent waits behave as in real
 * time. Time spent on the network counts as nothing.
 */
export function useFakeClock({
	now = Date.UTC(2025, 0, 15, 12),
	random = () => 0.5,
}: { now?: number; random?: () => number } = {}): FakeClock {
	let time = now;
	let hostErrorMs = 0;
	let isFrozen = false;
	const sleeps: number[] = [];
	const sleepers: Sleeper[] = [];

	const wakeNext = (): void => {
		if (isFrozen) return;
		sleepers.sort((one, other) => one.wakesAt - other.wakesAt);
		const next = sleepers.shift();
		if (next === undefined) return;
		time = Math.max(time, next.wakesAt);
		next.wake();
		if (sleepers.length > 0) setImmediate(wakeNext);
	};

	Object.assign(nodesClock, {
		now: () => time + hostErrorMs,
		elapsed: () => time,
		random,
		sleep: async (ms: number): Promise<void> => {
			sleeps.push(ms);
			await new Promise<void>((wake) => {
				sleepers.push({ wakesAt: time + ms, wake });
				if (sleepers.length === 1) setImmediate(wakeNext);
			});
		},
	} satisfies Partial<typeof nodesClock>);

	return {
		now: () => time + hostErrorMs,
		advance: (ms) => {
			time += ms;
		},
		setHost: (byMs) => {
			hostErrorMs += byMs;
		},
		freeze: () => {
			isFrozen = true;
		},
		sleeps,
		restore: restoreRealClock,
	};
}

/** More turns of the event loop than an answer takes that comes from a server in the same process. */
const TIMEOUT_TURNS = 1_000;

/**
 * Until the end of the test, requests time out after turns of the event loop, which no busy machine makes fewer.
 *
 * @returns the timeouts that were asked for, in milliseconds
 */
export function timeOutByTurns(): number[] {
	const asked: number[] = [];
	AbortSignal.timeout = (ms) => {
		asked.push(ms);
		const controller = new AbortController();
		let turns = 0;
		const turn = (): void => {
			turns += 1;
			if (turns < TIMEOUT_TURNS) setImmediate(turn);
			else controller.abort(new DOMException('Too late', 'TimeoutError'));
		};
		setImmediate(turn);
		return controller.signal;
	};
	return asked;
}
