import type { Order } from '../service/traits';

/** How much of the world a schedule may use. */
export interface Scope {
	readonly orders: readonly Order[];
	/** Page sizes that are ignored or rounded, ends of all kinds, odd timestamps. */
	readonly oddPages: boolean;
	/** A count that is missing or lies. */
	readonly oddCounts: boolean;
	/** Rows that stand twice, or show late in some answers; pages that grow and shrink. */
	readonly quirks: boolean;
	/** Requests that fail. */
	readonly faults: boolean;
	/** Answers that take their time, up to 25 s. */
	readonly slow: boolean;
	/** Rows that move, vanish, lie or can't be read. */
	readonly oddRows: boolean;
	/** Rows that change their places between requests, and lists that are sorted in another way one day. */
	readonly unsteady: boolean;
	/** n8n dies, and its clock is wrong. */
	readonly crashes: boolean;
	/** Users publish, rename, and change filters and credentials. */
	readonly users: boolean;
	/** They change what is told, and what else is published seldom, too. */
	readonly choices?: true;
	/** States are put back and damaged, polls overlap, registrations stay behind. */
	readonly states: boolean;
	/** Refunds and statuses, with a Status filter too. */
	readonly watch: boolean;
	/** More charges come in than can be remembered. */
	readonly overflow: boolean;
}

const ORDERS = [
	'newest',
	'newest',
	'oldest',
	'insertedNewest',
	'insertedOldest',
	'changed',
	'status',
	'amount',
	'none',
] as const;

const PLAIN: Scope = {
	orders: ['newest'],
	oddPages: false,
	oddCounts: false,
	quirks: false,
	faults: false,
	slow: false,
	oddRows: false,
	unsteady: false,
	crashes: false,
	users: false,
	states: false,
	watch: false,
	overflow: false,
};

const PAGES: Scope = { ...PLAIN, orders: ORDERS, oddPages: true };

/** Where rows stand twice or some answers are late, only an order by date is sure to show what is new. */
const QUIRKS: Scope = {
	...PAGES,
	quirks: true,
	orders: ['newest', 'oldest', 'insertedNewest', 'insertedOldest'],
};

/** All at once, but for what has worlds of its own. */
const EVERYTHING: Scope = {
	orders: ORDERS,
	oddPages: true,
	oddCounts: true,
	quirks: false,
	faults: true,
	slow: true,
	oddRows: true,
	unsteady: true,
	crashes: true,
	users: true,
	states: true,
	watch: false,
	overflow: false,
};

/** Worlds that are searched for a broken promise. */
export const SCOPES = {
	plain: PLAIN,
	orders: { ...PLAIN, orders: ORDERS },
	pages: PAGES,
	counts: { ...PAGES, oddCounts: true },
	quirks: QUIRKS,
	watchQuirks: { ...QUIRKS, watch: true },
	faults: { ...PAGES, faults: true },
	slow: { ...PAGES, faults: true, slow: true },
	rows: { ...PAGES, oddRows: true },
	unsteady: { ...PAGES, unsteady: true, orders: [...ORDERS, 'shuffled'] },
	crashes: { ...PAGES, faults: true, crashes: true },
	users: { ...PAGES, users: true, crashes: true },
	usersFaults: { ...PAGES, users: true, crashes: true, faults: true },
	states: { ...PAGES, states: true, crashes: true },
	watch: { ...PLAIN, orders: ORDERS, watch: true },
	watchAll: { ...PAGES, watch: true, faults: true, crashes: true },
	watchUsers: { ...PAGES, watch: true, users: true },
	watchCounts: { ...PAGES, watch: true, oddCounts: true },
	watchSlow: { ...PAGES, watch: true, faults: true, slow: true },
	choices: { ...PAGES, users: true, crashes: true, choices: true },
	watchChoices: { ...PAGES, watch: true, users: true, choices: true },
	watchChoicesFaults: { ...PAGES, watch: true, users: true, choices: true, faults: true },
	watchStates: { ...PAGES, watch: true, states: true, crashes: true },
	overflow: { ...PAGES, oddCounts: true, faults: true, crashes: true, overflow: true },
	watchOverflow: { ...PAGES, watch: true, faults: true, overflow: true },
	everything: EVERYTHING,
	everythingOverflow: { ...EVERYTHING, overflow: true },
} satisfies Record<string, Scope>;

export type WorldName = keyof typeof SCOPES;

export const worldNames = Object.keys(SCOPES) as WorldName[];

/** Where more is forgotten than docs/trigger.md says that it costs: these are played when they are asked for. */
const OPEN: ReadonlySet<WorldName> = new Set(['overflow', 'watchOverflow', 'everythingOverflow']);

export const promisedWorlds = worldNames.filter((world) => !OPEN.has(world));
