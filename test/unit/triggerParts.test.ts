import { parseCursor } from '../../nodes/PaymentCollectionTrigger/cursor';
import { pageAround } from '../../nodes/PaymentCollectionTrigger/chargeList';
import { triggerFields } from '../../nodes/PaymentCollectionTrigger/fields';
import { judgeOrder } from '../../nodes/PaymentCollectionTrigger/listOrder';
import { DEFAULTS } from '../../nodes/PaymentCollectionTrigger/settings';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { fromMs, parseInstant, shift, toMs } from '../../nodes/PaymentCollectionTrigger/timestamps';

describe('timestamps', () => {
	it.each([
		['2026-01-31T12:00:00Z', '2026-01-31T12:00:00'],
		['2026-01-31T12:00:00.000000Z', '2026-01-31T12:00:00'],
		['2026-01-31T12:00:00.120000Z', '2026-01-31T12:00:00.12'],
		['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123456789'],
		['2026-01-31T12:00:00.5+04:00', '2026-01-31T08:00:00.5'],
		['2026-01-31T23:30:00-0130', '2026-02-01T01:00:00'],
		['2026-01-31 12:00:00', '2026-01-31T12:00:00'],
		['2026-12-31T23:59:60Z', '2027-01-01T00:00:00'],
		['2026-01-31', '2026-01-31T00:00:00'],
	])('reads %s exactly', (text, instant) => {
		expect(parseInstant(text)).toBe(instant);
	});

	it.each([
		'',
		'yesterday',
		'2026-13-01T00:00:00Z',
		'2026-01-01T25:00:00Z',
		1_700_000_000,
		null,
		undefined,
	])('refuses %p', (text) => {
		expect(parseInstant(text)).toBeUndefined();
	});

	it('tells microseconds apart, and keeps them when time is added', () => {
		const early = parseInstant('2026-01-31T12:00:00.000001Z') ?? '';
		const late = parseInstant('2026-01-31T16:00:00.000002+04:00') ?? '';
		expect(early < late).toBe(true);
		expect(shift(early, -1)).toBe('2026-01-31T11:59:59.999001');
		expect(fromMs(toMs('2026-01-31T12:00:00.25'))).toBe('2026-01-31T12:00:00.25');
	});
});

describe('the order of a list', () => {
	const times = (minutes: number[]) => minutes.map((minute) => fromMs(minute * 60_000));
	const ascending = Array.from({ length: 20 }, (_, index) => index * 10);

	it('is read off the rows', () => {
		expect(judgeOrder(times(ascending), undefined)).toEqual({ order: 'oldestFirst', slackMs: 0 });
		expect(judgeOrder(times([...ascending].reverse()), undefined).order).toBe('newestFirst');
	});

	it('is not taken from a few rows, nor from rows that are all of one time', () => {
		expect(judgeOrder(times(ascending.slice(0, 5)), undefined).order).toBeUndefined();
		expect(judgeOrder(times(ascending.map(() => 1)), undefined).order).toBeUndefined();
	});

	it('is none where many steps go the wrong way, though within a short time', () => {
		const nearly = [...ascending.map((minute) => 10_000 + ((minute * 7) % 200)), 0];
		expect(judgeOrder(times(nearly), undefined).order).toBe('none');
	});

	it('is kept when a late charge stands out of it', () => {
		const late = times([150, ...[...ascending].reverse()]);
		expect(judgeOrder(late, 'newestFirst')).toEqual({
			order: 'newestFirst',
			slackMs: 40 * 60_000 + 1,
		});
	});
});

it('chooses pages that share a row with what was read, and waste few', () => {
	for (const size of [10, 25, 100]) {
		for (let index = 1; index < 2_000; index++) {
			const { number, size: chosen, overlaps } = pageAround(index, size, 'before');
			const first = (number - 1) * chosen;
			if (overlaps) {
				expect(first).toBeLessThan(index);
				expect(first + chosen).toBeGreaterThan(index);
			}
		}
	}
});

describe('a stored cursor', () => {
	const essentials = {
		version: 2,
		account: 'a',
		filters: 'f',
		newest: '2026-01-31T12:00:00',
		from: '2026-01-31T11:00:00',
		known: { abc: 'keykeykey0' },
	};
	const stored = { ...essentials, order: 'newestFirst', watch: { not: 'one' } };

	it('is read in every version', () => {
		const upgraded = { ...essentials, order: 'newestFirst' };
		expect(parseCursor({ ...stored, version: 1 })).toEqual(upgraded);
		expect(parseCursor({ ...stored, version: 99 })).toEqual(essentials);
	});

	it.each([
		undefined,
		null,
		'text',
		[],
		{},
		{ ...stored, known: { a: 1 } },
		{ ...stored, from: 5 },
	])('that is none is refused: %p', (nonsense) => {
		expect(parseCursor(nonsense)).toBeUndefined();
	});
});

describe('the description', () => {
	const { description } = new PaymentCollectionTrigger();

	it('has the parameters of the package’s contract, and is no tool', () => {
		const named = (name: string) => triggerFields.find((field) => field.name === name);
		const optionsOf = (name: string) =>
			(named(name)?.options ?? []).map((option) => option.name).sort();
		expect(triggerFields.map(({ name }) => name)).toEqual([
			'events',
			'filters',
			'simplify',
			'options',
		]);
		expect(optionsOf('filters')).toEqual(['currency', 'customerId', 'search', 'status', 'type']);
		expect(optionsOf('options')).toEqual([
			'includeSensitiveData',
			'lookbackMinutes',
			'maxChargesPerPoll',
			'startDate',
			'startFrom',
			'sweepPages',
			'watchDays',
		]);
		expect(description.usableAsTool).toBeUndefined();
	});

	it('shows the defaults that apply when an option is not set', () => {
		const options = triggerFields.find(({ name }) => name === 'options')?.options ?? [];
		const shown = options.flatMap((option) =>
			'default' in option && option.name in DEFAULTS ? [[option.name, option.default]] : [],
		);
		expect(Object.fromEntries(shown)).toEqual(DEFAULTS);
	});
});
