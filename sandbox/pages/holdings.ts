import type { Charge } from '../../contract/schemas/charge';
import { decimalsOf, toMinor, toText } from '../operations/money';
import type { Store } from '../store/store';

/** Charges are made when they are first read, ten thousand in under a second: no reader waits for a million. */
const MAX_READ = 10_000;

interface CurrencyTotals {
	currency: string;
	charges: number;
	total: string;
	refunded: string;
}

/** What a store's newest charges come to. */
export interface ChargeTotals {
	/** How many charges were looked at: all, or the newest ones. */
	read: number;
	/** In alphabetical order. */
	currencies: CurrencyTotals[];
	/** The most frequent one first. */
	statuses: { status: string; charges: number }[];
}

export function chargeTotals({ charges }: Store): ChargeTotals {
	const read = Array.from({ length: Math.min(charges.size, MAX_READ) }, (_, position) =>
		charges.at(position),
	).flatMap((stored) => (stored === undefined ? [] : [stored.charge]));
	return {
		read: read.length,
		currencies: [...groups(read, ({ currency }) => currency)]
			.map(([currency, of]) => ({
				currency,
				charges: of.length,
				total: add(of, currency, 'total'),
				refunded: add(of, currency, 'refund_total'),
			}))
			.sort((one, other) => (one.currency < other.currency ? -1 : 1)),
		statuses: [...groups(read, ({ status }) => status)]
			.map(([status, of]) => ({ status, charges: of.length }))
			.sort((one, other) => other.charges - one.charges),
	};
}

function groups(charges: readonly Charge[], nameOf: (charge: Charge) => string) {
	const found = new Map<string, Charge[]>();
	for (const charge of charges) {
		const group = found.get(nameOf(charge));
		if (group) group.push(charge);
		else found.set(nameOf(charge), [charge]);
	}
	return found;
}

/** A staged charge may have any text as its amount, which then counts for nothing. */
function add(charges: readonly Charge[], currency: string, field: 'total' | 'refund_total') {
	const decimals = decimalsOf(currency) ?? 2;
	const parts = charges.map((charge) => toMinor(charge[field], decimals) ?? 0n);
	return toText(
		parts.reduce((sum, part) => sum + part, 0n),
		decimals,
	);
}
