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
	(charge: IDataObject): string[] =>
		partsOf(charge, dayText(charge, timeZone));

/**
 * Those of a charge beside one that looks the same: "84.50 EUR · Ana Ruiz · 3 Nov 09:15 · captured · #1042". The time is
 * in the middle, since n8n cuts off the end of a long row.
 *
 * @param timeZone IANA name of n8n's time zone
 */
export const closerChargeLabel =
	(timeZone: string) =>
	(charge: IDataObject): string[] => [
		...partsOf(charge, `${dayText(charge, timeZone)} ${timeText(charge, timeZone)}`.trim()),
		referenceOf(charge),
	];

const partsOf = (charge: IDataObject, when: string): string[] => [
	`${plainText(charge['total'])} ${plainText(charge['currency'])}`.trim(),
	payerOf(charge) || referenceOf(charge),
	when,
	plainText(charge['status']),
	refundedText(charge),
];

/** The merchant's number of a charge; empty where it has none. */
function referenceOf(charge: IDataObject): string {
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
function dayText(charge: IDataObject, timeZone: string): string {
	const ms = createdAt(charge);
	if (Number.isNaN(ms)) return '';
	const day = partsIn(timeZone, ms);
	const isThisYear = day('year') === partsIn(timeZone, clock.now())('year');
	return `${day('day')} ${day('month')}${isThisYear ? '' : ` ${day('year')}`}`;
}

/** "09:15"; empty for no moment, and for a day alone, which has no time. */
function timeText(charge: IDataObject, timeZone: string): string {
	const ms = createdAt(charge);
	if (Number.isNaN(ms) || !/\d:\d/.test(plainText(charge['created']))) return '';
	const time = partsIn(timeZone, ms);
	return `${time('hour')}:${time('minute')}`;
}

type DatePart = 'day' | 'month' | 'year' | 'hour' | 'minute';

/** The parts of a moment by their names. */
function partsIn(timeZone: string, ms: number): (part: DatePart) => string {
	const parts = new Intl.DateTimeFormat('en-US', { timeZone, ...DATE_FORM }).formatToParts(ms);
	return (part) => parts.find(({ type }) => type === part)?.value ?? '';
}

const DATE_FORM = {
	day: 'numeric',
	month: 'short',
	year: 'numeric',
	hour: '2-digit',
	minute: '2-digit',
	hourCycle: 'h23',
} as const;

function refundedText({ refund_total: total }: IDataObject): string {
	const amount = readAmount(total);
	const isNothing = amount === undefined || compareAmounts(amount, NOTHING) <= 0;
	return isNothing ? '' : `${plainText(total)} refunded`;
}
