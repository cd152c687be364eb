import {
	MAX_AGE_MS,
	MAX_ENTRIES,
	WriteMemory,
	requestHash,
} from '../../nodes/PaymentCollection/run/writeMemory';
import type { WriteSlot } from '../../nodes/PaymentCollection/run/writeMemory';
import { useFakeClock } from '../support/clock';

const done = (id: string) => ({ state: 'done', result: { id } }) as const;

const slotOf = (key: string, run: object = {}, request = 'request'): WriteSlot => ({
	key,
	run,
	request,
});

describe('WriteMemory', () => {
	it('knows nothing of a write that never was', () => {
		expect(new WriteMemory().recall(slotOf('a'))).toBeUndefined();
	});

	it('gives the outcome back to the next try, whatever would be sent by then', () => {
		const memory = new WriteMemory();
		const run = {};
		memory.remember(slotOf('a', run, 'note at 12:00'), done('link'));
		expect(memory.recall(slotOf('a', run, 'note at 12:01'))).toEqual(done('link'));
	});

	it('keeps slots apart', () => {
		const memory = new WriteMemory();
		const run = {};
		memory.remember(slotOf('a', run), done('link'));
		expect(memory.recall(slotOf('b', run))).toBeUndefined();
	});

	it('takes the same request under the same key for the same write, another one for another', () => {
		const memory = new WriteMemory();
		memory.remember(slotOf('a', {}, 'one'), done('link'));
		expect(memory.recall(slotOf('a', {}, 'one'))).toEqual(done('link'));
		expect(memory.recall(slotOf('a', {}, 'other'))).toBeUndefined();
	});

	it('replaces an outcome by what is known better', () => {
		const memory = new WriteMemory<string>();
		const slot = slotOf('a');
		memory.remember(slot, { state: 'unknown', about: 'no answer' });
		memory.remember(slot, done('link'));
		expect(memory.recall(slot)).toEqual(done('link'));
		expect(memory.size).toBe(1);
	});

	it('forgets what was certainly not carried out', () => {
		const memory = new WriteMemory();
		const slot = slotOf('a');
		memory.remember(slot, done('link'));
		memory.forget(slot);
		expect(memory.recall(slot)).toBeUndefined();
		expect(memory.size).toBe(0);
	});

	it('drops outcomes after an hour, but not that there was a write', () => {
		const clock = useFakeClock();
		const memory = new WriteMemory();
		const slot = slotOf('a');
		memory.remember(slot, done('link'));
		clock.advance(MAX_AGE_MS);
		expect(memory.recall(slot)).toEqual(done('link'));
		clock.advance(1);
		expect(memory.recall(slot)).toEqual({ state: 'dropped' });
		expect(memory.recall({ ...slot, run: {} })).toBeUndefined();
		memory.forget(slot);
		expect(memory.recall(slot)).toBeUndefined();
	});

	it('frees what is too old at the next write', () => {
		const clock = useFakeClock();
		const memory = new WriteMemory();
		for (const key of ['a', 'b', 'c']) memory.remember(slotOf(key), done(key));
		clock.advance(MAX_AGE_MS + 1);
		memory.remember(slotOf('d'), done('d'));
		expect(memory.size).toBe(1);
	});

	it('holds a bounded number of outcomes, and drops the oldest of them', () => {
		useFakeClock();
		const memory = new WriteMemory();
		const run = {};
		for (let item = 0; item < MAX_ENTRIES + 5; item += 1) {
			memory.remember(slotOf(`item ${item}`, run), done('link'));
		}
		expect(memory.size).toBe(MAX_ENTRIES);
		expect(memory.recall(slotOf('item 4', run))).toEqual({ state: 'dropped' });
		expect(memory.recall(slotOf('item 5', run))).toEqual(done('link'));
	});

	it('counts a renewed outcome as a young one', () => {
		useFakeClock();
		const memory = new WriteMemory();
		const run = {};
		for (let item = 0; item < MAX_ENTRIES; item += 1) {
			memory.remember(slotOf(`item ${item}`, run), done('link'));
		}
		memory.remember(slotOf('item 0', run), done('again'));
		memory.remember(slotOf('one more', run), done('link'));
		expect(memory.recall(slotOf('item 0', run))).toEqual(done('again'));
		expect(memory.recall(slotOf('item 1', run))).toEqual({ state: 'dropped' });
	});
});

describe('requestHash', () => {
	it('tells requests apart without showing what is in them', () => {
		const secret = 'tok-planted';
		expect(requestHash([secret, 1])).not.toContain(secret);
		expect(requestHash([secret, 1])).not.toBe(requestHash([secret, 2]));
		expect(requestHash([secret, 1])).toBe(requestHash([secret, 1]));
	});
});
