import { isRecord } from '../isRecord';
import {
	NOTHING,
	addAmounts,
	amountText,
	compareAmounts,
	currencyDigits,
	readAmount,
	withScale,
	type Amount,
} from '../money';
import { plainText } from '../plainText';

type ChargeRecord = Readonly<Record<string, unknown>>;

/** 5 and 5.00 are the same money. Text, since a number would not tell large amounts apart. */
export const withoutSpareZeros = (decimal: string): string =>
	decimal.includes('.') ? decimal.replace(/\.?0*$/, '') : decimal;

/** The document does not say that a charge always states what is refunded of it. */
export const isMissingTotal = (refundTotal: unknown): boolean =>
	refundTotal === undefined || refundTotal === null || refundTotal === '';

/** What the refund records of a charge add up to; undefined when one of them can't be read. */
export function recordedTotal(refunds: unknown): Amount | undefined {
	if (refunds === undefined || refunds === null) return NOTHING;
	if (!Array.isArray(refunds)) return undefined;
	let sum: Amount | undefined = NOTHING;
	for (const record of refunds as unknown[]) {
		const amount = isRecord(record) ? readAmount(record['amount']) : undefined;
		sum = sum === undefined || amount === undefined ? undefined : addAmounts(sum, amount);
	}
	return sum;
}

/** A sum of refund records as text: with the digits of the currency, however each of the records is written. */
export function recordedText(sum: Amount, currency: unknown): string {
	const bare = readAmount(withoutSpareZeros(amountText(sum))) ?? sum;
	return amountText(withScale(bare, currencyDigits(plainText(currency)) ?? 0));
}

/** Less than nothing says nothing. */
function totalOf({ refund_total: stated, refunds }: ChargeRecord): Amount | undefined {
	const total = isMissingTotal(stated) ? recordedTotal(refunds) : readAmount(stated);
	return total === undefined || compareAmounts(total, NOTHING) < 0 ? undefined : total;
}

/** Whether anybody can say how much of a charge is refunded. */
export const hasReadableTotal = (charge: ChargeRecord): boolean => totalOf(charge) !== undefined;

/**
 * All that is refunded of a charge as decimal text: as the service writes `refund_total`, or, where that is missing, what
 * the refund records add up to.
 *
 * @returns undefined while nothing was refunded, and where it can't be read
 */
export function refundTotalText(charge: ChargeRecord): string | undefined {
	const { refund_total: stated, currency } = charge;
	const total = totalOf(charge);
	if (total === undefined || compareAmounts(total, NOTHING) <= 0) return undefined;
	return isMissingTotal(stated) ? recordedText(total, currency) : plainText(stated);
}
