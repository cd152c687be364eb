import {
	NOTHING,
	addAmounts,
	amountText,
	compareAmounts,
	currencyDigits,
	readAmount,
	withScale,
	withoutSpareZeros,
	type Amount,
} from '../money';
import { hasFailed } from '../service/answers';
import { parseInstant, type Instant } from '../timestamps';
import { plainText, isRecord } from '../values';

type ChargeRecord = Readonly<Record<string, unknown>>;

/** A refund that a charge has a record of, and that has not failed; undefined is what can't be read of it. */
export interface RefundRecord {
	readonly amount: Amount | undefined;
	readonly at: Instant | undefined;
}

/** How much of a charge is refunded (docs/service.md, Charges). */
export interface Refunded {
	/** `refund_total`, or `recorded` where that is missing; undefined when it can't be read. */
	readonly total: Amount | undefined;
	/** What the refund records add up to; undefined when one of them can't be read. */
	readonly recorded: Amount | undefined;
	/** Undefined for a charge without a list of them. */
	readonly records: readonly RefundRecord[] | undefined;
}

/** The document does not say that a charge always states what is refunded of it. */
const isMissing = (value: unknown): boolean =>
	value === undefined || value === null || value === '';

/** The only reading of it, for refunds, for events and for lists. */
export function readRefunded({ refund_total: stated, refunds }: ChargeRecord): Refunded {
	const records = Array.isArray(refunds) ? refunds.flatMap(readRecord) : undefined;
	const amounts = records?.map(({ amount }) => amount) ?? (isMissing(refunds) ? [] : [undefined]);
	const recorded = amounts.every((amount) => amount !== undefined)
		? amounts.reduce(addAmounts, NOTHING)
		: undefined;
	const total = isMissing(stated) ? recorded : readAmount(stated);
	// Less than nothing says nothing.
	const isAmount = total !== undefined && compareAmounts(total, NOTHING) >= 0;
	return { total: isAmount ? total : undefined, recorded, records };
}

function readRecord(entry: unknown): RefundRecord | RefundRecord[] {
	if (!isRecord(entry)) return { amount: undefined, at: undefined };
	if (hasFailed(entry['status'])) return [];
	return { amount: readAmount(entry['amount']), at: parseInstant(entry['created']) };
}

/**
 * What is refunded as text, in the one form that is a part of event ids: with the digits of the currency, however the
 * service writes it. 1.5 and 1.50 of one charge are one event.
 */
export function totalText(total: Amount, currency: unknown): string {
	const bare = readAmount(withoutSpareZeros(amountText(total))) ?? total;
	return amountText(withScale(bare, currencyDigits(plainText(currency)) ?? 0));
}

/** @returns see {@link totalText}; undefined while nothing was refunded, and where it can't be read */
export const refundTotalText = (
	charge: ChargeRecord,
	{ total = NOTHING } = readRefunded(charge),
): string | undefined =>
	compareAmounts(total, NOTHING) > 0 ? totalText(total, charge['currency']) : undefined;
