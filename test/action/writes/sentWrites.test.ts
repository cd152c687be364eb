import {
	MAX_AGE_MS,
	MAX_ENTRIES,
	SentWrites,
} from '../../../nodes/PaymentCollection/writes/sentWrites';
import type { WriteId } from '../../../nodes/PaymentCollection/operation';
import { clock } from '../../support/clock';

const done = (id: string) => ({ state: 'carriedOut', result: { id } }) as const;

const idOf = (step: string, run: object = {}, hash = 'hash'): WriteId => ({
	step,
	run,
	hash,
});

it('removes outcomes that are too old at the next write', () => {
	const memory = new SentWrites();
	for (const key of ['a', 'b', 'c']) memory.note(idOf(key), done(key));
	clock.advance(MAX_AGE_MS + 1);
	memory.note(idOf('d'), done('d'));
	expect(memory.size).toBe(1);
});

it('keeps a limited number of outcomes, and drops the oldest', () => {
	const memory = new SentWrites();
	const run = {};
	for (let item = 0; item < MAX_ENTRIES + 5; item += 1) {
		memory.note(idOf(`item ${item}`, run), done('link'));
	}
	expect(memory.size).toBe(MAX_ENTRIES);
	expect(memory.recall(idOf('item 4', run))).toEqual({ state: 'unknown' });
	expect(memory.recall(idOf('item 5', run))).toEqual(done('link'));
});
