import { clock as nodesClock } from '../../nodes/shared/clock';
import { VirtualTime } from './virtualTime';

const real = { ...nodesClock };
const realTimeout = AbortSignal.timeout.bind(AbortSignal);

function restoreRealClock(): void {
	Object.assign(nodesClock, real);
	AbortSignal.timeout = realTimeout;
}

/** A new clock in each test of the importing file. Waits take no time. */
export let clock: ReturnType<typeof useFakeClock>;

beforeEach(() => {
	clock = useFakeClock();
});
afterEach(restoreRealClock);

/**
 * Puts another virtual clock under the nodes until the end of the test. Time passes only in sleeps, by itself, and by advance(): sleepers
 * wake in the order of their times, each after all that is ready to run has run, so concurrent waits behave as in real
 * time. Time spent on the network counts as nothing.
 */
export function useFakeClock({
	now = Date.UTC(2025, 0, 15, 12),
	random = () => 0.5,
}: { now?: number; random?: () => number } = {}) {
	const time = new VirtualTime(now);
	const sleeps: number[] = [];
	let isFrozen = false;
	time.install(nodesClock, random);
	nodesClock.sleep = async (ms) => {
		sleeps.push(ms);
		const isFirst = !time.hasSleepers;
		const sleep = time.sleep(ms);
		if (isFirst) void time.pass(() => isFrozen || !time.hasSleepers);
		await sleep;
	};
	return {
		/** Milliseconds since the epoch. */
		now: (): number => time.now + time.hostErrorMs,
		advance: (ms: number): void => {
			time.now += ms;
		},
		/** Moves the clock of the host without letting time pass. */
		setHost: (byMs: number): void => {
			time.hostErrorMs += byMs;
		},
		/** Lets every sleep last forever. */
		freeze: (): void => {
			isFrozen = true;
		},
		/** All sleeps in order, in milliseconds. */
		sleeps,
		/** Called after each test by itself; useful in the middle of one. */
		restore: restoreRealClock,
	};
}

/** More turns of the event loop than a response from the same process takes. */
const TIMEOUT_TURNS = 1_000;

/**
 * Lets requests time out after turns of the event loop until the end of the test, independent of the machine's load.
 *
 * @returns the requested timeouts in milliseconds
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
