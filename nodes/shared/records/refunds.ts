import { NOTHING, addAmounts, compareAmounts, readAmount, subtractAmounts } from '../money';
import type { ChargeState } from './chargeEvents';
import { readRefunded, totalText, type Charge, type RefundRecord } from './charge';
import { compareTexts } from '../values';

type DatedRefund = { readonly [Field in keyof RefundRecord]-?: NonNullable<RefundRecord[Field]> };

const isDated = (record: RefundRecord): record is DatedRefund =>
	record.at !== undefined && record.amount !== undefined;

/** The refund totals that a charge has had, the oldest first. Undefined if its refund records don't add up to `refund_total`. */
export function refundStates({ record }: Charge): ChargeState[] | undefined {
	const { total = NOTHING, recorded, records = [] } = readRefunded(record);
	const isSame = recorded !== undefined && compareAmounts(recorded, total) === 0;
	return isSame && records.every(isDated)
		? statesOf(inTime(records), record['currency'])
		: undefined;
}

/** The oldest first. Refunds of one moment keep the service's order, which may have the newest first. */
function inTime(records: readonly DatedRefund[]): DatedRefund[] {
	const isNewestFirst = (records[0]?.at ?? '') > (records.at(-1)?.at ?? '');
	const listed = isNewestFirst ? records.toReversed() : records;
	return listed.toSorted((one, other) => compareTexts(one.at, other.at));
}

function statesOf(records: readonly DatedRefund[], currency: unknown): ChargeState[] {
	const states: ChargeState[] = [];
	let total = NOTHING;
	for (const { at, amount } of records) {
		total = addAmounts(total, amount);
		if (compareAmounts(total, NOTHING) <= 0) continue;
		states.push({ text: totalText(total, currency), at, amount: totalText(amount, currency) });
	}
	return states;
}

/** @param isKnown whether a node has seen this refund total @returns null if the charge doesn't show what came since */
export function newlyRefunded(charge: Charge, isKnown: (total: string) => boolean): string | null {
	const states = refundStates(charge);
	const total = states?.pop()?.text;
	if (total === undefined) return null;
	const known = states?.findLast(({ text }) => isKnown(text))?.text;
	const added = subtractAmounts(readAmount(total) ?? NOTHING, readAmount(known) ?? NOTHING);
	return totalText(added, charge.record['currency']);
}
