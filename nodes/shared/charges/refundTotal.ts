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
import { plainText, isRecord } from '../values';

type ChargeRecord = Readonly<Record<string, unknown>>;

/** The document does not say that a charge always states what is refunded of it. */
export const isMissingTotal = (refundTotal: unknown): boolean =>
	refundTotal === undefined || refundTotal === null || refundTotal === '';

/** The amounts of a charge's refund records; undefined when one of them can't be read. */
export function recordedAmounts(refunds: unknown): Amount[] | undefined {
	if (refunds === undefined || refunds === null) return [];
	if (!Array.isArray(refunds)) return undefined;
	const amounts = refunds
		.filter((record) => !(isRecord(record) && hasFailed(record['status'])))
		.map((record: unknown) => (isRecord(record) ? readAmount(record['amount']) : undefined));
	return amounts.every((amount) => amount !== undefined) ? amounts : undefined;
}

/**
 * What is refunded as text, in the one form that is a part of event ids: with the digits of the currency, however the
 * service writes it. 1.5 and 1.50 of one charge are one event.
 */
export function totalText(total: Amount, currency: unknown): string {
	const bare = readAmount(withoutSpareZeros(amountText(total))) ?? total;
	return amountText(withScale(bare, currencyDigits(plainText(currency)) ?? 0));
}

/** refund_total, or what the refund records add up to where it is missing; undefined when it can't be read. */
export function refundTotal({ refund_total: stated, refunds }: ChargeRecord): Amount | undefined {
	const total = isMissingTotal(stated)
		? recordedAmounts(refunds)?.reduce(addAmounts, NOTHING)
		: readAmount(stated);
	// Less than nothing says nothing.
	return total === undefined || compareAmounts(total, NOTHING) < 0 ? undefined : total;
}

/**
 * All that is refunded of a charge, by `refund_total`, or, where that is missing, by what the refund records add up to:
 * see {@link totalText}.
 *
 * @returns undefined while nothing was refunded, and where it can't be read
 */
export function refundTotalText(charge: ChargeRecord): string | undefined {
	const total = refundTotal(charge);
	if (total === undefined || compareAmounts(total, NOTHING) <= 0) return undefined;
	return totalText(total, charge['currency']);
}
