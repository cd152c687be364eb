import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { isRecord } from '../../shared/isRecord';
import { personName } from '../../shared/listSearch/searchCustomers';
import { NOTHING, compareAmounts, readAmount } from '../../shared/money';
import { plainText } from '../../shared/plainText';

/**
 * The parts of what the user sees of a charge: "84.50 EUR · Ana Ruiz · 3 Nov · captured · 20.00 refunded".
 *
 * @param timeZone IANA name of n8n's time zone
 */
export const chargeLabel =
	(timeZone: string) =>
	(charge: IDataObject): string[] => [
		`${plainText(charge['total'])} ${plainText(charge['currency'])}`.trim(),
		payerOf(charge) || referenceOf(charge),
		dayText(createdAt(charge), timeZone),
		plainText(charge['status']),
		refundedText(charge),
	];

/** The merchant's number of a charge; empty where it has none. */
export function referenceOf(charge: IDataObject): string {
	const reference = plainText(charge['reference_id']);
	return reference === '' ? '' : `#${reference}`;
}

/** Milliseconds since the epoch; NaN where a charge does not say. */
export const createdAt = (charge: IDataObject): number => Date.parse(plainText(charge['created']));

/**
 * Who paid: the holder of the card. Whether `user` is the payer or whoever took the payment is not documented, so it
 * stands in only where the payment source names nobody.
 */
function payerOf({ source, user }: IDataObject): string {
	const { card_holder_name: holder, name } = (isRecord(source) ? source : {}) as IDataObject;
	const ofSource = plainText(holder).trim() || plainText(name).trim();
	return ofSource || (isRecord(user) ? personName(user as IDataObject) : '');
}

/** "3 Nov", with its year when that is not the present one; empty for no moment. */
function dayText(ms: number, timeZone: string): string {
	if (Number.isNaN(ms)) return '';
	const day = dayIn(timeZone, ms);
	const isThisYear = day.year === dayIn(timeZone, clock.now()).year;
	return `${day.day} ${day.month}${isThisYear ? '' : ` ${day.year}`}`;
}

function dayIn(timeZone: string, ms: number): { day: string; month: string; year: string } {
	const form = { timeZone, day: 'numeric', month: 'short', year: 'numeric' } as const;
	const parts = new Intl.DateTimeFormat('en-US', form).formatToParts(ms);
	const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
	return { day: part('day'), month: part('month'), year: part('year') };
}

function refundedText({ refund_total: total }: IDataObject): string {
	const amount = readAmount(total);
	const isNothing = amount === undefined || compareAmounts(amount, NOTHING) <= 0;
	return isNothing ? '' : `${plainText(total)} refunded`;
}
