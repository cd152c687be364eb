import { DatedKeys } from '../../nodes/PaymentCollectionTrigger/state/datedKeys';
import {
	hasOtherOwner,
	readDates,
	readStored,
	toStored,
	type StoredState,
} from '../../nodes/PaymentCollectionTrigger/state/state';
import { fromMs, latest, toMs } from '../../nodes/shared/timestamps';
import fc, { property } from '../support/jest/property';

const instant = fc
	.integer({ min: Date.UTC(2019, 0, 1), max: Date.UTC(2030, 0, 1) })
	.map((ms) => fromMs(ms));

const state: fc.Arbitrary<StoredState> = fc
	.record({
		serial: fc.nat(),
		polledAt: instant,
		newest: fc.option(instant, { nil: undefined }),
		since: instant,
		owner: fc.constantFrom('one', 'two'),
		known: fc.string(),
	})
	.map(({ serial, owner, ...fields }) => ({
		serial,
		state: {
			...fields,
			scope: { owner, apiKey: 'key', query: 'query' },
			listFacts: { order: 'newestFirst', lastPage: 1 },
		},
	}));

describe('a stored state', () => {
	property(
		'is read as it was written, and rejected if any part of it was changed',
		[state, fc.anything()],
		(one, other) => {
			const stored = toStored(one);
			expect(readStored(JSON.parse(JSON.stringify(stored)))).toEqual(one);
			for (const [name, value] of Object.entries(stored)) {
				if (value === undefined || Object.is(value, other)) continue;
				expect(readStored({ ...stored, [name]: other })).toBeUndefined();
			}
			expect(readStored(other)).toBeUndefined();
		},
	);

	property(
		'shows its owner and last poll even if the rest is damaged',
		[state, fc.string()],
		(one, damage) => {
			const { polledAt, newest, scope } = one.state;
			const stored = { ...toStored(one), serial: damage, checksum: damage };
			expect(readDates(stored)).toEqual({ polledAt, newest });
			expect(hasOtherOwner(stored, scope.owner)).toBe(false);
			expect(hasOtherOwner(stored, 'someone else')).toBe(true);
			const later = fromMs(toMs(latest(polledAt, newest ?? polledAt)) + 1);
			expect(readDates({ ...stored, polledAt: later })).toEqual({});
			expect(readDates({ ...stored, newest: later })).toEqual({ polledAt, newest: undefined });
			expect(readDates(damage)).toEqual({});
			expect(hasOtherOwner(damage, scope.owner)).toBe(false);
		},
	);
});

describe('the keys of charges', () => {
	const key = fc.stringMatching(/^[\w-]{10}$/);
	const entry = fc.tuple(key, instant, fc.stringMatching(/^([\w-]{4}){0,3}$/));
	const entries = fc.uniqueArray(entry, { selector: ([name]) => name, maxLength: 60 });
	const filled = (all: ReadonlyArray<readonly [string, string, string]>) => {
		const keys = new DatedKeys('');
		for (const [name, created, value] of all) keys.note(name, created, value);
		return keys;
	};
	const secondOf = (created: string) => Math.floor(toMs(created) / 1000);

	property('are read as they were written, with the second of their creation', [entries], (all) => {
		const read = new DatedKeys(filled(all).toText());
		const expected = all.map(([name, created, value]) => [
			name,
			{ second: secondOf(created), value },
		]);
		expect(Object.fromEntries(read)).toEqual(Object.fromEntries(expected));
	});

	property(
		'are all kept up to a limit; above it, the newest nine tenths of the limit are kept',
		[entries, fc.integer({ min: 1, max: 60 })],
		(all, most) => {
			const keys = filled(all);
			const from = keys.shrink(most);
			expect(from === undefined).toBe(all.length <= most);
			const kept = all.filter(([, created]) => from === undefined || created >= from);
			expect([...keys.keys()].sort()).toEqual(kept.map(([name]) => name).sort());
			if (from !== undefined) expect(keys.size).toBeLessThanOrEqual(0.9 * most);
			const seconds = new Set(all.map(([, created]) => secondOf(created)));
			// Keys of one second are kept or removed together.
			if (from !== undefined && seconds.size === all.length)
				expect(keys.size).toBe(Math.floor(0.9 * most));
		},
	);
});
