import { PLAIN_SETTINGS } from '../schedule';
import type { EventName, Settings } from '../schedule';
import type { Order } from '../service/traits';
import { DAY_MS, MINUTE_MS } from '../time';

/** What a case of the cost table does, from a trigger that has begun on. */
export interface CostCase {
	readonly name: string;
	readonly order: Order;
	readonly trigger: Settings;
	/** Charges that are there when the trigger begins, and how far apart. */
	readonly history: { readonly count: number; readonly gapMs: number };
	/** Charges that come in before each poll that is measured. */
	readonly arrivals: number;
	/** Whether they bear one timestamp. */
	readonly isMass: boolean;
	/** How many polls are measured; null stands for as many as it takes until all is told. */
	readonly polls: number | null;
	/** Polls in between that come without arrivals, so that what they cost is not mixed. */
	readonly restMs: number;
}

const CHARGES_A_DAY = 10_000;
const GAP_MS = DAY_MS / CHARGES_A_DAY;
export const PAGE = 100;

const CREATED: readonly EventName[] = ['charge.created'];
const ALL: readonly EventName[] = ['charge.created', 'charge.refunded', 'charge.statusChanged'];

const base: Omit<CostCase, 'name'> = {
	order: 'newest',
	trigger: PLAIN_SETTINGS,
	history: { count: 3_000, gapMs: GAP_MS },
	arrivals: 0,
	isMass: false,
	// Longer than half a lookback: one of them reads the window.
	polls: 40,
	restMs: MINUTE_MS,
};

const inBothOrders = (name: string, more: Partial<CostCase>): CostCase[] => [
	{ ...base, ...more, order: 'newest', name: `${name}, newest first` },
	{ ...base, ...more, order: 'oldest', name: `${name}, oldest first` },
];

const million: Omit<CostCase, 'name'> = {
	...base,
	history: { count: 1_000_000, gapMs: GAP_MS },
	arrivals: 35,
	restMs: 5 * MINUTE_MS,
};

const thousands = (count: number): string => count.toLocaleString('en-US');

/** The rows of the table. */
export const COST_CASES: readonly CostCase[] = [
	...inBothOrders('Nothing new', {}),
	...[100, 250].flatMap((arrivals) => inBothOrders(`${arrivals} new in each poll`, { arrivals })),
	...inBothOrders('A backlog of 100,000', {
		trigger: { ...PLAIN_SETTINGS, startFrom: 'beginning' },
		history: { count: 100_000, gapMs: 20_000 },
		polls: null,
	}),
	...inBothOrders('20,000 of one timestamp', { arrivals: 20_000, isMass: true, polls: null }),
	{ ...million, name: 'An account of 1,000,000, 35 new in 5 minutes' },
	{
		...million,
		name: 'The same, refunds and statuses watched',
		trigger: { ...PLAIN_SETTINGS, events: ALL },
	},
];

/** Polls in which the charges of the watched days are looked at once, and as many again half. */
const polls = (chargesADay: number, watchDays: number, sweepPages: number): number =>
	Math.ceil((1.5 * chargesADay * watchDays) / PAGE / sweepPages);

const account = (
	chargesADay: number,
	more: string,
	{ watchDays = 7, sweepPages = 5, events = ALL }: Partial<Settings>,
): CostCase => ({
	...base,
	name: `${thousands(chargesADay)} a day${more}`,
	trigger: { ...PLAIN_SETTINGS, events, watchDays, sweepPages },
	history: { count: 1_000_000, gapMs: DAY_MS / chargesADay },
	arrivals: Math.round(chargesADay / (DAY_MS / MINUTE_MS)),
	polls: events === CREATED ? 60 : polls(chargesADay, watchDays, sweepPages),
});

/** The rows of the table of docs/scale.md: an account of a million charges, polled every minute, for a whole sweep. */
export const SCALE_CASES: readonly CostCase[] = [10_000, 100_000].flatMap((chargesADay) => [
	account(chargesADay, ', created only', { events: CREATED }),
	account(chargesADay, '', {}),
	account(chargesADay, ', 50 pages rechecked', { sweepPages: 50 }),
]);
