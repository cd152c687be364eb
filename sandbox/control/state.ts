import type { SandboxContext } from '../context';
import { iso } from '../data/world';
import type { LazyTable } from '../store/table';

const SAMPLE_IDS = 5;

/** Answer of GET /_sandbox/state. The samples are ids to try where the service has no list. */
export function describeState(context: SandboxContext) {
	const { store, switches, faults } = context;
	const { charges, customers, links, invoices, checkoutSessions } = store;
	return {
		url: store.options.url,
		seed: store.options.seed,
		now: iso(store.nowMs),
		counts: {
			charges: charges.size,
			customers: customers.size,
			links: links.size,
			invoices: invoices.size,
			checkoutSessions: checkoutSessions.size,
		},
		samples: {
			charges: sample(charges, ({ charge }) => charge.id),
			customers: sample(customers, ({ id }) => id),
			links: sample(links, ({ link }) => link.id),
			invoices: sample(invoices, ({ id }) => id),
			checkoutSessions: sample(checkoutSessions, ({ id }) => id),
		},
		switches,
		faults: faults.list.length,
	};
}

/** The rules in force; a regular expression is shown as text. */
export function listFaults({ faults }: SandboxContext) {
	return {
		faults: faults.list.map(({ match, ...rule }) => ({
			...rule,
			match: { ...match, path: match.path === undefined ? undefined : String(match.path) },
		})),
	};
}

function sample<Row>(table: LazyTable<Row>, idOf: (row: Row) => string): string[] {
	return Array.from({ length: Math.min(SAMPLE_IDS, table.size) }, (_, position) =>
		table.at(position),
	).flatMap((row) => (row === undefined ? [] : [idOf(row)]));
}
