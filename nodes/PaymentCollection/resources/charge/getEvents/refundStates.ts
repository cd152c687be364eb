import { presentRefund, type RefundState } from '../../../../shared/charges/chargeEvents';
import type { Charge } from '../../../../shared/charges/charge';
import {
	isMissingTotal,
	recordedText,
	withoutSpareZeros,
} from '../../../../shared/charges/refundTotal';
import { isRecord } from '../../../../shared/isRecord';
import {
	NOTHING,
	addAmounts,
	amountText,
	compareAmounts,
	currencyDigits,
	readAmount,
	withScale,
	type Amount,
} from '../../../../shared/money';
import { plainText } from '../../../../shared/plainText';
import { parseInstant, type Instant } from '../../../../shared/timestamps';

/** What was refunded of a charge over time. */
export interface Refunds {
	/** The oldest first. */
	readonly states: readonly RefundState[];
	/** Whether `refunds` tells how `refund_total` came about. If not, `states` has nothing but what is refunded now. */
	readonly isExplained: boolean;
}

interface RefundRecord {
	readonly at: Instant;
	readonly amount: Amount;
}

/**
 * The states that the refunds of a charge brought it to, from its refund records. They count when they add up to
 * `refund_total`, to the cent, or where that is missing: the document does not say that they do, nor whether a refund that failed has one.
 */
export function refundsOf(charge: Charge): Refunds {
	const { refund_total: stated, refunds } = charge.record;
	const entries: unknown[] = Array.isArray(refunds) ? refunds : [];
	const records = entries.map(readRefund).filter((one) => one !== undefined);
	const present = readAmount(isMissingTotal(stated) ? charge.refundTotal : stated);
	const sum = records.reduce((all, { amount }) => addAmounts(all, amount), NOTHING);
	const isRead = records.length === entries.length;
	const isExplained = isRead && compareAmounts(sum, present ?? NOTHING) === 0;
	if (isExplained && present !== undefined) {
		return { states: statesOf(inTime(records), charge), isExplained };
	}
	const states = charge.refundTotal === undefined ? [] : [presentRefund(charge)];
	return { states, isExplained };
}

function readRefund(entry: unknown): RefundRecord | undefined {
	if (!isRecord(entry)) return undefined;
	const at = parseInstant(entry['created']);
	const amount = readAmount(entry['amount']);
	return at === undefined || amount === undefined ? undefined : { at, amount };
}

/** The oldest first; those of one moment in the order of the service, which may list the newest first. */
function inTime(records: readonly RefundRecord[]): RefundRecord[] {
	const isNewestFirst = (records[0]?.at ?? '') > (records.at(-1)?.at ?? '');
	const inOrder = isNewestFirst ? records.toReversed() : records;
	return inOrder.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

function statesOf(records: readonly RefundRecord[], charge: Charge): RefundState[] {
	const states: RefundState[] = [];
	let total = NOTHING;
	for (const { at, amount } of records) {
		total = addAmounts(total, amount);
		if (compareAmounts(total, NOTHING) > 0) states.push({ total: totalText(total, charge), at });
	}
	return states;
}

/**
 * A refund total as the service wrote it at that time, as far as the present one shows: it is a part of event ids. With
 * as many decimals, or, where the service leaves out zeros at the end, with none to spare.
 */
function totalText(total: Amount, { record, refundTotal }: Charge): string {
	const present = refundTotal ?? '';
	const presentAmount = readAmount(present);
	if (isMissingTotal(record['refund_total'])) return recordedText(total, record['currency']);
	if (presentAmount !== undefined && compareAmounts(total, presentAmount) === 0) return present;
	const short = withoutSpareZeros(amountText(total));
	const digits = currencyDigits(plainText(record['currency']));
	const isNumber = typeof record['refund_total'] === 'number';
	const keepsZeros =
		!isNumber &&
		(writesZeros(present, digits) ?? writesZeros(plainText(record['total']), digits) ?? true);
	const shortAmount = readAmount(short);
	if (!keepsZeros || shortAmount === undefined) return short;
	return amountText(withScale(shortAmount, presentAmount?.scale ?? digits ?? 0));
}

/** Whether zeros at the end are written; undefined where a text does not show it. */
function writesZeros(text: string, digits: number | undefined): boolean | undefined {
	const [, decimals = ''] = text.split('.');
	if (decimals.endsWith('0')) return true;
	return digits !== undefined && decimals.length < digits ? false : undefined;
}
