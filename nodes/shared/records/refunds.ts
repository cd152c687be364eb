import { Amount } from '../money';
import type { ChargeState } from './chargeEvents';
import { readRefunded, amountText, type Charge, type RefundRecord } from './charge';
import { compareTexts } from '../values';

type ReadableRefund = {
	readonly [Field in keyof RefundRecord]-?: NonNullable<RefundRecord[Field]>;
};

const isReadable = (record: RefundRecord): record is ReadableRefund =>
	record.at !== undefined && record.amount !== undefined;

/** The refund totals of a charge, the oldest first. Undefined if a refund record lacks a time, or they don't add up to `refund_total`. */
export function refundStates({ record }: Charge): ChargeState[] | undefined {
	const { total = Amount.ZERO, recorded, records = [] } = readRefunded(record);
	const isSame = recorded?.equals(total) === true;
	if (!isSame || !records.every(isReadable)) return undefined;
	return totalsOf(inTime(records), record['currency']);
}

/** The oldest first. Refunds of one moment keep the service's order, reversed if that has the newest first. */
function inTime(records: readonly ReadableRefund[]): ReadableRefund[] {
	const isNewestFirst = (records[0]?.at ?? '') > (records.at(-1)?.at ?? '');
	const listed = isNewestFirst ? records.toReversed() : records;
	return listed.toSorted((one, other) => compareTexts(one.at, other.at));
}

function totalsOf(records: readonly ReadableRefund[], currency: unknown): ChargeState[] {
	const states: ChargeState[] = [];
	let total = Amount.ZERO;
	for (const { at, amount } of records) {
		total = total.plus(amount);
		if (!total.isPositive) continue;
		states.push({ text: amountText(total, currency), at, amount: amountText(amount, currency) });
	}
	return states;
}

/** The refunds of a charge that a node has seen before. */
export interface SeenRefunds {
	readonly has: (state: ChargeState) => boolean;
	/** Number of refunds seen, including any that the charge no longer shows. */
	readonly count: number;
}

/** @returns the amount refunded since the last total that was seen; null if the refund records don't show it */
export function newlyRefunded(charge: Charge, { has, count }: SeenRefunds): string | null {
	const states = refundStates(charge);
	const total = states?.at(-1)?.text;
	const seen = states?.slice(0, -1).filter(has) ?? [];
	// The difference would be wrong if a refund that was seen is no longer shown.
	if (total === undefined || seen.length < count) return null;
	const before = Amount.read(seen.at(-1)?.text) ?? Amount.ZERO;
	return amountText((Amount.read(total) ?? Amount.ZERO).minus(before), charge.record['currency']);
}
