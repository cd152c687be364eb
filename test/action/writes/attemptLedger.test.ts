import {
	MAX_AGE_MS,
	MAX_ENTRIES,
	AttemptLedger,
} from '../../../nodes/PaymentCollection/writes/attemptLedger';
import type { AttemptKey } from '../../../nodes/PaymentCollection/writes/attemptLedger';
import { useFakeClock } from '../../support/clock';

const done = (id: string) => ({ state: 'done', result: { id } }) as const;

const keyOf = (key: string, run: object = {}, request = 'request'): AttemptKey => ({
	key,
	run,
	request,
});

describe('AttemptLedger', () => {
	it('knows nothing of a write that never was', () => {
		expect(new AttemptLedger().recall(keyOf('a'))).toBeUndefined();
	});

	it('gives the outcome back to the next try, whatever would be sent by then', () => {
		const memory = new AttemptLedger();
		const run = {};
		memory.record(keyOf('a', run, 'note at 12:00'), done('link'));
		expect(memory.recall(keyOf('a', run, 'note at 12:01'))).toEqual(done('link'));
	});

	it('keeps attempts apart', () => {
		const memory = new AttemptLedger();
		const run = {};
		memory.record(keyOf('a', run), done('link'));
		expect(memory.recall(keyOf('b', run))).toBeUndefined();
	});

	it('takes the same request under the same key for the same write, another one for another', () => {
		const memory = new AttemptLedger();
		memory.record(keyOf('a', {}, 'one'), done('link'));
		expect(memory.recall(keyOf('a', {}, 'one'))).toEqual(done('link'));
		expect(memory.recall(keyOf('a', {}, 'other'))).toBeUndefined();
	});

	it('replaces an outcome by what is known better', () => {
		const memory = new AttemptLedger<string>();
		const attempt = keyOf('a');
		memory.record(attempt, { state: 'unknown', about: 'no answer' });
		memory.record(attempt, done('link'));
		expect(memory.recall(attempt)).toEqual(done('link'));
		expect(memory.size).toBe(1);
	});

	it('forgets what was certainly not carried out', () => {
		const memory = new AttemptLedger();
		const attempt = keyOf('a');
		memory.record(attempt, done('link'));
		memory.release(attempt);
		expect(memory.recall(attempt)).toBeUndefined();
		expect(memory.size).toBe(0);
	});

	it('drops outcomes after an hour, but not that there was a write', () => {
		const clock = useFakeClock();
		const memory = new AttemptLedger();
		const attempt = keyOf('a');
		memory.record(attempt, done('link'));
		clock.advance(MAX_AGE_MS);
		expect(memory.recall(attempt)).toEqual(done('link'));
		clock.advance(1);
		expect(memory.recall(attempt)).toEqual({ state: 'dropped' });
		expect(memory.recall({ ...attempt, run: {} })).toBeUndefined();
		memory.release(attempt);
		expect(memory.recall(attempt)).toBeUndefined();
	});

	it('frees what is too old at the next write', () => {
		const clock = useFakeClock();
		const memory = new AttemptLedger();
		for (const key of ['a', 'b', 'c']) memory.record(keyOf(key), done(key));
		clock.advance(MAX_AGE_MS + 1);
		memory.record(keyOf('d'), done('d'));
		expect(memory.size).toBe(1);
	});

	it('holds a bounded number of outcomes, and drops the oldest of them', () => {
		useFakeClock();
		const memory = new AttemptLedger();
		const run = {};
		for (let item = 0; item < MAX_ENTRIES + 5; item += 1) {
			memory.record(keyOf(`item ${item}`, run), done('link'));
		}
		expect(memory.size).toBe(MAX_ENTRIES);
		expect(memory.recall(keyOf('item 4', run))).toEqual({ state: 'dropped' });
		expect(memory.recall(keyOf('item 5', run))).toEqual(done('link'));
	});

	it('counts a renewed outcome as a young one', () => {
		useFakeClock();
		const memory = new AttemptLedger();
		const run = {};
		for (let item = 0; item < MAX_ENTRIES; item += 1) {
			memory.record(keyOf(`item ${item}`, run), done('link'));
		}
		memory.record(keyOf('item 0', run), done('again'));
		memory.record(keyOf('one more', run), done('link'));
		expect(memory.recall(keyOf('item 0', run))).toEqual(done('again'));
		expect(memory.recall(keyOf('item 1', run))).toEqual({ state: 'dropped' });
	});
});
